// Local values and blocks, which may be used before they are defined.

import type { Ranged } from "../../ptx/source-text.js";
import type { Value } from "../ir/value.js";
import { typeText, type Type } from "../ir/type.js";
import { nameText } from "../../ptx/names.js";
import type { BasicBlock } from "../ir/instruction.js";
import { readConstant } from "./constants.js";
import { fail, failExpected, failWith, report, tokenRange } from "./fault.js";
import type { LocalKey } from "./key-map.js";
import { meantName, refuseUndefinedGlobal } from "./names.js";
import { expectWord } from "./read.js";
import { advance } from "./scanner.js";
import type { BlockSlot, BodyState, ForwardUse, Parser } from "./state.js";
import { kind } from "./token.js";
import { readType } from "./types.js";

/** The key of the current local name. */
export const localKey = ({ scanner }: Parser): LocalKey => (scanner.kind === kind.LOCAL ? scanner.id : ~scanner.id);

/** A local name in text. */
export const localText = (p: Parser, key: LocalKey): string => `%${key < 0 ? ~key : nameText(p.scanner.names, key)}`;

/**
 * A value of a type. A forward reference to a local returns a placeholder until `holder[key]` is replaced by the value, so the
 * caller must store the result there.
 */
export function readValue(p: Parser, type: Type, holder: object, key: string | number): Value {
  const s = p.scanner;
  if (s.kind === kind.LOCAL || s.kind === kind.LOCAL_NUMBER) return readLocal(p, type, holder, key);
  if (p.body !== undefined && (s.kind === kind.GLOBAL || s.kind === kind.GLOBAL_NUMBER)) refuseUndefinedGlobal(p);
  return readConstant(p, type);
}

function readLocal(p: Parser, type: Type, holder: object, key: string | number): Value {
  const local = localKey(p);
  const known = p.body?.locals.get(local);
  if (known !== undefined && known.type === type) {
    advance(p.scanner);
    return known;
  }
  const range = tokenRange(p.scanner);
  advance(p.scanner);
  return useLocal(p, local, range, type, holder, key);
}

/** A local value mentioned before, for readValue. */
export function useLocal(
  p: Parser,
  local: LocalKey,
  range: Ranged,
  type: Type,
  holder: object,
  key: string | number,
): Value {
  const { body } = p;
  if (body === undefined) return fail(p, "local values are in functions alone", range, { remedy: "name a global" });
  const known = body.locals.get(local);
  if (known !== undefined) {
    if (known.type !== type) refuseType(p, known, type, range, local);
    return known;
  }
  if (type.kind === "function" || type.kind === "void")
    failWith(p, "nvvm-mismatch", `no value is of type ${typeText(type)}`, range);
  if (!body.faulty.has(local)) {
    const { start, end } = range;
    const before = body.forwards.get(local);
    body.forwardUses++;
    body.forwards.set(local, { holder: holder as Record<string, unknown>, key, type, before, start, end });
  }
  return { kind: "undef", type };
}

function refuseType(p: Parser, value: Value, type: Type, range: Ranged, key: LocalKey): void {
  const message = `${localText(p, key)} is of type ${typeText(value.type)}, but used as ${typeText(type)}`;
  report(p, "nvvm-mismatch", message, range);
}

/** Sets the value of a local name, and of earlier uses of it. */
export function defineLocal(p: Parser, body: BodyState, key: LocalKey, value: Value, start: number, end: number): void {
  if (body.locals.has(key) || body.blocks.get(key)?.defined === true) {
    report(p, "nvvm-redefined", `${localText(p, key)} is defined twice in one function`, { start, end });
    return;
  }
  body.locals.set(key, value);
  if (body.forwards.size === 0) return;
  const last = body.forwards.get(key);
  if (last === undefined) return;
  body.forwards.delete(key);
  for (const use of usesUpTo(last)) {
    if (use.type !== value.type) refuseType(p, value, use.type, use, key);
    use.holder[use.key] = value;
  }
}

/** The uses of a value in the order of the text. */
function usesUpTo(last: ForwardUse): readonly ForwardUse[] {
  const uses: ForwardUse[] = [last];
  for (let use = last.before; use !== undefined; use = use.before) uses.push(use);
  return uses.reverse();
}

/** Marks a name as faulty: its uses are not reported. */
export function defineFaulty(body: BodyState, key: LocalKey): void {
  body.faulty.add(key);
  body.forwards.delete(key);
}

/** A type followed by a value. */
export function readTypedValue(p: Parser, holder: object, key: string | number): Value {
  return readValue(p, readType(p), holder, key);
}

/** Shared by all blocks without a definition. */
const noInstructions: BasicBlock["instructions"] = [];

/** A block by its key, defined or not. */
export function blockSlot(p: Parser, body: BodyState, key: LocalKey): BlockSlot {
  let slot = body.blocks.get(key);
  if (slot === undefined) {
    const name = key < 0 ? undefined : nameText(p.scanner.names, key);
    const block: BlockSlot["block"] = {
      kind: "block",
      type: p.types.label,
      name,
      index: -1,
      instructions: noInstructions,
      start: 0,
      end: 0,
    };
    slot = { block, defined: false, firstUse: undefined };
    body.blocks.set(key, slot);
  }
  return slot;
}

/** `%name` as a block. */
export function readBlockName(p: Parser): BasicBlock {
  const { body, scanner } = p;
  if (body === undefined || (scanner.kind !== kind.LOCAL && scanner.kind !== kind.LOCAL_NUMBER))
    return failExpected(p, "a block's name");
  const slot = blockSlot(p, body, localKey(p));
  if (!slot.defined) slot.firstUse ??= tokenRange(scanner);
  advance(scanner);
  return slot.block;
}

/** `label %name`. */
export function readTarget(p: Parser): BasicBlock {
  expectWord(p, "label", "a block");
  return readBlockName(p);
}

/** Limit of reported undefined values in one body: further ones are mostly consequences. */
const MAX_UNDEFINED = 100;

/** Reports locals that a body uses but does not define. */
export function checkLocals(p: Parser, body: BodyState): void {
  const names = (keys: Iterable<LocalKey>): readonly string[] =>
    [...keys].filter((key) => key >= 0).map((key) => localText(p, key));
  const suggest = (key: LocalKey, count: number, known: () => readonly string[]): { meant?: { name: string } } => {
    const meant = key < 0 ? undefined : meantName(p, localText(p, key), count, known);
    return meant === undefined ? {} : { meant: { name: meant } };
  };
  let reported = 0;
  for (const [key, last] of body.forwards) {
    if (reported++ >= MAX_UNDEFINED) break;
    const [use] = usesUpTo(last);
    if (body.blocks.get(key)?.defined === true) {
      report(p, "nvvm-mismatch", `${localText(p, key)} is a block, but used as a value`, use!);
      continue;
    }
    const details = suggest(key, body.locals.size, () => names(body.locals.keys()));
    report(p, "nvvm-undefined", `${localText(p, key)} is used, but defined nowhere`, use!, details);
  }
  for (const [key, slot] of body.blocks) {
    if (slot.defined || slot.firstUse === undefined) continue;
    if (body.locals.has(key)) {
      report(p, "nvvm-mismatch", `${localText(p, key)} is a value, but used as a block`, slot.firstUse);
      continue;
    }
    const details = suggest(key, body.blocks.size, () =>
      names([...body.blocks].flatMap(([name, { defined }]) => (defined ? [name] : []))),
    );
    report(p, "nvvm-undefined", `there is no block ${localText(p, key)} in this function`, slot.firstUse, details);
  }
}
