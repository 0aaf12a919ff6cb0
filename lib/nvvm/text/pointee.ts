// What a pointer that an instruction takes points to.

import type { Type } from "../ir/type.js";
import { failExpected } from "./fault.js";
import type { Parser } from "./state.js";

/** What a typed pointer, or a vector of such, points to; the comma that is missing otherwise. */
export function pointeeOf(p: Parser, type: Type): Type {
  const pointer = type.kind === "vector" ? type.element : type;
  if (pointer.kind !== "pointer" || pointer.pointee === undefined) return failExpected(p, "',' and a pointer operand");
  return pointer.pointee;
}
