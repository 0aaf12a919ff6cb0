// Symbol slots: how code refers to symbols. `.text.<function>` begins with one 8-byte word per symbol that the function refers
// to, and operands contain a slot's index; relocations patch the words. The linker and the loader patch words of a fixed size,
// and the variable-length instructions never change. docs/format.md, "Encoded functions". Rejected: relocations inside the
// instruction stream, because patching a variable-length integer would move everything after it.

/** The kind of a slot's symbol, which determines the patched word. */
export type SlotSpace = "global" | "const" | "shared" | "function" | "kernel" | "reference" | "local";

/** In the order of their codes in the file. */
export const slotSpaces: readonly SlotSpace[] = [
  "global",
  "const",
  "shared",
  "function",
  "kernel",
  "reference",
  "local",
];

export interface SymbolSlot {
  readonly space: SlotSpace;
  /** Bytes from the start of the encoded function; a multiple of 8. */
  readonly offset: number;
}

/** A slot during encoding; `symbol`: the symbol's number in the unencoded code. */
export interface NewSlot extends SymbolSlot {
  readonly symbol: number;
}

/** A slot as stored in a file: `word` is 0 until the linker or the loader has patched it. */
export interface StoredSlot extends SymbolSlot {
  readonly word: bigint;
}

/** The bytes "PTXc" as a little-endian word. */
export const FUNCTION_MAGIC = 0x63585450;
/**
 * Versions of the encoding of functions; readers reject others. Functions without lines have the second, all others the first.
 */
export const FUNCTION_VERSION = 1;
export const LINELESS_VERSION = 2;
/** Bytes before the first slot. */
export const FUNCTION_HEADER_SIZE = 16;
export const SLOT_SIZE = 8;
/** Header flag: names of registers, frame variables, labels and tables are stored. */
export const HAS_NAMES = 1;
/** Header flag: a list of the module's registers that the function uses follows the frame variables. */
export const HAS_MODULE_REGISTERS = 2;
/** Header flag: no instruction has a line or a location (link --strip-debug). */
export const HAS_NO_LINES = 4;
/** Limit of the nesting of operands: a pair in a vector in an address in a list. */
export const MAX_OPERAND_DEPTH = 4;
/** Limit of the instructions in a function; more are rejected (`limit`). */
export const MAX_INSTRUCTIONS = 1 << 22;
/** Limit of the registers of a function of `bytes` bytes, so that few bytes cannot cause large allocations. */
export const registerLimit = (bytes: number): number => bytes + 64;
