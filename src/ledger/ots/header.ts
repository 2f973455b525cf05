/**
 * Bitcoin block headers, checked by nothing but themselves: 80 bytes, whose double SHA-256 is below the target that they
 * name, and whose target and time are such as blocks of that height had. Pure.
 *
 *     version 4 ‖ previous block 32 ‖ merkle root 32 ‖ time 4 ‖ bits 4 ‖ nonce 4       (numbers little-endian)
 *
 * A header does not hold its height, and does not show that the chain with most work behind it has it. Making another one
 * for the same merkle root would take as much work as miners put into a block then; that is what is checked.
 */
import { bytesOfHex, hexOf } from "../bytes.ts";
import { sha256 } from "./hashes.ts";

export const HEADER_BYTES = 80;

export interface BlockHeader {
  /** As block hashes are written: reversed hex. */
  readonly hash: string;
  readonly previous: string;
  /** As it stands in the header, which is how a proof ends: not reversed. */
  readonly merkleRoot: Uint8Array;
  /** Seconds since 1970, as the miner set them: up to two hours off. */
  readonly time: number;
  readonly bits: number;
}

export type ReadHeader =
  | { readonly ok: true; readonly header: BlockHeader }
  | {
      readonly ok: false;
      readonly code:
        | "height-too-early"
        | "header-length"
        | "header-hex"
        | "header-target"
        | "header-work"
        | "header-time";
      /** Of the header, from 0. */
      readonly byte: number;
      readonly message: string;
    };

/** The easiest target that Bitcoin knows, difficulty 1. */
const EASIEST = 0xffffn << 208n;

/**
 * Heights below this one establish nothing: a desk computer does the work of their blocks again. A proof can be of a block
 * that is older than OpenTimestamps, which is of 2015: of what was in the chain by chance, such as the hash of no bytes.
 */
export const FIRST_HEIGHT = 100_000;

/**
 * The least difficulty of any block from each of these heights to the next, rounded down to two digits: of the targets of
 * all periods of 2,016 blocks up to 955,583, as the Electrum wallet ships them for checking headers by
 * (electrum/chains/mainnet/checkpoints.json at 923578010e56; `0xffff × 2^208 / target`). The last row, which goes on past
 * them, is a quarter of theirs. Without the table a header of difficulty 1, which a desk computer finds, would pass for a
 * block of today.
 */
const LEAST_DIFFICULTY: readonly (readonly [height: number, difficulty: bigint])[] = [
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
  [FIRST_HEIGHT, 14_000n],
];

/**
 * When the blocks of these heights were mined, seconds since 1970, to a thousand: by the headers of every 2,016th block
 * that bitcoinj ships (org.bitcoin.production.checkpoints.txt at 13e137ec1dee, up to 878,976), each of which was checked
 * by its own hash; between two of them by a straight line. All 387 from 100,000 on lie within eight days of the line
 * between two rows, or of the pace after the last.
 */
const TIMES: readonly (readonly [height: number, time: number])[] = [
  [FIRST_HEIGHT, 1_293_605_000],
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
const [LAST_HEIGHT, LAST_TIME] = TIMES.at(-1) ?? [0, 0];
/** How far the time of a block may lie from what its height lets expect: nearly twice what any of those did. */
const OFF_SECONDS = 1_209_600;
/** After the last row a block takes so long by the rules, and a tenth more or less is let pass. */
const BLOCK_SECONDS = 600;

/** Whether a block of this height can have this time, seconds since 1970. */
export function fitsHeight(height: number, time: number): boolean {
  if (height >= LAST_HEIGHT) {
    const past = (height - LAST_HEIGHT) * BLOCK_SECONDS;
    return Math.abs(time - LAST_TIME - past) <= OFF_SECONDS + past / 10;
  }
  const i = TIMES.findIndex(([from]) => from > height);
  const [from, began] = TIMES[i - 1] ?? [0, 0];
  const [to, ended] = TIMES[i] ?? [0, 0];
  return Math.abs(time - began - ((ended - began) * (height - from)) / (to - from)) <= OFF_SECONDS;
}

/**
 * Reads a header of 160 hex digits, of either case. Total.
 * @param height that the proof claims for it
 */
export function readHeader(hex: string, height: number): ReadHeader {
  if (height < FIRST_HEIGHT)
    return no(
      "height-too-early",
      0,
      `A header with the work of block ${height} is cheap to make: it shows nothing here.`,
    );
  if (hex.length !== HEADER_BYTES * 2)
    return no(
      "header-length",
      Math.min(Math.floor(hex.length / 2), HEADER_BYTES),
      `A block header is ${HEADER_BYTES} bytes, written as ${HEADER_BYTES * 2} hex digits; these are ${hex.length} characters.`,
    );
  const bytes = bytesOfHex(hex.toLowerCase());
  if (bytes === null)
    return no("header-hex", Math.floor(hex.search(/[^0-9a-f]/i) / 2), "This is not a hex digit.");
  const view = new DataView(bytes.buffer);
  const bits = view.getUint32(72, true);
  const target = targetOf(bits);
  if (target === null || target > EASIEST)
    return no("header-target", 72, "No block may have the target that this header names.");
  const [, least = 1n] = LEAST_DIFFICULTY.find(([from]) => height >= from) ?? [];
  if (target * least > EASIEST)
    return no(
      "header-target",
      72,
      `The target of this header is easier to meet than that of any block at height ${height}.`,
    );
  const hash = reversedHex(sha256(sha256(bytes)));
  if (BigInt(`0x${hash}`) > target)
    return no(
      "header-work",
      0,
      `The header hashes to ${hash}, which is not below its target: nobody has mined it.`,
    );
  const time = view.getUint32(68, true);
  if (!fitsHeight(height, time))
    return no(
      "header-time",
      68,
      `No block at height ${height} was mined about the time that this header says.`,
    );
  return {
    ok: true,
    header: {
      hash,
      previous: reversedHex(bytes.slice(4, 36)),
      merkleRoot: bytes.slice(36, 68),
      time,
      bits,
    },
  };
}

/** The compact form: an exponent of bytes and a mantissa of three, whose highest bit is a sign. */
function targetOf(bits: number): bigint | null {
  const exponent = bits >>> 24;
  const mantissa = BigInt(bits & 0x7fffff);
  if ((bits & 0x800000) !== 0 || mantissa === 0n || exponent > 32) return null;
  const target =
    exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3));
  return target === 0n ? null : target;
}

function reversedHex(bytes: Uint8Array): string {
  return hexOf(bytes.toReversed());
}

function no(
  code: Exclude<ReadHeader, { ok: true }>["code"],
  byte: number,
  message: string,
): Extract<ReadHeader, { ok: false }> {
  return { ok: false, code, byte, message };
}
