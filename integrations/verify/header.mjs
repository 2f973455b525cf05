/** Headers of Bitcoin blocks, checked by themselves: docs/ledger.md says by what, and whence the tables are. */
import { hex, sha256, unhex } from "./hashed.mjs";

/** Below this height nothing is established. */
export const FIRST_HEIGHT = 100_000;

/** The least difficulty of any block from each of these heights to the next. */
const LEAST = [
  [950_000, 30_000_000_000_000n],
  [900_000, 110_000_000_000_000n],
  [850_000, 79_000_000_000_000n],
  [800_000, 52_000_000_000_000n],
  [750_000, 28_000_000_000_000n],
  [700_000, 18_000_000_000_000n],
  [650_000, 13_000_000_000_000n],
  [600_000, 12_000_000_000_000n],
  [550_000, 5_100_000_000_000n],
  [500_000, 1_800_000_000_000n],
  [450_000, 390_000_000_000n],
  [400_000, 150_000_000_000n],
  [350_000, 46_000_000_000n],
  [300_000, 8_000_000_000n],
  [250_000, 37_000_000n],
  [225_000, 4_300_000n],
  [200_000, 2_800_000n],
  [175_000, 1_500_000n],
  [150_000, 1_000_000n],
  [140_000, 1_400_000n],
  [125_000, 240_000n],
  [100_000, 14_000n],
];
const EASIEST = 0xffffn << 208n;

/** When the blocks of these heights were mined, in seconds. */
const TIMES = [
  [100_000, 1_293_605_000],
  [125_000, 1_305_759_000],
  [140_000, 1_312_749_000],
  [150_000, 1_319_154_000],
  [175_000, 1_334_004_000],
  [200_000, 1_348_327_000],
  [225_000, 1_362_822_000],
  [250_000, 1_375_534_000],
  [300_000, 1_399_696_000],
  [350_000, 1_427_767_000],
  [400_000, 1_456_401_000],
  [450_000, 1_485_367_000],
  [500_000, 1_513_624_000],
  [550_000, 1_542_174_000],
  [600_000, 1_571_429_000],
  [650_000, 1_601_080_000],
  [700_000, 1_631_322_000],
  [750_000, 1_660_847_000],
  [800_000, 1_690_158_000],
  [850_000, 1_719_674_000],
];
const OFF_SECONDS = 1_209_600;
const BLOCK_SECONDS = 600;

function fitsHeight(height, time) {
  const i = TIMES.findLastIndex(([from]) => from <= height);
  const [[from, began], next] = [TIMES[i], TIMES[i + 1]];
  const blocks = height - from;
  return next === undefined
    ? Math.abs(time - began - blocks * BLOCK_SECONDS) <= OFF_SECONDS + (blocks * BLOCK_SECONDS) / 10
    : Math.abs(time - began - ((next[1] - began) * blocks) / (next[0] - from)) <= OFF_SECONDS;
}

/** What is wrong with a header at a height from the first on, or what it says. */
export async function readHeader(text, height) {
  if (!/^[0-9a-f]{160}$/i.test(text)) return { wrong: "its header is not 80 bytes of hex" };
  const bytes = unhex(text);
  const view = new DataView(bytes.buffer);
  const bits = view.getUint32(72, true);
  const [exponent, mantissa] = [bits >>> 24, BigInt(bits & 0x7fffff)];
  const target =
    exponent > 3 ? mantissa << BigInt(8 * (exponent - 3)) : mantissa >> BigInt(8 * (3 - exponent));
  const [, least] = LEAST.find(([from]) => height >= from);
  if ((bits & 0x800000) !== 0 || exponent > 32 || target === 0n || target * least > EASIEST)
    return { wrong: "its header's target is not one that a block of that height had" };
  const hash = hex(unhex(await sha256(unhex(await sha256(bytes)))).reverse());
  if (BigInt(`0x${hash}`) > target) return { wrong: "its header's hash is not below its target" };
  const seconds = view.getUint32(68, true);
  if (!fitsHeight(height, seconds))
    return { wrong: "its header's time is not one that a block of that height had" };
  return { hash, root: hex(bytes.subarray(36, 68)), time: new Date(seconds * 1_000) };
}
