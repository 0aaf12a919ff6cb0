// C++ objects as nodes of a variable list; members and elements are computed when a node is expanded.

import { plainName } from "../../base/source-name.js";
import { assign } from "../assign.js";
import { ExpressionError } from "../expression.js";
import type { Result, ValueResult, SourceObject } from "../result.js";
import { parseValue, valueText } from "../values.js";
import type { VariableNode } from "../variable-node.js";
import { elementAt, memberIn, pointee, referred, resultOf, spaceText } from "./objects.js";
import type { Member, PointerType, ScalarType, SourceType, StructType } from "./types.js";

/** Largest number of elements or members in a node's text. */
const SHOWN = 8;

/** Nesting levels of objects in a node's text. */
const SHOWN_LEVELS = 2;

/** `label`: the name in the list. */
export function objectNode(object: SourceObject, hex: boolean, label = object.name): VariableNode {
  return nodeOf(object, hex, label, 0);
}

function nodeOf(written: SourceObject, hex: boolean, label: string, level: number): VariableNode {
  const object = attempt(() => referred(written));
  const isNamed = written.isHidden !== true;
  const common = { name: label, type: written.type.name, ...(isNamed && { expression: written.name }) };
  if (typeof object === "string") return { ...common, value: unavailable(written, object) };
  const { type, place } = object;
  const address = place.kind === "memory" ? { address: place.address, context: object.context } : {};
  if (place.kind === "none") return { ...common, value: place.why };
  switch (type.kind) {
    case "struct":
      return { ...common, ...address, value: structText(object, type, hex, level), ...members(object, type, hex) };
    case "array":
      return { ...common, ...address, ...elements(object, hex, level) };
    case "other":
      return { ...common, ...address, value: type.size === 0 ? `of type ${type.name}` : `${type.size} bytes` };
    case "scalar":
    case "pointer":
    case "reference": {
      const result = attempt(() => resultOf(object));
      if (typeof result === "string") return { ...common, value: unavailable(object, result) };
      return { ...common, ...address, ...valueNode(result as ValueResult, object, hex) };
    }
  }
}

/** Returns the result, or the message of an ExpressionError. */
function attempt<T extends object>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

const unavailable = ({ place }: SourceObject, message: string): string => (place.kind === "none" ? place.why : message);

function valueNode(result: ValueResult, object: SourceObject, hex: boolean): Omit<VariableNode, "name" | "type"> {
  const { value, declared } = result;
  const text = declaredText(result, object, hex);
  if (declared?.kind === "pointer") {
    const children = pointerChildren(result, declared, object, hex);
    return { value: text, address: Number(value.bits), context: object.context, ...children, ...setter(result) };
  }
  return { value: text, ...setter(result) };
}

/** The setter of a value with a place; bit fields and constants have none. */
const setter = (result: ValueResult): Pick<VariableNode, "set"> =>
  result.place === undefined
    ? {}
    : { set: (text) => assign(result, { type: result.value.type, bits: parsed(result, text) }) };

function parsed({ value, declared }: ValueResult, text: string): bigint {
  const word = text.trim();
  if (declared?.kind === "scalar") {
    const enumerator = declared.enumerators?.find(({ name }) => name === word || plainName(name) === word);
    if (enumerator !== undefined) return enumerator.bits;
    if (declared.meaning === "bool" && /^(true|false)$/.test(word)) return word === "true" ? 1n : 0n;
  }
  const bits = parseValue(value.type, text);
  if (bits === undefined)
    throw new ExpressionError(`'${text}' is not a value of ${declared?.name ?? `.${value.type.name}`}`);
  return bits;
}

/** A value as text of its C++ type. */
export function declaredText(
  { value, declared }: ValueResult,
  { context }: Pick<SourceObject, "context">,
  hex: boolean,
): string {
  const text = valueText(value, hex);
  if (declared === undefined) return text;
  if (declared.kind === "pointer")
    return value.bits === 0n ? "0x0" : `0x${value.bits.toString(16)} (${spaceText(value.bits, context)})`;
  return declared.kind === "scalar" ? scalarText(value.bits, text, declared) : text;
}

function scalarText(bits: bigint, text: string, { meaning, enumerators }: ScalarType): string {
  if (enumerators !== undefined) {
    const name = enumerators.find((each) => each.bits === bits)?.name;
    return name === undefined ? text : `${name} (${text})`;
  }
  if (meaning === "bool") return bits === 0n ? "false" : bits === 1n ? "true" : `true (${bits})`;
  const isShown = meaning === "character" && bits >= 0x20n && bits < 0x7fn;
  return isShown ? `${text} '${String.fromCharCode(Number(bits))}'` : text;
}

// ------------------------------------------------------------------------------------------------------------- children

function structText(object: SourceObject, type: StructType, hex: boolean, level: number): string {
  if (level > SHOWN_LEVELS) return "{…}";
  const all = type.members();
  const shown = all
    .slice(0, SHOWN)
    .map((member) => nodeOf(memberIn(object, member), hex, labelOf(member), level + 1))
    .map(({ name, value }) => `${name} = ${value}`);
  return `{${[...shown, ...(all.length > SHOWN ? ["…"] : [])].join(", ")}}`;
}

/** The label of a member; a base class is labelled by its type. */
const labelOf = ({ name, type }: Member): string => name ?? type().name;

function members(object: SourceObject, type: StructType, hex: boolean): Pick<VariableNode, "named" | "children"> {
  const all = type.members();
  return {
    named: all.length,
    children: (start, count) =>
      all.slice(start, start + count).map((member) => {
        const node = nodeOf(memberIn(object, member), hex, labelOf(member), 0);
        // An expression cannot name a base class.
        return member.name === undefined ? { ...node, expression: undefined } : node;
      }),
  };
}

function elements(object: SourceObject, hex: boolean, level: number): Omit<VariableNode, "name" | "type"> {
  const count = object.type.kind === "array" ? (object.type.count ?? 0) : 0;
  const at = (index: number, depth: number): readonly VariableNode[] => {
    const element = elementAt(object, index);
    return element === undefined ? [] : [nodeOf(element, hex, `[${index}]`, depth)];
  };
  const shown =
    level > SHOWN_LEVELS
      ? []
      : Array.from({ length: Math.min(count, SHOWN) }, (_, i) => at(i, level + 1))
          .flat()
          .map(({ value }) => value);
  return {
    value: `{${[...shown, ...(count > shown.length ? ["…"] : [])].join(", ")}}`,
    indexed: count,
    children: (start, wanted) =>
      Array.from({ length: Math.max(0, Math.min(wanted, count - start)) }, (_, i) => at(start + i, 0)).flat(),
  };
}

/** The children of a pointer: the members of the structure it points to, or the one value. */
function pointerChildren(
  { value }: ValueResult,
  declared: PointerType,
  { name, context, isHidden }: SourceObject,
  hex: boolean,
): Pick<VariableNode, "named" | "children"> {
  if (value.bits === 0n || isOpaque(declared.target())) return {};
  const target: SourceObject = { ...pointee(value, declared, context, `(*${name})`), ...(isHidden && { isHidden }) };
  return target.type.kind === "struct"
    ? members(target, target.type, hex)
    : { named: 1, children: (start, count) => (start > 0 || count < 1 ? [] : [nodeOf(target, hex, `*${name}`, 0)]) };
}

const isOpaque = ({ kind }: SourceType): boolean => kind === "other";

/** The node of an expression's result; `name` is the expression. */
export function sourceResultNode(
  result: Exclude<Result, { readonly kind: "memory" }>,
  context: SourceObject["context"],
  hex: boolean,
  name: string,
): VariableNode {
  if (result.kind === "object") return objectNode({ ...result.object, name }, hex);
  const object: SourceObject = {
    name,
    type: result.declared!,
    place: { kind: "bytes", bytes: new Uint8Array() },
    context,
  };
  const { place } = result;
  return {
    name,
    type: result.declared!.name,
    context,
    ...(place?.kind === "memory" ? { address: place.address } : {}),
    ...valueNode(result, object, hex),
  };
}
