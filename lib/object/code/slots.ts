// Symbol slots: how code refers to symbols. `.text.<function>` begins with one 8-byte word per symbol that the function
// refers to, and operands name a slot's index; relocations target the words. The linker and the loader patch words of a
// fixed size, and the variable-length instructions never change. docs/format.md, "Encoded functions".
// Rejected: relocations inside the instruction stream, because a patched variable-length integer would move what follows.

/** What a slot's symbol is, which decides what its word holds once it is patched. */
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

/** A slot as the encoder makes it: `symbol` is what the operands of the unencoded code called it. */
export interface NewSlot extends SymbolSlot {
  readonly symbol: number;
}

/** A slot as stored in a file: `word` is 0 until the linker or the loader has patched it. */
export interface StoredSlot extends SymbolSlot {
  readonly word: bigint;
}

/** The bytes "PTXc" as a little-endian word. */
export const FUNCTION_MAGIC = 0x63585450;
/** Of the encoding of functions; readers refuse others. Functions without lines are of the second, all others of the first. */
export const FUNCTION_VERSION = 1;
export const LINELESS_VERSION = 2;
/** Bytes in front of the first slot. */
export const FUNCTION_HEADER_SIZE = 16;
export const SLOT_SIZE = 8;
/** Header flag: names of registers, frame variables, labels and tables are kept. */
export const HAS_NAMES = 1;
/** Header flag: a list of the module's registers that the function uses follows the frame variables. */
export const HAS_MODULE_REGISTERS = 2;
/** Header flag: no instruction has a line or a location (link --strip-debug). */
export const HAS_NO_LINES = 4;
/** Operands nest at most this deep: a pair in a vector in an address in a list. */
export const MAX_OPERAND_DEPTH = 4;
/** More instructions than this in one function are refused (`limit`). */
export const MAX_INSTRUCTIONS = 1 << 22;
/** Registers that a function of `bytes` bytes may have, so that few bytes cannot ask for much memory. */
export const registerLimit = (bytes: number): number => bytes + 64;
