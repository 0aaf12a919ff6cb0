// Whether caller and callee pass values the same way, so that both find them in the same places. As in nvlink, bytes are compared
// by size, and numbers by size and by being a float. Names and alignments do not count.

import type { Layout, Parameter, Prototype } from "../../isa/code.js";
import { isPassedAsFloat } from "../../object/attributes/signature.js";
import { parameterText } from "../model/describe.js";

/** The first difference as text: "with .f32 as parameter 1 here and .u32 there". */
export const passingDifference = (here: Prototype, there: Prototype): string | undefined =>
  listDifference("parameter", here.parameters, there.parameters) ??
  listDifference("result", here.returns, there.returns);

function listDifference(word: string, a: readonly Parameter[], b: readonly Parameter[]): string | undefined {
  if (a.length !== b.length) return `with ${a.length} ${word}${a.length === 1 ? "" : "s"} here and ${b.length} there`;
  const i = a.findIndex((parameter, at) => !passedAlike(parameter.layout, b[at]!.layout));
  return i === -1
    ? undefined
    : `with ${parameterText(a[i]!)} as ${word} ${i + 1} here and ${parameterText(b[i]!)} there`;
}

/** Whether two parameters are passed the same way: bytes by size, numbers by size and by being a float. */
function passedAlike(a: Layout, b: Layout): boolean {
  const isArray = ({ dimensions }: Layout): boolean => dimensions.length > 0;
  if (a.size !== b.size || isArray(a) !== isArray(b)) return false;
  return isArray(a) || isPassedAsFloat(a.type, a.vector) === isPassedAsFloat(b.type, b.vector);
}
