// Inline assembly, a constant of bitcode: flags, its text, its constraints.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitRecord } from "../../../formats/bitstream/index.js";
import type { Type } from "../ir/type.js";
import type { InlineAssembly } from "../ir/value.js";
import { constantCode } from "./codes.table.js";
import { field, fieldText, typeAt, type ModuleState } from "./state.js";

const flagBit = { sideEffect: 1, alignStack: 2, intelDialect: 4, unwind: 8 } as const;

/** The newest form contains its function type; in older ones the pointee of their type is the function type. */
export function readAssembly(record: BitRecord, type: Type, state: ModuleState): InlineAssembly {
  const { start, end } = record;
  let at = 0;
  let functionType = type.kind === "pointer" ? type.pointee : undefined;
  if (record.code === constantCode.assembly) functionType = typeAt(state, field(record, at++, "type"), start);
  if (functionType?.kind !== "function") return malformed("malformed", start, "inline assembly that is not a function");
  const flags = field(record, at++, "flags");
  const has = (bit: number): boolean => (flags & bit) !== 0;
  const text = (what: string): string => {
    const size = field(record, at++, `size of the ${what}`);
    if (!(size <= record.values.length - at)) malformed("malformed", start, `inline assembly ends in its ${what}`);
    at += size;
    return fieldText(record, at - size, at);
  };
  const assembly = text("text");
  return {
    kind: "asm",
    type: type.kind === "function" ? state.table.pointer(0) : type,
    functionType,
    text: assembly,
    constraints: text("constraints"),
    sideEffect: has(flagBit.sideEffect),
    alignStack: has(flagBit.alignStack),
    intelDialect: record.code !== constantCode.assembly1 && has(flagBit.intelDialect),
    unwind: has(flagBit.unwind),
    textStart: undefined,
    start,
    end,
  };
}
