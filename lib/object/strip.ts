// Removes data from code that only debuggers need (link --strip-debug): lines of instructions, .loc positions, and labels that
// only DWARF refers to. The names of registers stay.

import type { Code } from "../isa/code.js";
import { decodeFunction } from "./code/decode.js";
import { createFunctionEncoder } from "./code/encode.js";
import { FUNCTION_HEADER_SIZE, SLOT_SIZE } from "./code/slots.js";

export interface StrippedCode {
  readonly bytes: Uint8Array;
  /** The new offset of each symbol slot, by its old one. */
  readonly offsets: ReadonlyMap<number, number>;
}

/** Strips a function's code; undefined if it cannot be decoded. */
export type CodeStripper = (data: Uint8Array) => StrippedCode | undefined;

/** Returns a function that strips function after function in the same working memory. */
export function createCodeStripper(): CodeStripper {
  const encoders = [true, false].map((names) => createFunctionEncoder({ names, lines: false }));
  return (data) => {
    const decoded = decodeFunction(data);
    if (!decoded.ok) return undefined;
    const { code, slots, names } = decoded.value;
    const encode = encoders[names ? 0 : 1]!;
    const { bytes, slots: renumbered } = encode(strippedCode(code), (slot) => slots[slot]!.space);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const { symbol, offset } of renumbered)
      view.setBigUint64(offset, BigInt.asUintN(64, slots[symbol]!.word), true);
    const offsets = new Map(
      renumbered.map(({ symbol, offset }) => [FUNCTION_HEADER_SIZE + SLOT_SIZE * symbol, offset]),
    );
    return { bytes, offsets };
  };
}

/**
 * Code without positions of instructions, and without labels that no instruction uses, which mark places for DWARF: $L__tmp3. If
 * there are several labels at a target, the text uses the first.
 */
export function strippedCode(code: Code): Code {
  const targets = new Set(code.branchTargets.flatMap((table) => table.targets));
  for (const { operands } of code.instructions)
    for (const operand of operands) if (operand?.kind === "label") targets.add(operand.target);
  return { ...code, labels: code.labels.filter(({ target }) => targets.delete(target)), locations: [] };
}
