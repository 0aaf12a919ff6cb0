// An object or image without what only debuggers and messages want: lines of instructions and .loc positions, the .file
// entries that these name, DWARF, and labels that nothing but DWARF names (link --strip-debug). What a program means and the names of its registers stay, and
// so do the lines of declarations, by which the next link tells modules apart in its messages.

import type { Code } from "../isa/code.js";
import { decodeFunction } from "./code/decode.js";
import { createFunctionEncoder } from "./code/encode.js";
import type { AppliedRelocation, ObjectFile, RelocObject, Section } from "./object.js";
import { FUNCTION_HEADER_SIZE, SLOT_SIZE } from "./code/slots.js";

export function stripDebug<T extends ObjectFile>(object: T): T {
  const strip = createCodeStripper();
  return {
    ...withoutDwarf(object),
    modules: object.modules.map((module) => ({
      ...module,
      files: [],
      targetOptions: module.targetOptions.filter((option) => option !== "debug"),
    })),
    sections: object.sections.map((section) => (section.role.kind === "text" ? stripText(section, strip) : section)),
  };
}

/** The same of the code alone in the sections that are wanted, by their numbers: for those who tell of a stripped image. */
export function stripCode(object: RelocObject, isWanted: (section: number) => boolean): RelocObject {
  const strip = createCodeStripper();
  const isCode = ({ role }: Section, i: number): boolean => role.kind === "text" && isWanted(i);
  return {
    ...object,
    sections: object.sections.map((section, i) => (isCode(section, i) ? stripText(section, strip) : section)),
  };
}

/** Unreadable code is not changed: running it reports the fault. */
function stripText(section: Section, strip: CodeStripper): Section {
  const stripped = strip(section.data ?? new Uint8Array());
  if (stripped === undefined) return section;
  const { bytes, offsets } = stripped;
  const move = <T extends AppliedRelocation>(relocations: readonly T[]): readonly T[] =>
    relocations.flatMap((relocation) => {
      const offset = offsets.get(relocation.offset);
      return offset === undefined ? [] : [{ ...relocation, offset }];
    });
  return {
    ...section,
    size: bytes.length,
    data: bytes,
    relocations: move(section.relocations),
    ...(section.applied === undefined ? {} : { applied: move(section.applied) }),
  };
}

export interface StrippedCode {
  readonly bytes: Uint8Array;
  /** Where each symbol slot is, by where it was. */
  readonly offsets: ReadonlyMap<number, number>;
}

/** Undefined for code that cannot be read. */
export type CodeStripper = (data: Uint8Array) => StrippedCode | undefined;

/** Strips function after function in the same working memory. */
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
 * Code without positions of instructions, and without labels that none of them names, which mark places for DWARF: $L__tmp3. Of
 * several at a target the text names the first.
 */
export function strippedCode(code: Code): Code {
  const targets = new Set(code.branchTargets.flatMap((table) => table.targets));
  for (const { operands } of code.instructions)
    for (const operand of operands) if (operand?.kind === "label") targets.add(operand.target);
  return { ...code, labels: code.labels.filter(({ target }) => targets.delete(target)), locations: [] };
}

function withoutDwarf<T extends ObjectFile>(object: T): T {
  const copy: { -readonly [Key in keyof T]: T[Key] } = { ...object };
  delete copy.debugSections;
  return copy;
}
