// Properties of relocation types, by type: columns of formats/cuda/relocations.table.ts for the assembler, the linker, the loader
// and the printer. docs/format.md, "Relocations".

import { ADDRESSES, RELOCATIONS, relocationFacts, type AddressName, type Pointee } from "../../formats/cuda/index.js";
import type { CheckedModule, Fixup, ModuleSymbol } from "../check/module.js";

/** Bits that a type writes: all 64 of an address, the 32 of 32-bit modules, or one byte. */
type Bits = 64 | 32 | 8;

/** The types by address, bits, and number of the byte (0 if all of the address is written). */
const typesOf: ReadonlyMap<string, number> = new Map(
  RELOCATIONS.flatMap(({ value, writes, fields, shift }) =>
    writes === undefined ? [] : [[`${writes} ${fields[0]![1]} ${shift / 8}`, value] as const],
  ),
);
const typeOf = (address: AddressName, bits: number, byte: number): number => typesOf.get(`${address} ${bits} ${byte}`)!;

/** Whether ptxkit's objects and images use this type for relocations in data; those in code are all R_CUDA_64. */
export const isHolderType = (type: number): boolean => relocationFacts(type)?.writes !== undefined;

const TYPES = 256;

/** A column for the types below 256; `of` computes the value for types that write an address. */
function column(
  none: number,
  of: (address: AddressName, bits: Bits, byte: number, type: number) => number,
): Int16Array {
  return Int16Array.from({ length: TYPES }, (_, type) => {
    const facts = relocationFacts(type);
    if (facts?.writes === undefined) return none;
    return of(facts.writes, facts.fields[0]![1] as Bits, facts.shift / 8, type);
  });
}

/** In place of a byte number: all bytes of an address. */
export const WHOLE = 8;

/** The byte of the address that a type writes, or WHOLE. */
export const BYTE_OF: Int16Array = column(WHOLE, (_, bits, byte) => (bits === 8 ? byte : WHOLE));

/** The same if the linker applies the type once it knows the offset; -1 if the loader always does. */
export const LINKED_BYTE: Int16Array = column(-1, (address, bits, byte) =>
  !ADDRESSES[address].isLinked ? -1 : bits === 8 ? byte : WHOLE,
);

/** The type in an image for a type in an object: an image has one kind of address for functions. */
export const IMAGE_TYPE: Int16Array = column(0, (address, bits, byte) =>
  typeOf(ADDRESSES[address].inImage, bits, byte),
);

const NARROW = column(0, (address, bits, byte, type) => (bits === 64 ? typeOf(address, 32, byte) : type));

/** The type that writes the low 32 bits of what `type` writes; byte types are unchanged. */
export const narrowType = (type: number): number => NARROW[type]!;

/** The bits of `address`, in its own state space or generic, that a type writes: all of them, or one byte. */
export function writtenValue(type: number, address: bigint): bigint {
  const value = BigInt.asUintN(64, address);
  const byte = BYTE_OF[type]!;
  return byte === WHOLE ? value : (value >> BigInt(8 * byte)) & 0xffn;
}

/** Writes the lowest `width` bytes of a value. */
export function writeHolder(data: Uint8Array, offset: number, width: number, value: bigint): void {
  let rest = value;
  for (let i = 0; i < width; i++) {
    data[offset + i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
}

function pointeeOf(target: ModuleSymbol, kind: Fixup["kind"]): Pointee {
  switch (target.kind) {
    case "variable":
      return target.space !== "const" ? "global" : kind === "address" ? "const" : "generic-const";
    case "reference":
      return "opaque";
    case "function":
      return target.entry ? "kernel" : "function";
  }
}

/** Latest first: if two addresses fit, the later one is used. */
const addressNames = (Object.keys(ADDRESSES) as readonly AddressName[]).toSorted(
  (a, b) => ADDRESSES[b].since - ADDRESSES[a].since,
);

/**
 * The relocation type of `fixup`, whose symbol is `target`. It depends on the kind of the target, and on the width of the holder
 * only in modules with 32-bit addresses. (Observed in output of ptxas 13.0 -c.)
 */
export function fixupType(
  fixup: Fixup,
  target: ModuleSymbol,
  { target: { sm }, addressSize }: Pick<CheckedModule, "target" | "addressSize">,
): number {
  const pointee: string = pointeeOf(target, fixup.kind);
  const fits = (name: AddressName): boolean =>
    ADDRESSES[name].since <= sm && ADDRESSES[name].pointees.some((other) => other === pointee);
  const address = addressNames.find(fits)!;
  if (fixup.byte !== undefined) return typeOf(address, 8, fixup.byte);
  return typeOf(address, addressSize === 32 && fixup.width === 4 ? 32 : 64, 0);
}
