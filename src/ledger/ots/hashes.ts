/**
 * The hash functions that OpenTimestamps proofs use. Two of them are written here, because no platform that this runs
 * on promises them: RIPEMD-160, and Keccak-256 as it was before SHA-3 gave it another padding. Pure.
 */
import { hash } from "node:crypto";

export function sha256(message: Uint8Array): Uint8Array {
  return new Uint8Array(hash("sha256", message, "buffer"));
}

export function sha1(message: Uint8Array): Uint8Array {
  return new Uint8Array(hash("sha1", message, "buffer"));
}

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
] as const;
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
] as const;
const CONSTANTS = [
  [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e],
  [0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0],
] as const;

/** RIPEMD-160 (Dobbertin, Bosselaers and Preneel, 1996). */
export function ripemd160(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor((message.length + 8) / 64) + 1) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, (message.length * 8) >>> 0, true);
  view.setUint32(padded.length - 4, Math.floor(message.length / 0x20000000), true);
  let state: Five = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
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

type Five = readonly [number, number, number, number, number];

function ripemdLine(line: 0 | 1, state: Five, block: Int32Array): Five {
  let [a, b, c, d, e] = state;
  const words = WORDS[line];
  const shifts = SHIFTS[line];
  for (let step = 0; step < 80; step += 1) {
    const round = step >> 4;
    const word = block[words[step] ?? 0] ?? 0;
    const mixed = ripemdMix(line === 0 ? round : 4 - round, b, c, d);
    const sum = (a + mixed + word + (CONSTANTS[line][round] ?? 0)) | 0;
    const turned = (rotate(sum, shifts[step] ?? 0) + e) | 0;
    a = e;
    e = d;
    d = rotate(c, 10);
    c = b;
    b = turned;
  }
  return [a, b, c, d, e];
}

function ripemdMix(round: number, x: number, y: number, z: number): number {
  if (round === 0) return x ^ y ^ z;
  if (round === 1) return (x & y) | (~x & z);
  if (round === 2) return (x | ~y) ^ z;
  if (round === 3) return (x & z) | (y & ~z);
  return x ^ (y | ~z);
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** Bytes of the state that a block of the message goes into, for 256 bits of digest. */
const RATE = 136;

/** How far each lane is turned (ρ), along the path in which π moves them, and where that path leads. */
const [TURNS, PATH] = lanePath();
/** ι: two words, low and high, a round. */
const ROUND_CONSTANTS = roundConstants();

export function keccak256(message: Uint8Array): Uint8Array {
  return sponge(message, 0x01);
}

/**
 * Keccak[512] to 256 bits (FIPS 202 §4).
 * @param suffix the byte that the padding begins with: 0x01 for Keccak as it was submitted, 0x06 for SHA3-256
 */
export function sponge(message: Uint8Array, suffix: number): Uint8Array {
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length] = suffix;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  const state = new Int32Array(50);
  for (let at = 0; at < padded.length; at += RATE) {
    for (let i = 0; i < RATE / 4; i += 1) state[i] = (state[i] ?? 0) ^ view.getInt32(at + 4 * i, true);
    permute(state);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i += 1) digest.setInt32(4 * i, state[i] ?? 0, true);
  return new Uint8Array(digest.buffer);
}

/** Keccak-f[1600] (FIPS 202 §3.3). A lane is two words, low and high; lane (x, y) is number `x + 5y`. */
function permute(state: Int32Array): void {
  const at = (i: number) => state[i] ?? 0;
  const column = new Int32Array(10);
  const row = new Int32Array(10);
  for (let round = 0; round < 24; round += 1) {
    for (let i = 0; i < 10; i += 1) column[i] = at(i) ^ at(i + 10) ^ at(i + 20) ^ at(i + 30) ^ at(i + 40);
    for (let x = 0; x < 10; x += 2) {
      const before = (x + 8) % 10;
      const after = (x + 2) % 10;
      const low = column[after] ?? 0;
      const high = column[after + 1] ?? 0;
      const changeLow = (column[before] ?? 0) ^ ((low << 1) | (high >>> 31));
      const changeHigh = (column[before + 1] ?? 0) ^ ((high << 1) | (low >>> 31));
      for (let i = x; i < 50; i += 10) {
        state[i] = at(i) ^ changeLow;
        state[i + 1] = at(i + 1) ^ changeHigh;
      }
    }
    let low = at(2);
    let high = at(3);
    for (let step = 0; step < 24; step += 1) {
      const lane = 2 * (PATH[step] ?? 0);
      const turn = TURNS[step] ?? 0;
      const by = turn & 31;
      const a = turn < 32 ? low : high;
      const b = turn < 32 ? high : low;
      low = at(lane);
      high = at(lane + 1);
      state[lane] = by === 0 ? a : (a << by) | (b >>> (32 - by));
      state[lane + 1] = by === 0 ? b : (b << by) | (a >>> (32 - by));
    }
    for (let y = 0; y < 50; y += 10) {
      for (let i = 0; i < 10; i += 1) row[i] = at(y + i);
      for (let i = 0; i < 10; i += 1)
        state[y + i] = (row[i] ?? 0) ^ (~(row[(i + 2) % 10] ?? 0) & (row[(i + 4) % 10] ?? 0));
    }
    state[0] = at(0) ^ (ROUND_CONSTANTS[2 * round] ?? 0);
    state[1] = at(1) ^ (ROUND_CONSTANTS[2 * round + 1] ?? 0);
  }
}

function lanePath(): readonly [readonly number[], readonly number[]] {
  const turns: number[] = [];
  const path: number[] = [];
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t += 1) {
    turns.push((((t + 1) * (t + 2)) / 2) % 64);
    [x, y] = [y, (2 * x + 3 * y) % 5];
    path.push(x + 5 * y);
  }
  return [turns, path];
}

/** FIPS 202 §3.2.5: bits of a shift register, at the places 2^j - 1 of a lane. */
function roundConstants(): Int32Array {
  const constants = new Int32Array(48);
  let register = 1;
  for (let round = 0; round < 24; round += 1)
    for (let j = 0; j < 7; j += 1) {
      const place = 2 ** j - 1;
      const word = 2 * round + (place >> 5);
      if (register & 1) constants[word] = (constants[word] ?? 0) | (1 << (place & 31));
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
  return constants;
}
