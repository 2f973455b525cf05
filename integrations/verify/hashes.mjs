/**
 * RIPEMD-160 and Keccak-256, which WebCrypto does not have and OpenTimestamps proofs may use, for Node and browsers alike.
 * The service's own are in src/ledger/ots/hashes.ts; a test holds the two against each other.
 */
/** Left line and right line: which word of the block each of the 80 steps takes, and by how much it rotates. */
const WORDS = [
  [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11,
    8, 3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5,
    6, 2, 4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
  ],
  [
    5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1,
    2, 15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10,
    14, 12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
  ],
];
const SHIFTS = [
  [
    11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7,
    13, 12, 11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6,
    8, 6, 5, 12, 9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6,
  ],
  [
    8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15,
    13, 11, 9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9,
    12, 5, 15, 8, 8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11,
  ],
];
const CONSTANTS = [
  [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e],
  [0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0],
];

/** RIPEMD-160 (Dobbertin, Bosselaers and Preneel, 1996). */
export function ripemd160(message) {
  const padded = new Uint8Array((Math.floor((message.length + 8) / 64) + 1) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, (message.length * 8) >>> 0, true);
  view.setUint32(padded.length - 4, Math.floor(message.length / 0x20000000), true);
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const block = new Int32Array(16);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i += 1) block[i] = view.getInt32(at + 4 * i, true);
    const left = ripemdLine(0, state, block);
    const right = ripemdLine(1, state, block);
    const [a, b, c, d, e] = state;
    state = [
      (b + left[2] + right[3]) | 0,
      (c + left[3] + right[4]) | 0,
      (d + left[4] + right[0]) | 0,
      (e + left[0] + right[1]) | 0,
      (a + left[1] + right[2]) | 0,
    ];
  }
  const digest = new DataView(new ArrayBuffer(20));
  for (const [i, word] of state.entries()) digest.setInt32(4 * i, word, true);
  return new Uint8Array(digest.buffer);
}

function ripemdLine(line, state, block) {
  let [a, b, c, d, e] = state;
  const words = WORDS[line];
  const shifts = SHIFTS[line];
  for (let step = 0; step < 80; step += 1) {
    const round = step >> 4;
    const word = block[words[step]];
    const mixed = ripemdMix(line === 0 ? round : 4 - round, b, c, d);
    const sum = (a + mixed + word + CONSTANTS[line][round]) | 0;
    const turned = (rotate(sum, shifts[step]) + e) | 0;
    a = e;
    e = d;
    d = rotate(c, 10);
    c = b;
    b = turned;
  }
  return [a, b, c, d, e];
}

function ripemdMix(round, x, y, z) {
  if (round === 0) return x ^ y ^ z;
  if (round === 1) return (x & y) | (~x & z);
  if (round === 2) return (x | ~y) ^ z;
  if (round === 3) return (x & z) | (y & ~z);
  return x ^ (y | ~z);
}

function rotate(word, by) {
  return (word << by) | (word >>> (32 - by));
}

/** Bytes of the state that a block of the message goes into, for 256 bits of digest. */
const RATE = 136;
const LANE = (1n << 64n) - 1n;
const turned = (lane, by) => ((lane << by) | (lane >> (64n - by))) & LANE;
/** ρ (FIPS 202 §3.2.2): how far lane `x + 5y` is turned. */
const TURNS = Array(25).fill(0n);
for (let t = 0, x = 1, y = 0; t < 24; t += 1, [x, y] = [y, (2 * x + 3 * y) % 5])
  TURNS[x + 5 * y] = BigInt((((t + 1) * (t + 2)) / 2) % 64);
/** ι (§3.2.5): a constant a round, by a shift register of eight bits. */
const ROUNDS = Array(24).fill(0n);
for (let i = 0, bits = 1; i < 24 * 7; i += 1, bits = (bits << 1) ^ (bits >> 7 ? 0x171 : 0))
  if (bits & 1) ROUNDS[Math.floor(i / 7)] |= 1n << BigInt(2 ** (i % 7) - 1);

/** Keccak-f[1600] (§3.3), on 25 lanes. */
function permuted(lanes) {
  let a = lanes;
  for (const constant of ROUNDS) {
    const c = [0, 1, 2, 3, 4].map((x) => a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    const b = Array(25);
    for (let x = 0; x < 5; x += 1)
      for (let y = 0; y < 5; y += 1) {
        const mixed = a[x + 5 * y] ^ c[(x + 4) % 5] ^ turned(c[(x + 1) % 5], 1n);
        b[y + 5 * ((2 * x + 3 * y) % 5)] = turned(mixed, TURNS[x + 5 * y]);
      }
    a = b.map((lane, i) => {
      const row = i - (i % 5);
      return lane ^ (~b[row + ((i + 1) % 5)] & LANE & b[row + ((i + 2) % 5)]);
    });
    a[0] ^= constant;
  }
  return a;
}

/** Keccak-256 as it was submitted, which ends a message with 0x01; SHA3-256 (FIPS 202) ends it with 0x06. */
export function keccak256(message, end = 0x01) {
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length] = end;
  padded[padded.length - 1] |= 0x80;
  const view = new DataView(padded.buffer);
  let lanes = Array(25).fill(0n);
  for (let at = 0; at < padded.length; at += RATE)
    lanes = permuted(
      lanes.map((lane, i) => (8 * i < RATE ? lane ^ view.getBigUint64(at + 8 * i, true) : lane)),
    );
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i += 1) digest.setBigUint64(8 * i, lanes[i], true);
  return new Uint8Array(digest.buffer);
}
