// The operand part of a row (see form.ts for the language): a recursive-descent reader over one line of our own text.

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

/** Reads "d, [a]{, pol:b64?hint}". */
export function compileOperands(row: Row, slots: readonly Slot[], text: string): readonly OperandSpec[] {
  let at = 0;

  const broken = (): never => {
    throw new InternalError(`isa row ${row.id}: cannot read operands at '${text.slice(at)}'`);
  };
  const blanks = (): void => {
    while (text[at] === " ") at++;
  };
  const skip = (token: string): boolean => {
    blanks();
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  };
  const expect = (token: string): void => {
    if (!skip(token)) broken();
  };

  const single = (optional: boolean, typed: boolean): OperandSpec => {
    blanks();
    const marks = markPattern.exec(text.slice(at))!;
    at += marks[0].length;
    const match = operandPattern.exec(text.slice(at)) ?? broken();
    at += match[0].length;
    const [, name, selector, ruleText, width, bare, countText, valuesText, demand, conditionText, needsText] = match;
    assert(selector === undefined || selector in selectorSets, `isa row ${row.id}: no selectors '${selector ?? ""}'`);
    const place = name === "_" ? "sink" : places.has(ruleText ?? "") ? (ruleText as OperandKind) : undefined;
    const [, not, minus, sink, mark] = marks;
    const writes = written.has(name!);
    const register = mark === "$" || mark === "+" || (writes && typed);
    return {
      name: name!,
      kind: place ?? (mark === "#" ? "immediate" : register ? "register" : "value"),
      access: !typed ? "read" : mark === "+" ? "read-write" : writes ? "write" : "read",
      type:
        place !== undefined || (!typed && ruleText === undefined) ? { kind: "any" } : typeRule(row, slots, ruleText),
      count: countText === undefined ? undefined : countRule(row, slots, countText),
      bare: bare === "~",
      optional: optional || conditionText !== undefined,
      condition: (conditionText?.split("&") ?? []).map((text) => compileCondition(`isa row ${row.id}`, slots, text)),
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
  };

  const address = (optional: boolean): OperandSpec => {
    const base = single(optional, false);
    const rest: OperandSpec[] = [];
    while (!skip("]")) {
      const optionalRest = skip("{,");
      if (!optionalRest) expect(",");
      rest.push(single(optionalRest, true));
      if (optionalRest) expect("}");
    }
    const suffix = /^\{\.([a-z]+)\}/.exec(text.slice(at));
    if (suffix !== null) at += suffix[0].length;
    const selector = suffix?.[1];
    assert(selector === undefined || selector in selectorSets, `isa row ${row.id}: no selectors '${selector ?? ""}'`);
    return {
      ...base,
      kind: "address",
      rest,
      ...(selector === undefined ? {} : { selector }),
    };
  };

  const item = (optional: boolean): OperandSpec => {
    if (skip("[")) return address(optional);
    if (skip("(")) {
      const list = single(optional, false);
      expect(")");
      return { ...list, kind: "list", access: written.has(list.name) ? "write" : "read" };
    }
    const first = single(optional, true);
    if (skip("{|")) {
      const second = single(false, true);
      expect("}");
      return { ...first, pair: { spec: second, optional: true } };
    }
    if (skip("|")) return { ...first, pair: { spec: single(false, true), optional: false } };
    return first;
  };

  // "{, b}" behind an operand, "{(d), }" before one.
  const operands: OperandSpec[] = [];
  for (blanks(); at < text.length; blanks()) {
    const group = /^\{(?![!_-]\})/.test(text.slice(at));
    if (group) at++;
    skip(",");
    operands.push(item(group));
    if (group) {
      skip(",");
      expect("}");
    }
  }
  return operands;
}

/** ">0..1", of floats, or the values of valueSet. */
function valuesOf(text: string): Pick<OperandSpec, "values" | "floats" | "valuesText"> {
  const open = /^>(\d+)\.\.(\d+)$/.exec(text);
  if (open === null) return { values: valueSet(text), valuesText: valueWords(text) };
  const [least, most] = [Number(open[1]), Number(open[2])];
  return { floats: (value) => value > least && value <= most, valuesText: `above ${least} and up to ${most}` };
}

/** "4,8,16" or "24..256/8". */
function valueSet(text: string): (value: bigint) => boolean {
  const ranges = text.split(",").map((part) => {
    const match = /^(-?\d+)(?:\.\.(-?\d+))?(?:\/(\d+))?$/.exec(part);
    if (match === null) throw new InternalError(`cannot read values '${text}'`);
    return { from: BigInt(match[1]!), to: BigInt(match[2] ?? match[1]!), step: BigInt(match[3] ?? "1") };
  });
  return (value) => ranges.some(({ from, to, step }) => value >= from && value <= to && (value - from) % step === 0n);
}

/** "24..256/8" as words: "24 to 256 in steps of 8". */
function valueWords(text: string): string {
  const parts = text
    .split(",")
    .map((part) => part.replace(/^(-?\d+)\.\.(-?\d+)/, "$1 to $2").replace(/\/(\d+)$/, " in steps of $1"));
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")} or ${parts.at(-1)!}`;
}

/** The slot that gives operands their type where they do not say: `type`, or the only one whose choices are all types. */
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

/** v4, x4, 4d: 4. */
export function vectorLength(text: string): number | undefined {
  const match = /^(?:[vx](\d+)|(\d)d)$/.exec(text);
  return match === null ? undefined : Number(match[1] ?? match[2]);
}
