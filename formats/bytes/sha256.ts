// SHA-256 (FIPS 180-4). A gigabyte takes a second with Node's implementation, and more than a minute in JavaScript, which
// browsers use. Small inputs are hashed in JavaScript, to avoid loading Node's module.

import { sha256 as create } from "@noble/hashes/sha2.js";

/** The common interface of both implementations. */
interface Hash {
  update(part: Uint8Array): unknown;
  digest(): Uint8Array;
}

interface NodeCrypto {
  createHash(name: "sha256"): Hash;
}

interface NodeHost {
  readonly process?: { readonly getBuiltinModule?: (name: "node:crypto") => NodeCrypto | undefined };
}

/** Bytes from which on Node's module is loaded. */
const LARGE = 2 ** 20;

/** The 32-byte hash of the concatenated parts. */
export function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  const hash = (bytes < LARGE ? undefined : ofNode()) ?? create.create();
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

const ofNode = (): Hash | undefined =>
  (globalThis as NodeHost).process?.getBuiltinModule?.("node:crypto")?.createHash("sha256");
