// Attributes of functions, parameters and results: where, and for which types, each is valid (NVVM IR 1.0 sections 3.9 and
// 3.11; LLVM Language Reference).

import type { Attribute, Function } from "../ir/global.js";
import type { CallInstruction } from "../ir/instruction.js";
import { typeText, type Type } from "../ir/type.js";
import type { Reporter } from "./facts.js";
import { elementOf } from "./types.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Attributes of functions and calls only. */
const functionOnly = words(
  `address_safety alwaysinline alignstack argmemonly builtin cold convergent hot inaccessiblememonly
  inaccessiblemem_or_argmemonly inlinehint jumptable minsize mustprogress naked nobuiltin nocallback noduplicate
  noimplicitfloat noinline nomerge nonlazybind noprofile norecurse noredzone noreturn nosync nounwind
  null_pointer_is_valid optnone optsize returns_twice safestack sanitize_address sanitize_memory sanitize_thread
  speculatable ssp sspreq sspstrong strictfp uwtable willreturn`,
);

/** Attributes of parameters and results only, by their types. */
const integers = words("zeroext signext");
const pointers = words(
  "byval byref sret nest noalias nocapture nonnull captures dereferenceable dereferenceable_or_null preallocated inalloca swifterror",
);
const anyValue = words("inreg returned noundef immarg swiftself nofpclass range align elementtype");
const parameterOnly = words(
  "byval byref sret nest returned nocapture captures immarg preallocated inalloca swiftself swifterror",
);

/** Pairs that exclude each other on a function, or on a parameter. */
const functionPairs = pairsOf(
  "noinline alwaysinline, readnone readonly, readnone writeonly, readonly writeonly, optnone optsize, optnone minsize",
);
const valuePairs = pairsOf(
  "zeroext signext, readnone readonly, readnone writeonly, readonly writeonly, byval sret, byval inalloca, byval nest, byval inreg, byval byref",
);

function pairsOf(text: string): readonly (readonly [string, string])[] {
  return text.split(", ").map((pair) => pair.split(" ") as [string, string]);
}

function checkPairs(
  attributes: readonly Attribute[],
  pairs: readonly (readonly [string, string])[],
  reporter: Reporter,
): void {
  if (attributes.length < 2) return;
  const names = new Map(attributes.map((attribute) => [attribute.name, attribute] as const));
  for (const [first, second] of pairs) {
    const other = names.get(second);
    if (other !== undefined && names.has(first)) reporter.report("attribute-pair", other, [first, second]);
  }
}

/** NVVM IR 1.0 section 3.11, "not supported". */
const refusedFirst = words(
  "address_safety alignstack nonlazybind naked noimplicitfloat noredzone returns_twice ssp sspreq uwtable",
);

function checkFunctionAttributes(attributes: readonly Attribute[], reporter: Reporter): void {
  checkPairs(attributes, functionPairs, reporter);
  for (const attribute of attributes) {
    const { name, text } = attribute;
    if (text !== undefined) continue;
    if (refusedFirst.has(name)) reporter.report("function-attribute", attribute, [name]);
    else if (integers.has(name) || pointers.has(name) || (anyValue.has(name) && name !== "align"))
      reporter.report("attribute-place", attribute, [name, "a function"], {
        remedy: "write it before the parameter's name or the result's type",
      });
  }
}

/** One parameter's or the result's. */
function checkValueAttributes(
  attributes: readonly Attribute[],
  type: Type,
  isResult: boolean,
  reporter: Reporter,
): void {
  const element = elementOf(type);
  const what = isResult ? "a result" : "a parameter";
  for (const attribute of attributes) {
    const { name, text } = attribute;
    if (text !== undefined) continue;
    const wrong = (of: string): void =>
      void reporter.report("attribute-type", attribute, [name, of, typeText(type)], { remedy: "leave it out" });
    if (functionOnly.has(name))
      reporter.report("attribute-place", attribute, [name, what], { remedy: "write it after the parameters" });
    else if (isResult && parameterOnly.has(name))
      reporter.report("attribute-place", attribute, [name, what], { remedy: "leave it out" });
    else if (integers.has(name) && element.kind !== "integer") wrong("integers");
    else if (pointers.has(name) && element.kind !== "pointer") wrong("pointers");
    else if (name === "align" && element.kind !== "pointer") wrong("pointers");
  }
  checkPairs(attributes, valuePairs, reporter);
}

/** A function's, or a call's. */
export function checkSignatureAttributes(of: Function | CallInstruction, reporter: Reporter): void {
  const type = of.kind === "function" ? of.valueType : of.functionType;
  if (of.resultAttributes.length > 0) checkValueAttributes(of.resultAttributes, type.result, true, reporter);
  for (let index = 0; index < of.argumentAttributes.length; index++) {
    const attributes = of.argumentAttributes[index]!;
    if (attributes.length === 0) continue;
    const parameter = type.parameters[index] ?? (of.kind === "function" ? undefined : of.operands[index]?.type);
    if (parameter !== undefined) checkValueAttributes(attributes, parameter, false, reporter);
  }
  if (of.attributes.length > 0) checkFunctionAttributes(of.attributes, reporter);
}
