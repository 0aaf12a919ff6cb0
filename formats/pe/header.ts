// The records of PE and COFF (Microsoft, "PE Format"): file header, optional header, section header, relocation. Declared for
// binary-parser; each is read from bytes of exactly its size, which file.ts has checked.
import { Parser } from "binary-parser/dist/binary_parser.js";

/** Size of each record in bytes. */
export const COFF_HEADER_SIZE = 20;
export const BIG_HEADER_SIZE = 56;
export const PE_SECTION_HEADER_SIZE = 40;
export const COFF_RELOCATION_SIZE = 10;
/** Bytes of a symbol, and of one in a big object. */
export const COFF_SYMBOL_SIZE = 18;
export const BIG_SYMBOL_SIZE = 20;
/** Bytes of the optional header up to and including the image base. */
export const OPTIONAL_HEADER_SIZE = 32;

export interface CoffHeader {
  readonly machine: number;
  readonly sectionCount: number;
  /** File offset of the symbols, which the string table follows; 0 if there are none. */
  readonly symbolOffset: number;
  readonly symbolCount: number;
  readonly optionalHeaderSize: number;
  readonly characteristics: number;
}

export interface RawPeSection {
  /** Bytes in memory; 0 in objects. */
  readonly virtualSize: number;
  /** Bytes from the image base; 0 in objects. */
  readonly virtualAddress: number;
  /** Bytes in the file; in images rounded up to the file alignment. */
  readonly size: number;
  /** File offset; 0 if there are no bytes. */
  readonly offset: number;
  readonly relocationOffset: number;
  readonly relocationCount: number;
  readonly characteristics: number;
}

export interface CoffRelocation {
  /** Bytes from the start of the section. */
  readonly offset: number;
  readonly symbol: number;
  readonly type: number;
}

const header = new Parser()
  .endianness("little")
  .uint16("machine")
  .uint16("sectionCount")
  .seek(4)
  .uint32("symbolOffset")
  .uint32("symbolCount")
  .uint16("optionalHeaderSize")
  .uint16("characteristics");

const bigHeader = new Parser()
  .endianness("little")
  .seek(6)
  .uint16("machine")
  .seek(36)
  .uint32("sectionCount")
  .uint32("symbolOffset")
  .uint32("symbolCount");

const section = new Parser()
  .endianness("little")
  .seek(8)
  .uint32("virtualSize")
  .uint32("virtualAddress")
  .uint32("size")
  .uint32("offset")
  .uint32("relocationOffset")
  .seek(4)
  .uint16("relocationCount")
  .seek(2)
  .uint32("characteristics");

const relocation = new Parser().endianness("little").uint32("offset").uint32("symbol").uint16("type");

const wide = new Parser().endianness("little").seek(24).uint64("imageBase");
const narrow = new Parser().endianness("little").seek(28).uint32("imageBase");

export const parseHeader = (bytes: Uint8Array): CoffHeader => header.parse(bytes) as CoffHeader;

export function parseBigHeader(bytes: Uint8Array): CoffHeader {
  const raw = bigHeader.parse(bytes) as Omit<CoffHeader, "optionalHeaderSize" | "characteristics">;
  return { ...raw, optionalHeaderSize: 0, characteristics: 0 };
}

export const parseSection = (bytes: Uint8Array): RawPeSection => section.parse(bytes) as RawPeSection;

export const parseRelocation = (bytes: Uint8Array): CoffRelocation => relocation.parse(bytes) as CoffRelocation;

/** `isWide`: the optional header of PE32+. */
export function parseImageBase(bytes: Uint8Array, isWide: boolean): bigint {
  return BigInt(((isWide ? wide : narrow).parse(bytes) as { readonly imageBase: bigint | number }).imageBase);
}
