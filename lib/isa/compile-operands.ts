// Parses the operand part of a row (form.ts has the language): a recursive-descent parser over one line.

import { assert, InternalError } from "../base/assert.js";
import { compileCondition } from "./conditions.js";
import {
  slotNamed,
  type CountRule,
  type OperandKind,
  type OperandSpec,
  type Row,
  type Slot,
  type TypeRule,
} from "./form.js";
import { noRequirement, parseRequirement } from "./requirement.js";
import { typeRules } from "./rules.js";
import { selectorSets } from "./selectors.js";
import { dataType } from "./types.table.js";

const places: ReadonlySet<string> = new Set(["label", "labels", "callee", "prototype", "symbol"]);
const written: ReadonlySet<string> = new Set(["d", "p", "q"]);

/** Marks before the name, each at most once and in this order. */
const markPattern = /^(\{!\})?(\{-\})?(\{_\})?([%&^+$#])?/;

/** name, {.selector}, :type, > or !, *count, =values, ?condition, @requirement. */
const operandPattern =
  /^(_|[a-z][a-zA-Z0-9]*)(?:\{\.([a-z0-9]+)\})?(?::(@?[a-zA-Z0-9._]+))?([>!])?(?:\*(~?)([a-z0-9]+))?(?:=(>?[0-9.,/-]*[0-9]))?(?:(\?\??)([a-zA-Z0-9:!=|_&]+))?(?:@([0-9.]+(?::sm_[0-9]+[af]?)?))?/;

/** The text of a row's operands, and the position in it. */
interface OperandText {
  readonly row: Row;
  readonly slots: readonly Slot[];
  readonly text: string;
  at: number;
}

/** Parses "d, [a]{, pol:b64?hint}". */
export function compileOperands(row: Row, slots: readonly Slot[], text: string): readonly OperandSpec[] {
  const from: OperandText = { row, slots, text, at: 0 };
  // "{, b}" after an operand, "{(d), }" before one.
  const operands: OperandSpec[] = [];
  for (skipBlanks(from); from.at < text.length; skipBlanks(from)) {
    const isOptional = /^\{(?![!_-]\})/.test(text.slice(from.at));
    if (isOptional) from.at++;
    skip(from, ",");
    operands.push(readOperand(from, isOptional));
    if (isOptional) {
      skip(from, ",");
      expect(from, "}");
    }
  }
  return operands;
}

function broken({ row, text, at }: OperandText): never {
  throw new InternalError(`isa row ${row.id}: cannot read operands at '${text.slice(at)}'`);
}

function skipBlanks(from: OperandText): void {
  while (from.text[from.at] === " ") from.at++;
}

function skip(from: OperandText, token: string): boolean {
  skipBlanks(from);
  if (!from.text.startsWith(token, from.at)) return false;
  from.at += token.length;
  return true;
}

function expect(from: OperandText, token: string): void {
  if (!skip(from, token)) broken(from);
}

function checkSelector({ row }: OperandText, selector: string | undefined): void {
  assert(selector === undefined || selector in selectorSets, `isa row ${row.id}: no selectors '${selector ?? ""}'`);
}

/** Parses an operand with its pair, in brackets or in parentheses. */
function readOperand(from: OperandText, isOptional: boolean): OperandSpec {
  if (skip(from, "[")) return readAddress(from, isOptional);
  if (skip(from, "(")) {
    const list = readSingle(from, isOptional, false);
    expect(from, ")");
    return { ...list, kind: "list", access: written.has(list.name) ? "write" : "read" };
  }
  const first = readSingle(from, isOptional, true);
  if (skip(from, "{|")) {
    const second = readSingle(from, false, true);
    expect(from, "}");
    return { ...first, pair: { spec: second, optional: true } };
  }
  if (skip(from, "|")) return { ...first, pair: { spec: readSingle(from, false, true), optional: false } };
  return first;
}

/** Parses the rest of "[a, {b}]{.x}" after its bracket. */
function readAddress(from: OperandText, isOptional: boolean): OperandSpec {
  const base = readSingle(from, isOptional, false);
  const rest: OperandSpec[] = [];
  while (!skip(from, "]")) {
    const isRestOptional = skip(from, "{,");
    if (!isRestOptional) expect(from, ",");
    rest.push(readSingle(from, isRestOptional, true));
    if (isRestOptional) expect(from, "}");
  }
  const suffix = /^\{\.([a-z]+)\}/.exec(from.text.slice(from.at));
  if (suffix !== null) from.at += suffix[0].length;
  const selector = suffix?.[1];
  checkSelector(from, selector);
  return { ...base, kind: "address", rest, ...(selector === undefined ? {} : { selector }) };
}

/** Parses one name with its marks, type, count, values and conditions. */
function readSingle(from: OperandText, isOptional: boolean, isTyped: boolean): OperandSpec {
  const { row, slots, text } = from;
  skipBlanks(from);
  const marks = markPattern.exec(text.slice(from.at))!;
  from.at += marks[0].length;
  const match = operandPattern.exec(text.slice(from.at)) ?? broken(from);
  from.at += match[0].length;
  const [, name, selector, ruleText, width, bare, countText, valuesText, demand, conditionText, needsText] = match;
  checkSelector(from, selector);
  const place = name === "_" ? "sink" : places.has(ruleText ?? "") ? (ruleText as OperandKind) : undefined;
  const [, not, minus, sink, mark] = marks;
  const writes = written.has(name!);
  const isRegister = mark === "$" || mark === "+" || (writes && isTyped);
  const isAny = place !== undefined || (!isTyped && ruleText === undefined);
  return {
    name: name!,
    kind: place ?? (mark === "#" ? "immediate" : isRegister ? "register" : "value"),
    access: !isTyped ? "read" : mark === "+" ? "read-write" : writes ? "write" : "read",
    type: isAny ? { kind: "any" } : typeRule(row, slots, ruleText),
    count: countText === undefined ? undefined : countRule(row, slots, countText),
    bare: bare === "~",
    optional: isOptional || conditionText !== undefined,
    condition: (conditionText?.split("&") ?? []).map((each) => compileCondition(`isa row ${row.id}`, slots, each)),
    demanded: demand === "?",
    needs: needsText === undefined ? noRequirement : parseRequirement(needsText),
    negatable: not !== undefined,
    signed: minus !== undefined,
    discardable: sink !== undefined,
    special: mark === "%",
    addressOf: mark === "&",
    functionOf: mark === "^",
    wider: width === ">",
    exact: width === "!",
    ...(valuesText === undefined ? {} : valuesOf(valuesText)),
    ...(selector === undefined ? {} : { selector }),
    rest: [],
  };
}

/** Parses values: ">0..1" for floats, or a valueSet. */
function valuesOf(text: string): Pick<OperandSpec, "values" | "floats" | "valuesText"> {
  const open = /^>(\d+)\.\.(\d+)$/.exec(text);
  if (open === null) return { values: valueSet(text), valuesText: valueWords(text) };
  const [least, most] = [Number(open[1]), Number(open[2])];
  return { floats: (value) => value > least && value <= most, valuesText: `above ${least} and up to ${most}` };
}

/** A test for the integers "4,8,16" or "24..256/8". */
function valueSet(text: string): (value: bigint) => boolean {
  const ranges = text.split(",").map((part) => {
    const match = /^(-?\d+)(?:\.\.(-?\d+))?(?:\/(\d+))?$/.exec(part);
    if (match === null) throw new InternalError(`cannot read values '${text}'`);
    return { from: BigInt(match[1]!), to: BigInt(match[2] ?? match[1]!), step: BigInt(match[3] ?? "1") };
  });
  return (value) => ranges.some(({ from, to, step }) => value >= from && value <= to && (value - from) % step === 0n);
}

/** "24..256/8" as text: "24 to 256 in steps of 8". */
function valueWords(text: string): string {
  const parts = text
    .split(",")
    .map((part) => part.replace(/^(-?\d+)\.\.(-?\d+)/, "$1 to $2").replace(/\/(\d+)$/, " in steps of $1"));
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")} or ${parts.at(-1)!}`;
}

/** The slot of the default operand type: `type`, or the only slot whose choices are all types. */
function defaultTypeSlot(slots: readonly Slot[]): number {
  const named = slotNamed(slots, "type");
  if (named >= 0) return named;
  const typed = slots.flatMap((slot, i) => (isTypeSlot(slot) ? [i] : []));
  return typed.length === 1 ? typed[0]! : -1;
}

const isTypeSlot = (slot: Slot): boolean => slot.choices.every((choice) => dataType(choice.text) !== undefined);

function typeRule(row: Row, slots: readonly Slot[], text: string | undefined): TypeRule {
  if (text === "any") return { kind: "any" };
  if (text?.startsWith("@") === true) {
    const rule = text.slice(1);
    assert(Object.hasOwn(typeRules, rule), `isa row ${row.id}: no rule '${rule}'`);
    return { kind: "rule", rule };
  }
  if (text === undefined || text === "wide" || text === "bits" || text === "split") {
    const slot = defaultTypeSlot(slots);
    assert(slot >= 0, `isa row ${row.id}: an operand has no type, and no slot gives it one`);
    return { kind: text ?? "slot", slot };
  }
  const slot = slotNamed(slots, text);
  if (slot >= 0) {
    assert(isTypeSlot(slots[slot]!), `isa row ${row.id}: slot '${text}' has choices that are not types`);
    return { kind: "slot", slot };
  }
  const type = dataType(text);
  if (type === undefined) throw new InternalError(`isa row ${row.id}: no slot or type '${text}'`);
  return { kind: "fixed", type };
}

function countRule(row: Row, slots: readonly Slot[], text: string): CountRule {
  if (text === "any") return "any";
  if (/^\d+$/.test(text)) return Number(text);
  const slot = slotNamed(slots, text);
  assert(slot >= 0, `isa row ${row.id}: no slot '${text}' to count by`);
  for (const choice of slots[slot]!.choices)
    assert(vectorLength(choice.text) !== undefined, `isa row ${row.id}: '${choice.text}' gives no number of elements`);
  return { slot };
}

/** The number in a vector length: v4, x4 and 4d give 4. */
export function vectorLength(text: string): number | undefined {
  const match = /^(?:[vx](\d+)|(\d)d)$/.exec(text);
  return match === null ? undefined : Number(match[1] ?? match[2]);
}
