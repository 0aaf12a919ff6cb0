// Signatures of the intrinsic table (row.ts), parsed and compared with a function's type.

import type { FloatName, FunctionType, Type } from "../ir/type.js";

export interface TypeRule {
  /** `i32`, `ptr3`, `F`, `I.i1`. */
  readonly text: string;
  /** Must be a constant. */
  readonly constant: boolean;
  readonly optional: boolean;
}

export interface Signature {
  /** More than one: a structure. */
  readonly results: readonly TypeRule[];
  readonly parameters: readonly TypeRule[];
  /** Ends in `...`. */
  readonly open: boolean;
}

export function parseSignature(text: string): Signature {
  const paren = text.indexOf("(");
  const results = text.slice(0, paren).trim();
  const list = rulesOf(text.slice(paren + 1, text.lastIndexOf(")")));
  const open = list.at(-1)?.text === "...";
  return {
    results: results === "void" ? [] : rulesOf(results.replace(/^\{|\}$/g, "")),
    parameters: open ? list.slice(0, -1) : list,
    open,
  };
}

function rulesOf(list: string): readonly TypeRule[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .flatMap((item) => {
      const [, word, count] = /^([^*]*?)(?:\*(\d+))?$/.exec(item)!;
      const text = word!.replace(/[!?]$/, "");
      const rule = { text, constant: word!.endsWith("!"), optional: word!.endsWith("?") };
      return Array.from({ length: count === undefined ? 1 : Number(count) }, () => rule);
    });
}

const floatNames: Readonly<Record<string, FloatName>> = { f16: "half", bf16: "bfloat", f32: "float", f64: "double" };

const elementOf = (type: Type): Type => (type.kind === "vector" ? type.element : type);

/** The IR spelling of a type of the table, for messages. */
function ruleText({ text }: TypeRule): string {
  if (/^[sub]\d+$/.test(text)) return `i${text.slice(1)}`;
  if (text in floatNames) return floatNames[text]!;
  const vector = /^v(\d+)(.*)$/.exec(text);
  if (vector !== null) return `<${vector[1]} x ${ruleText({ text: vector[2]!, constant: false, optional: false })}>`;
  const pointer = /^ptr(\d*)$/.exec(text);
  if (pointer !== null) return pointer[1] === "" ? "a pointer" : `a pointer to addrspace(${pointer[1]})`;
  const variable = /^([IJFGVWPQNSTXYUZ])(?:\.(.*))?$/.exec(text);
  if (variable === null) return text;
  if (variable[2] !== undefined) return `the type that goes with the others (${variable[2]} elements)`;
  const named = variableTexts[text];
  if (named !== undefined) return named;
  if ("IJ".includes(text)) return "an integer or a vector of integers";
  if ("FG".includes(text)) return "a floating-point type or a vector of it";
  return "PQ".includes(text) ? "a pointer" : "a type with a size";
}

const variableTexts: Readonly<Record<string, string>> = {
  N: "an integer",
  S: "one pointer",
  T: "one pointer",
  X: "a vector of integers",
  Y: "a vector of floating-point numbers",
  U: "a vector",
  Z: "a vector",
};

const variableKinds: Readonly<Record<string, (type: Type) => boolean>> = {
  I: (type) => elementOf(type).kind === "integer",
  J: (type) => elementOf(type).kind === "integer",
  F: (type) => elementOf(type).kind === "float",
  G: (type) => elementOf(type).kind === "float",
  V: (type) => type.kind !== "void" && type.kind !== "function" && type.kind !== "label",
  W: (type) => type.kind !== "void" && type.kind !== "function" && type.kind !== "label",
  P: (type) => elementOf(type).kind === "pointer",
  Q: (type) => elementOf(type).kind === "pointer",
  N: (type) => type.kind === "integer",
  S: (type) => type.kind === "pointer",
  T: (type) => type.kind === "pointer",
  X: (type) => type.kind === "vector" && type.element.kind === "integer",
  Y: (type) => type.kind === "vector" && type.element.kind === "float",
  U: (type) => type.kind === "vector",
  Z: (type) => type.kind === "vector",
};

/** Whether the type matches the rule; binds and compares type variables. */
function matchesRule(type: Type, { text }: TypeRule, bound: Map<string, Type>): boolean {
  const integer = /^[isub](\d+)$/.exec(text);
  if (integer !== null) return type.kind === "integer" && type.bits === Number(integer[1]);
  if (text in floatNames) return type.kind === "float" && type.name === floatNames[text];
  const vector = /^v(\d+)(.*)$/.exec(text);
  if (vector !== null)
    return (
      type.kind === "vector" &&
      type.count === Number(vector[1]) &&
      matchesRule(type.element, { text: vector[2]!, constant: false, optional: false }, bound)
    );
  const pointer = /^ptr(\d*)$/.exec(text);
  if (pointer !== null)
    return (
      type.kind === "pointer" &&
      (pointer[1] === "" || type.space === Number(pointer[1]) || (pointer[1] === "3" && type.space === 7))
    );
  const variable = /^([IJFGVWPQNSTXYUZ])(?:\.(.*))?$/.exec(text);
  if (variable === null) return type.kind === text;
  return matchesVariable(type, variable[1]!, variable[2], bound);
}

function matchesVariable(type: Type, letter: string, element: string | undefined, bound: Map<string, Type>): boolean {
  const known = bound.get(letter);
  if (element === undefined) {
    if (known !== undefined) return known === type;
    bound.set(letter, type);
    return variableKinds[letter]!(type);
  }
  if (known === undefined) return true;
  if (element === "element") return type === elementOf(known);
  const rule = { text: element, constant: false, optional: false };
  if (known.kind !== "vector") return matchesRule(type, rule, bound);
  return type.kind === "vector" && type.count === known.count && matchesRule(type.element, rule, bound);
}

/** Where a function's type differs from a signature. */
export type SignatureFault =
  | { readonly kind: "count"; readonly wanted: number; readonly found: number }
  | { readonly kind: "result"; readonly wanted: string }
  | { readonly kind: "parameter"; readonly index: number; readonly wanted: string };

/** Undefined if the type matches; `bound` then has the type of each variable. */
export function signatureFault(
  type: FunctionType,
  signature: Signature,
  bound = new Map<string, Type>(),
): SignatureFault | undefined {
  const { parameters, results, open } = signature;
  const least = parameters.filter(({ optional }) => !optional).length;
  const found = type.parameters.length;
  if (found < least || (found > parameters.length && !open)) return { kind: "count", wanted: parameters.length, found };
  // Parameters bind before the result: a result's type may depend on a parameter's.
  const late: number[] = [];
  for (const [index, parameter] of type.parameters.entries()) {
    const rule = parameters[index];
    if (rule === undefined) break;
    const variable = /^([IJFGVWPQNSTXYUZ])\./.exec(rule.text);
    if (variable !== null && !bound.has(variable[1]!)) late.push(index);
    else if (!matchesRule(parameter, rule, bound)) return { kind: "parameter", index, wanted: ruleText(rule) };
  }
  const made: readonly Type[] =
    type.result.kind === "void"
      ? []
      : results.length > 1 && type.result.kind === "struct"
        ? (type.result.fields ?? [])
        : [type.result];
  const wanted = results.length === 1 ? ruleText(results[0]!) : `{ ${results.map(ruleText).join(", ")} }`;
  if (made.length !== results.length) return { kind: "result", wanted: results.length === 0 ? "void" : wanted };
  for (const [index, result] of made.entries())
    if (!matchesRule(result, results[index]!, bound)) return { kind: "result", wanted };
  for (const index of late)
    if (!matchesRule(type.parameters[index]!, parameters[index]!, bound))
      return { kind: "parameter", index, wanted: ruleText(parameters[index]!) };
  return undefined;
}
