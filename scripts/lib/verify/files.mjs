/** Files on disk, read in bounded memory. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { hashedWhole, MAX_LIST_BYTES, MAX_PROOF_BYTES, Refused } from "./judge.mjs";

const HEAD_BYTES = 65_536;
const FETCH_MS = 10_000;

/** The first bytes of a file. */
async function firstBytes(path, most) {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(most);
    let size = 0;
    while (size < most) {
      const { bytesRead } = await file.read(bytes, size, most - size, size);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    return new Uint8Array(bytes.buffer, bytes.byteOffset, size);
  } finally {
    await file.close();
  }
}

const WHY = {
  ENOENT: "there is no such file",
  EACCES: "you may not read it",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "its name is too long",
};

/** Reading that fails is said in words. */
export async function reading(what) {
  try {
    return await what();
  } catch (error) {
    if (error instanceof Refused || error.code === undefined) throw error;
    throw new Refused(WHY[error.code] ?? `it cannot be read (${error.code})`);
  }
}

/** What `judgeFile` needs of a file, and its proof where one stands beside it. */
export async function fileAt(path) {
  const found = await stat(path);
  // A pipe or a device would be read twice, or for ever.
  if (!found.isFile()) throw new Refused(found.isDirectory() ? WHY.EISDIR : "it is no plain file");
  return {
    name: path,
    size: found.size,
    head: await firstBytes(path, HEAD_BYTES),
    open: () => createReadStream(path, { highWaterMark: 1_048_576 }),
    digest: (hash) => digestOf(path, hash, found.size),
    proof: await proofAt(`${path}.ots`),
  };
}

async function digestOf(path, name, size) {
  if (name === "keccak256") return hashedWhole(name, size, () => firstBytes(path, size));
  const hash = createHash(name);
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) hash.update(chunk);
  return hash.digest("hex");
}

/** A proof, one byte past the bound at most; `null` where there is none. */
export async function proofAt(path) {
  try {
    if (!(await stat(path)).isFile()) return null;
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "ENAMETOOLONG") return null;
    throw error;
  }
  return firstBytes(path, MAX_PROOF_BYTES + 1);
}

/** A short text from a file, or from the address of published keys. Only a person's own `--keys` asks for the latter. */
export async function textOf(place) {
  const bytes = /^https?:\/\//i.test(place)
    ? await fetched(place)
    : await reading(() => firstBytes(place, MAX_LIST_BYTES + 1));
  if (bytes.length > MAX_LIST_BYTES) throw new Refused(`it is larger than ${MAX_LIST_BYTES} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refused("it is not UTF-8");
  }
}

async function fetched(address) {
  const url = new URL(address);
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  // Keys that anybody on the way can change say nothing about whose they are.
  if (url.protocol !== "https:" && !local) throw new Refused("keys are fetched over https");
  let response;
  try {
    response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_MS) });
    if (response.status !== 200) throw new Refused(`it answered ${response.status}`);
    const parts = [];
    let size = 0;
    for await (const part of response.body) {
      size += part.length;
      parts.push(part);
      if (size > MAX_LIST_BYTES) break;
    }
    return new Uint8Array(Buffer.concat(parts));
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(
      error.name === "TimeoutError" ? "it did not answer in time" : "it could not be fetched",
    );
  }
}
