// Turns the rows' little language (form.ts) into Forms. It reads only our own tables, so a fault in one is a defect of ours
// and throws InternalError with the row's id. Rows are compiled per opcode and only when that opcode is first met, so that a
// program start does not pay for the whole table.

import { assert, InternalError } from "../base/assert.js";
import { dataType } from "./types.table.js";
import { noRequirement, parseTarget, parseVersion, type Requirement } from "./requirement.js";
import type {
  Choice,
  Condition,
  CountRule,
  Form,
  Limit,
  OperandKind,
  OperandSpec,
  Row,
  Slot,
  TypeRule,
} from "./form.js";
import { typeRules } from "./rules.js";
import { selectorSets } from "./selectors.js";

/** Compiles one row. */
export function compileRow(row: Row): Form {
  const at = row.syntax.search(/\s/);
  const head = at < 0 ? row.syntax : row.syntax.slice(0, at);
  const tail = at < 0 ? "" : row.syntax.slice(at).trim();
  const { opcode, slots } = compileHead(row, head);
  return {
    id: row.id,
    opcode,
    slots,
    operands: compileOperands(row, slots, tail),
    needs: compileRequirement(row.needs),
    ...(row.until === undefined ? {} : { until: compileUntil(row.until) }),
    limits: (row.limits ?? []).map((text) => compileLimit(row, slots, text)),
    section: row.section,
    syntax: row.syntax,
  };
}

/** "8.6:sm_100a|sm_120a". */
function compileRequirement(text: string): Requirement {
  const [version, targets] = text.split(":");
  return {
    ptx: parseVersion(version!),
    targets: (targets ?? "").split("|").flatMap((name) => parseTarget(name) ?? []),
  };
}

/** "6.3:sm_70". */
function compileUntil(text: string): { readonly ptx: number; readonly sm: number } {
  const { ptx, targets } = compileRequirement(text);
  return { ptx, sm: targets[0]!.sm };
}

function compileChoice(text: string): Choice {
  const at = text.indexOf("@");
  return at < 0
    ? { text, needs: noRequirement }
    : { text: text.slice(0, at), needs: compileRequirement(text.slice(at + 1)) };
}

function compileHead(row: Row, head: string): { opcode: string; slots: readonly Slot[] } {
  const tokens = head.match(/\{\.[^}]+\}|\.[^.{]+|^[^.{]+/g);
  assert(tokens !== null && tokens.join("") === head, `isa row ${row.id}: cannot read '${head}'`);
  const used = new Set<string>();
  const slots = tokens.slice(1).map((token): Slot => {
    const optional = token.startsWith("{");
    const word = optional ? token.slice(2, -1) : token.slice(1);
    const choices = row.slots?.[word];
    if (choices === undefined) return { name: undefined, choices: [{ text: word, needs: noRequirement }], optional };
    used.add(word);
    return { name: word, choices: choices.split(/\s+/).map(compileChoice), optional };
  });
  for (const name of Object.keys(row.slots ?? {}))
    assert(used.has(name), `isa row ${row.id}: slot '${name}' is not used`);
  return { opcode: tokens[0]!, slots };
}

// -------------------------------------------------------------------------------------------------------------- limits

function compileLimit(row: Row, slots: readonly Slot[], text: string): Limit {
  const [when, then] = text.split(/\s*->\s*/);
  assert(when !== undefined && then !== undefined && then !== "", `isa row ${row.id}: cannot read limit '${text}'`);
  const conditions = (list: string): readonly Condition[] =>
    list.split(/\s+/).map((word) => compileCondition(row, slots, word));
  return {
    when: conditions(when),
    then:
      then === "never"
        ? { kind: "never" }
        : then.startsWith("@")
          ? { kind: "needs", needs: compileRequirement(then.slice(1)) }
          : { kind: "must", conditions: conditions(then) },
    text,
  };
}

function compileCondition(row: Row, slots: readonly Slot[], text: string): Condition {
  const match = /^(!?)([a-zA-Z0-9_:]+?)(?:(!?=)(.+))?$/.exec(text);
  assert(match !== null, `isa row ${row.id}: cannot read condition '${text}'`);
  const literal = (s: Slot): boolean => s.name === undefined && s.choices[0]!.text === match[2];
  const named = slotNamed(slots, match[2]!);
  const slot = named >= 0 ? named : slots.findIndex(literal);
  assert(slot >= 0, `isa row ${row.id}: no slot '${match[2]!}' for condition '${text}'`);
  const texts = match[4]?.split("|");
  for (const choice of texts ?? [])
    assert(
      slots[slot]!.choices.some((c) => c.text === choice),
      `isa row ${row.id}: slot '${match[2]!}' has no choice '${choice}'`,
    );
  return { slot, texts, negated: match[1] === "!" || match[3] === "!=" };
}

// ------------------------------------------------------------------------------------------------------------ operands

const places: ReadonlySet<string> = new Set(["label", "labels", "callee", "prototype", "symbol"]);
const written: ReadonlySet<string> = new Set(["d", "p", "q"]);

/** name, {.selector}, :type, >, *count, ?condition. */
const operandPattern =
  /^(_|[a-z][a-zA-Z0-9]*)(?:\{\.([a-z0-9]+)\})?(?::(@?[a-zA-Z0-9._]+))?(>)?(?:\*([a-z0-9]+))?(?:\?([a-zA-Z0-9:!=|_]+))?/;

function compileOperands(row: Row, slots: readonly Slot[], text: string): readonly OperandSpec[] {
  const operands: OperandSpec[] = [];
  let at = 0;
  let optionalDepth = 0;

  const broken = (): never => {
    throw new InternalError(`isa row ${row.id}: cannot read operands at '${text.slice(at)}'`);
  };
  const skip = (token: string): boolean => {
    while (text[at] === " ") at++;
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  };
  const expect = (token: string): void => {
    if (!skip(token)) broken();
  };

  const single = (optional: boolean): OperandSpec => {
    const negatable = skip("{!}");
    const discardable = skip("{_}");
    const both = skip("+");
    const registerOnly = skip("$");
    const immediateOnly = skip("#");
    while (text[at] === " ") at++;
    const match = operandPattern.exec(text.slice(at));
    if (match === null) return broken();
    at += match[0].length;
    const [, name, selector, ruleText, widerText, countText, conditionText] = match;
    assert(selector === undefined || selector in selectorSets, `isa row ${row.id}: no selectors '${selector ?? ""}'`);
    const place = name === "_" ? "sink" : places.has(ruleText ?? "") ? (ruleText as OperandKind) : undefined;
    const writes = written.has(name!);
    const kind = place ?? (immediateOnly ? "immediate" : registerOnly || writes || both ? "register" : "value");
    return {
      name: name!,
      kind,
      access: both ? "read-write" : writes ? "write" : "read",
      type: place !== undefined ? { kind: "any" } : typeRule(row, slots, ruleText),
      count: countText === undefined ? undefined : countRule(row, slots, countText),
      optional: optional || conditionText !== undefined,
      condition: conditionText === undefined ? [] : [compileCondition(row, slots, conditionText)],
      negatable,
      discardable,
      wider: widerText !== undefined,
      ...(selector === undefined ? {} : { selector }),
      rest: [],
    };
  };

  const item = (optional: boolean): OperandSpec => {
    if (skip("[")) {
      const base = single(optional);
      const rest: OperandSpec[] = [];
      while (!skip("]")) {
        const optionalRest = skip("{,");
        if (!optionalRest) expect(",");
        rest.push(single(optionalRest));
        if (optionalRest) expect("}");
      }
      const suffix = /^\{\.([a-z]+)\}/.exec(text.slice(at));
      if (suffix !== null) at += suffix[0].length;
      const selector = suffix?.[1];
      assert(selector === undefined || selector in selectorSets, `isa row ${row.id}: no selectors '${selector ?? ""}'`);
      return {
        ...base,
        kind: "address",
        access: "read",
        type: { kind: "any" },
        rest,
        ...(selector === undefined ? {} : { selector }),
      };
    }
    if (skip("(")) {
      const list = single(optional);
      expect(")");
      return { ...list, kind: "list", type: { kind: "any" } };
    }
    const first = single(optional);
    if (skip("{|")) {
      const second = single(false);
      expect("}");
      return { ...first, pair: { spec: second, optional: true } };
    }
    if (skip("|")) return { ...first, pair: { spec: single(false), optional: false } };
    return first;
  };

  // A group in braces holds operands with their commas: "{, b}" behind an operand, "{(r), }" before one.
  while (at < text.length) {
    if (skip("}")) {
      if (optionalDepth-- === 0) broken();
      continue;
    }
    if (text.startsWith("{", at) && !text.startsWith("{!}", at) && !text.startsWith("{_}", at)) {
      at++;
      optionalDepth++;
      skip(",");
      while (text[at] === " ") at++;
      continue;
    }
    if (operands.length > 0 && skip(",")) {
      while (text[at] === " ") at++;
      if (at >= text.length || text[at] === "}") continue;
    }
    operands.push(item(optionalDepth > 0));
    while (text[at] === " ") at++;
  }
  assert(optionalDepth === 0, `isa row ${row.id}: unbalanced braces`);
  return operands;
}

function slotNamed(slots: readonly Slot[], name: string): number {
  return slots.findIndex((slot) => slot.name === name);
}

/** The slot that gives operands their type where they do not say: `type`, or the only one whose choices are all types. */
function defaultTypeSlot(slots: readonly Slot[]): number {
  const named = slotNamed(slots, "type");
  if (named >= 0) return named;
  const typed = slots.flatMap((slot, i) =>
    slot.choices.every((choice) => dataType(choice.text) !== undefined) ? [i] : [],
  );
  return typed.length === 1 ? typed[0]! : -1;
}

function typeRule(row: Row, slots: readonly Slot[], text: string | undefined): TypeRule {
  if (text === "any") return { kind: "any" };
  if (text?.startsWith("@") === true) {
    const rule = text.slice(1);
    assert(rule in typeRules, `isa row ${row.id}: no rule '${rule}'`);
    return { kind: "rule", rule };
  }
  if (text === undefined || text === "wide" || text === "bits" || text === "split") {
    const slot = defaultTypeSlot(slots);
    assert(slot >= 0 || text === undefined, `isa row ${row.id}: '${text}' needs a slot that gives the type`);
    return slot < 0 ? { kind: "any" } : { kind: text ?? "slot", slot };
  }
  const slot = slotNamed(slots, text);
  if (slot >= 0) return { kind: "slot", slot };
  const type = dataType(text);
  if (type === undefined) throw new InternalError(`isa row ${row.id}: no slot or type '${text}'`);
  return { kind: "fixed", type };
}

function countRule(row: Row, slots: readonly Slot[], text: string): CountRule {
  if (text === "any") return "any";
  if (/^\d+$/.test(text)) return Number(text);
  const slot = slotNamed(slots, text);
  assert(slot >= 0, `isa row ${row.id}: no slot '${text}' to count by`);
  return { slot };
}
