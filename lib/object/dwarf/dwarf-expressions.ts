// Finds out whether a location expression may refer to entries of `.debug_info`, which move if joining makes codes longer. DWARF
// 4 section 7.7.1. Later operations, most of which refer to a type's entry, count as references.

import { ByteReader } from "../../../formats/bytes/reader.js";
import { readVarU, readVarU64 } from "../../../formats/bytes/varint.js";

/** Kinds of operands: a number of bytes, "address" (as many as an address), LEB128, or a block. */
type Operand = number | "address" | "leb" | "block";

const OPERANDS: ReadonlyMap<number, readonly Operand[]> = new Map<number, readonly Operand[]>([
  [0x03, ["address"]], // addr
  [0x06, []], // deref
  ...[1, 2, 4, 8].flatMap((size, i): [number, [number]][] => [
    [0x08 + 2 * i, [size]], // const1u to const8s
    [0x09 + 2 * i, [size]],
  ]),
  [0x10, ["leb"]], // constu
  [0x11, ["leb"]], // consts
  ...range(0x12, 0x14, []),
  [0x15, [1]], // pick
  ...range(0x16, 0x22, []),
  [0x23, ["leb"]], // plus_uconst
  ...range(0x24, 0x27, []),
  [0x28, [2]], // bra
  ...range(0x29, 0x2e, []),
  [0x2f, [2]], // skip
  ...range(0x30, 0x6f, []), // lit0 to reg31
  ...range(0x70, 0x8f, ["leb"]), // breg0 to breg31
  [0x90, ["leb"]], // regx
  [0x91, ["leb"]], // fbreg
  [0x92, ["leb", "leb"]], // bregx
  [0x93, ["leb"]], // piece
  [0x94, [1]], // deref_size
  [0x95, [1]], // xderef_size
  ...range(0x96, 0x97, []), // nop, push_object_address
  ...range(0x9b, 0x9c, []), // form_tls_address, call_frame_cfa
  [0x9d, ["leb", "leb"]], // bit_piece
  [0x9e, ["block"]], // implicit_value
  [0x9f, []], // stack_value
]);

function range(first: number, last: number, operands: readonly Operand[]): [number, readonly Operand[]][] {
  return Array.from({ length: last - first + 1 }, (_, i) => [first + i, operands]);
}

/** Inside a decoder; `address`: bytes per address. */
export function mayNameEntries(expression: Uint8Array, address: number): boolean {
  const reader = new ByteReader(expression);
  while (reader.remaining > 0) {
    const operands = OPERANDS.get(reader.u8("operation"));
    if (operands === undefined) return true;
    for (const operand of operands)
      if (operand === "leb") readVarU64(reader, "operand");
      else if (operand === "block") reader.skip(readVarU(reader, "size of a value"), "value");
      else reader.skip(operand === "address" ? address : operand, "operand");
  }
  return false;
}
