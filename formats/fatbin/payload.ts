// Decompresses the payload of a fatbin entry. The size in its header is exact, and is bounded before memory is allocated.
import { need, decoding, malformed } from "../bytes/malformed.js";
import { fail, type Result } from "../bytes/result.js";
import { present } from "../bytes/sparse.js";
import { decompressLz4Block } from "../lz4/index.js";
import { decompressZstd } from "../zstd/index.js";
import { ENTRY_KIND, isScrambled } from "./entry.table.js";
import type { FatbinEntry } from "./fatbin.js";

/**
 * Limit of a payload in bytes. No real module comes near: the largest kernels made from templates are some tens of MiB of PTX.
 */
const MAX_BYTES = 256 * 1024 * 1024;

const decoders = {
  none: (bytes: Uint8Array): Result<Uint8Array> => ({ ok: true, value: bytes }),
  lz4: decompressLz4Block,
  zstd: decompressZstd,
} as const;

/** The PTX text without the zeros at its end; for other kinds, the bytes. Error offsets count from the file's start. */
export function readPayload(entry: FatbinEntry): Result<Uint8Array> {
  const { compression, stored, size, payloadOffset } = entry;
  const decoded = decoding(() => {
    if (size > MAX_BYTES)
      malformed("limit", 0, `fatbin entry: ${size} bytes uncompressed, of which ${MAX_BYTES} are allowed`);
    if (isScrambled(entry)) malformed("unsupported", 0, "fatbin entry: only NVIDIA's tools read compressed LTO-IR");
    const bytes = need(decoders[compression](present(stored), size));
    return entry.kind === ENTRY_KIND.ptx ? withoutZeros(bytes) : bytes;
  });
  if (decoded.ok) return decoded;
  return fail({ ...decoded.error, offset: payloadOffset + decoded.error.offset });
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
