// SHA-256 (FIPS 180-4), the same on every host.

import { sha256 as create } from "@noble/hashes/sha2.js";

/** The 32 bytes of the hash of the parts, one behind the other. */
export function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const hash = create.create();
  for (const part of parts) hash.update(part);
  return hash.digest();
}
