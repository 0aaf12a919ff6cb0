// The pointee of a pointer operand.

import type { Type } from "../ir/type.js";
import { failExpected } from "./fault.js";
import type { Parser } from "./state.js";

/** The pointee of a typed pointer, or of a vector of them; otherwise reports the missing comma. */
export function pointeeOf(p: Parser, type: Type): Type {
  const pointer = type.kind === "vector" ? type.element : type;
  if (pointer.kind !== "pointer" || pointer.pointee === undefined) return failExpected(p, "',' and a pointer operand");
  return pointer.pointee;
}
