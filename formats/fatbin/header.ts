// The headers of a fatbin, measured on output of fatbinary and nvcc 13.0 (docs/containers.md): the fatbin's own, the header of
// each entry, and the wrapper through which a host program finds the fatbin. Records are declared for binary-parser; sizes are
// checked by hand, because its errors have no offsets.
import { Parser } from "binary-parser/dist/binary_parser.js";
import { malformed } from "../bytes/malformed.js";
import { safeNumber } from "../bytes/reader.js";

export const FATBIN_HEADER_SIZE = 16;
/** Size in bytes of an entry's header, without the name and options that may follow inside it. */
export const ENTRY_HEADER_SIZE = 64;
export const WRAPPER_SIZE = 24;

export interface FatbinHeader {
  readonly version: number;
  /** Bytes before the first entry. */
  readonly headerSize: number;
  /** Bytes of all entries. */
  readonly size: number;
}

/** The record as stored in the file; offsets count from the entry's start. */
export interface RawEntry {
  readonly kind: number;
  readonly version: number;
  readonly headerSize: number;
  readonly payloadSize: number;
  /** Bytes of a compressed payload without its padding; 0 if the payload is not compressed. */
  readonly compressedSize: number;
  readonly optionsOffset: number;
  /** Version of the PTX text or the cubin format: 9.0, 1.8. */
  readonly minor: number;
  readonly major: number;
  readonly arch: number;
  readonly nameOffset: number;
  readonly nameLength: number;
  readonly flags: bigint;
  /** Bytes of a compressed payload after decompression; 0 if it is not compressed. */
  readonly size: number;
}

export interface Wrapper {
  /** 1; 2 if device linking made the fatbin from others. */
  readonly version: number;
  /** Address of the fatbin; 0 in a relocatable object, which has a relocation instead. */
  readonly address: bigint;
}

const header = new Parser().endianness("little").seek(4).uint16("version").uint16("headerSize").uint64("size");

const entry = new Parser()
  .endianness("little")
  .uint16("kind")
  .uint16("version")
  .uint32("headerSize")
  .uint64("payloadSize")
  .uint32("compressedSize")
  .uint32("optionsOffset")
  .uint16("minor")
  .uint16("major")
  .uint32("arch")
  .uint32("nameOffset")
  .uint32("nameLength")
  .uint64("flags")
  .seek(8)
  .uint64("size");

const wrapper = new Parser().endianness("little").uint32("magic").uint32("version").uint64("address");

/** Inside a decoder: reads the header in `bytes`, at file offset `at`. The entries may reach past the end: the caller checks. */
export function readFatbinHeader(bytes: Uint8Array, at: number): FatbinHeader {
  if (bytes.length < FATBIN_HEADER_SIZE)
    malformed("truncated", at, `fatbin header: ${FATBIN_HEADER_SIZE} bytes needed, ${bytes.length} there`);
  const raw = header.parse(bytes.subarray(0, FATBIN_HEADER_SIZE)) as FatbinHeader & { readonly size: bigint };
  const { version, headerSize } = raw;
  if (version !== 1) malformed("unsupported", at + 4, `fatbin of version ${version}: only version 1 is known`);
  if (headerSize < FATBIN_HEADER_SIZE)
    malformed("out-of-range", at + 6, `fatbin header of ${headerSize} bytes: it has at least ${FATBIN_HEADER_SIZE}`);
  const size = safeNumber(raw.size as bigint, at + 8, "size of the fatbin");
  return { version, headerSize, size };
}

/** Inside a decoder: reads the entry whose header is `bytes`, at file offset `at`; `left`: bytes up to the end of its fatbin. */
export function readEntryHeader(bytes: Uint8Array, left: number, at: number): RawEntry {
  if (left < ENTRY_HEADER_SIZE)
    malformed("truncated", at, `fatbin entry: a head of ${ENTRY_HEADER_SIZE} bytes needed, ${left} left`);
  const raw = entry.parse(bytes.subarray(0, ENTRY_HEADER_SIZE)) as RawEntry;
  const payloadSize = safeNumber(BigInt(raw.payloadSize), at + 8, "size of the entry's payload");
  const size = safeNumber(BigInt(raw.size), at + 56, "uncompressed size of the entry");
  const { headerSize, compressedSize } = raw;
  if (headerSize < ENTRY_HEADER_SIZE || headerSize > left)
    malformed(
      "out-of-range",
      at + 4,
      `fatbin entry: a header of ${headerSize} bytes, between ${ENTRY_HEADER_SIZE} and the ${left} left expected`,
    );
  if (payloadSize > left - headerSize)
    malformed(
      "truncated",
      at + 8,
      `fatbin entry: a payload of ${payloadSize} bytes reaches past the fatbin's end, ${left - headerSize} are left`,
    );
  if (compressedSize > payloadSize)
    malformed(
      "out-of-range",
      at + 16,
      `fatbin entry: ${compressedSize} compressed bytes in a payload of ${payloadSize}`,
    );
  return { ...raw, payloadSize, size };
}

/** Inside a decoder: reads the wrappers of a .nvFatBinSegment section. */
export function readWrappers(bytes: Uint8Array): readonly Wrapper[] {
  const count = Math.floor(bytes.length / WRAPPER_SIZE);
  return Array.from({ length: count }, (_, i) => {
    const { version, address } = wrapper.parse(bytes.subarray(i * WRAPPER_SIZE, (i + 1) * WRAPPER_SIZE)) as Wrapper;
    return { version, address };
  });
}
