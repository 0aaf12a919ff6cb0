// Calls: arguments, valid callees, and !callalign (NVVM IR 1.0 sections 3.2.1, 8.8).

import type { Ranged } from "../../ptx/source-text.js";
import type { Attribute } from "../ir/global.js";
import type { CallInstruction } from "../ir/instruction.js";
import type { Metadata, MetadataNode } from "../ir/metadata.js";
import { typeText, type Type } from "../ir/type.js";
import { checkAssembly } from "./assembly.js";
import { checkSignatureAttributes } from "./attributes.js";
import type { Facts, Reporter } from "./facts.js";
import { reportForeign } from "./foreign.js";
import { checkIntrinsicCall } from "./intrinsic.js";
import { operandRange, tokenAt } from "./tokens.js";

/** Alignment in bytes of a parameter or result without annotations; undefined for types without a size. */
export function naturalAlign(
  type: Type,
  attributes: readonly Attribute[],
  { layout }: Pick<Facts, "layout">,
): number | undefined {
  const byValue = attributes.find(({ name }) => name === "byval");
  if (byValue === undefined) return layout.align(type);
  const written = attributes.find(({ name }) => name === "align")?.value;
  if (typeof written === "number") return written;
  const pointee = byValue.type ?? (type.kind === "pointer" ? type.pointee : undefined);
  return pointee === undefined ? undefined : layout.align(pointee);
}

export function checkCall(call: CallInstruction, reporter: Reporter): void {
  const { callee, functionType, operands, opcode } = call;
  if (opcode !== "call") return reportForeign(call, reporter);
  const { parameters, variadic } = functionType;
  const at = (): Ranged => (call.calleeStart > 0 ? tokenAt(reporter.module, call.calleeStart) : call);
  if (operands.length < parameters.length || (operands.length > parameters.length && !variadic))
    return void reporter.report("call-arguments", at(), [parameters.length, operands.length]);
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index]!;
    const { type } = operands[index]!;
    if (type !== parameter)
      reporter.report("call-argument", operandRange(reporter.module, call, index), [
        index + 1,
        typeText(type),
        typeText(parameter),
      ]);
  }
  checkSignatureAttributes(call, reporter);
  if (call.attachments.length > 0) checkCallAlign(call, reporter);
  if (callee.kind === "asm") return checkAssembly(call, callee, reporter);
  if (callee.type.kind !== "pointer")
    return void reporter.report("operand", at(), ["call", "a pointer to a function", typeText(callee.type)]);
  if (callee.kind !== "function") return;
  if (callee.name.startsWith("llvm.")) checkIntrinsicCall(call, callee, at, reporter);
  else if (reporter.kernels.has(callee)) reporter.report("kernel-call", at(), [callee.name]);
}

/** i32 fields by ascending position, 0 for the result; those of a direct call are redundant. */
function checkCallAlign(call: CallInstruction, reporter: Reporter): void {
  const node = call.attachments.find(({ name }) => name === "callalign")?.node;
  if (node === undefined) return;
  if (node?.kind !== "node") return void reporter.report("callalign", call, ["it must be a node of i32"]);
  let last = -1;
  for (const operand of node.operands) {
    const at = rangeOf(operand, node);
    const value =
      operand?.kind === "value" && operand.value.kind === "integer" ? Number(operand.value.value) : undefined;
    if (value === undefined) return void reporter.report("callalign", at, ["each field must be an i32"]);
    const position = value >>> 16;
    const fault = position <= last ? "positions must ascend" : alignFault(call, position, value & 0xffff, reporter);
    if (fault !== undefined) return void reporter.report("callalign", at, [fault]);
    last = position;
  }
}

const rangeOf = (metadata: Metadata, node: MetadataNode): Ranged =>
  metadata === null || metadata.start === 0 ? node : metadata;

function alignFault(call: CallInstruction, position: number, bytes: number, reporter: Reporter): string | undefined {
  if (bytes === 0 || (bytes & (bytes - 1)) !== 0) return `${bytes} is not a power of two`;
  const { result } = call.functionType;
  const type = position === 0 ? result : call.operands[position - 1]?.type;
  if (type === undefined || type.kind === "void")
    return position === 0 ? "there is no result" : `there is no argument ${position}`;
  const attributes = position === 0 ? call.resultAttributes : (call.argumentAttributes[position - 1] ?? []);
  const natural = naturalAlign(type, attributes, reporter);
  const isAggregate = type.kind === "struct" || type.kind === "array" || type.kind === "vector";
  const { callee } = call;
  // An indirect call specifies it alone; a direct one must agree with the function.
  if (isAggregate && callee.kind !== "function") return undefined;
  const annotated = callee.kind === "function" ? reporter.alignments.get(callee)?.get(position) : undefined;
  const wanted = annotated ?? natural;
  return wanted === undefined || wanted === bytes ? undefined : `the alignment of ${typeText(type)} is ${wanted}`;
}
