// Uses and definitions of global names, metadata numbers and attribute groups, in any order.

import type { Ranged } from "../../ptx/tree.js";
import type { Attribute, GlobalValue } from "../ir/global.js";
import type { Metadata, MetadataNode } from "../ir/metadata.js";
import type { Constant } from "../ir/value.js";
import { typeText, type PointerType, type Type } from "../ir/type.js";
import { placeOf } from "../../ptx/source.js";
import { nearest } from "../../base/nearest.js";
import { failWith, report, tokenRange } from "./fault.js";
import { advance, tokenName } from "./scanner.js";
import type { GlobalSlot, Open, Parser, Slot } from "./state.js";
import { kind } from "./token.js";

/** The name of a global token; a number is one, too. */
export const globalName = ({ scanner }: Parser): string =>
  scanner.kind === kind.GLOBAL ? tokenName(scanner) : String(scanner.id);

function globalSlot({ module }: Parser, name: string): GlobalSlot {
  let slot = module.globals.get(name);
  if (slot === undefined) {
    slot = { value: { name } as Open<GlobalValue>, defined: false, uses: [] };
    module.globals.set(name, slot);
  }
  return slot;
}

/** The global value that the current token names, as a constant of a type. */
export function useGlobal(p: Parser, type: Type): Constant {
  const made = useGlobalName(p, globalName(p), type, tokenRange(p.scanner));
  advance(p.scanner);
  return made;
}

/** A global value that was named before, as a constant of a type. */
export function useGlobalName(p: Parser, name: string, type: Type, range: Ranged): Constant {
  const slot = globalSlot(p, name);
  if (slot.defined) checkGlobalType(p, slot, type, range);
  else if (p.body === undefined) slot.uses.push({ type, range });
  else {
    reportUndefinedGlobal(p, slot.value.name!, range);
    // So that what uses it can be read on.
    slot.value.type ??= type as PointerType;
  }
  return slot.value as GlobalValue;
}

function checkGlobalType(p: Parser, { value }: GlobalSlot, type: Type, range: Ranged): void {
  if (value.type === type) return;
  const message = `@${value.name} is of type ${typeText(value.type)}, but used as ${typeText(type)}`;
  report(p, "nvvm-mismatch", message, range, {
    notes: [{ message: "declared here", place: placeOf(p.source, nameRange(value)) }],
  });
}

const nameRange = ({ name, nameStart }: GlobalValue): Ranged => ({
  start: nameStart,
  end: nameStart + name.length + 1,
});

/** Shared by all that are defined, to which none is added. */
const noUses: GlobalSlot["uses"] = [];

/** Gives a global name its value. */
export function defineGlobal(p: Parser, name: string, value: GlobalValue, range: Ranged): void {
  const slot = p.module.globals.get(name);
  if (slot === undefined) {
    p.module.globals.set(name, { value, defined: true, uses: noUses });
    return;
  }
  if (slot.defined) {
    report(p, "nvvm-redefined", `@${name} is declared twice`, range, {
      notes: [{ message: "first declared here", place: placeOf(p.source, nameRange(slot.value as GlobalValue)) }],
    });
    return;
  }
  Object.assign(slot.value, value);
  slot.defined = true;
  for (const use of slot.uses) checkGlobalType(p, slot, use.type, use.range);
  slot.uses = noUses;
}

/** Reports uses of global names that nothing declares. */
export function checkGlobals(p: Parser): void {
  for (const [name, slot] of p.module.globals) {
    if (slot.defined) continue;
    const [first] = slot.uses;
    if (first !== undefined) reportUndefinedGlobal(p, name, first.range);
    slot.uses = noUses;
  }
}

function reportUndefinedGlobal(p: Parser, name: string, range: Ranged): void {
  const meant = meantName(p, name, () =>
    [...p.module.globals].flatMap(([other, { defined }]) => (defined ? [other] : [])),
  );
  const slot = meant === undefined ? undefined : p.module.globals.get(meant);
  report(p, "nvvm-undefined", `@${name} is used, but declared nowhere`, range, {
    ...(slot === undefined
      ? {}
      : { meant: { name: `@${meant}`, place: placeOf(p.source, nameRange(slot.value as GlobalValue)) } }),
  });
}

/** Reports the uses in a body of what the module does not declare. */
export function refuseUndefinedGlobal(p: Parser): void {
  const name = globalName(p);
  if (p.module.globals.get(name)?.defined === true) return;
  reportUndefinedGlobal(p, name, tokenRange(p.scanner));
}

/** The node that a number refers to. */
export function useNode(p: Parser, id: number, range: Ranged): MetadataNode {
  const { nodes } = p.module;
  let slot = nodes.get(id);
  if (slot === undefined) {
    const value = {
      kind: "node",
      id,
      distinct: false,
      tag: undefined,
      operands: [],
      fields: noFields,
      ...range,
    } as const;
    slot = { value, defined: false, firstUse: range };
    nodes.set(id, slot);
  }
  slot.firstUse ??= range;
  if (p.body !== undefined && !slot.defined)
    failWith(p, "nvvm-undefined", `!${id} is used, but defined nowhere`, range);
  return slot.value;
}

export const noFields: MetadataNode["fields"] = new Map();

/** Gives a numbered node the contents after its `=`. */
export function defineNode(p: Parser, id: number, node: Metadata, range: Ranged): void {
  const value = useNode(p, id, range) as Open<MetadataNode>;
  const slot = p.module.nodes.get(id)!;
  if (slot.defined) return report(p, "nvvm-redefined", `!${id} is defined twice`, range);
  slot.defined = true;
  if (node?.kind === "node") Object.assign(value, node, { id });
}

/** The attributes of a group, which may come later; one that never comes has none, as in LLVM. */
export function useGroup({ module }: Parser, id: number): Attribute[] {
  let group = module.groups.get(id);
  if (group === undefined) module.groups.set(id, (group = []));
  return group;
}

export function useComdat({ module }: Parser, name: string, range: Ranged): void {
  if (!module.comdats.has(name)) module.comdats.set(name, { value: name, defined: false, firstUse: range });
}

/** Reports metadata, comdats and types that are used and not defined. */
export function checkSlots(p: Parser): void {
  const { nodes, comdats, structs } = p.module;
  checkDefined(p, nodes, (name) => `!${name}`);
  checkDefined(p, comdats, (name) => `comdat $${name}`);
  checkDefined(p, structs, typeName);
}

const typeName = (name: string | number): string => `type %${name}`;

/** Reports types that a body alone names. */
export function checkTypes(p: Parser): void {
  checkDefined(p, p.module.openTypes, typeName);
}

/** What a search costs at least, counted in names. */
const SEARCH = 5000;

/** The name that was meant, of those that `names` has. */
export function meantName(p: Parser, name: string, names: () => readonly string[]): string | undefined {
  const { searches } = p.module;
  if (searches.left <= 0) return undefined;
  const all = names();
  searches.left -= Math.max(SEARCH, all.length);
  return nearest(name, all)[0];
}

function checkDefined<Key extends string | number>(
  p: Parser,
  slots: ReadonlyMap<Key, Slot<unknown>>,
  what: (name: Key) => string,
): void {
  for (const [name, slot] of slots) {
    if (slot.defined || slot.firstUse === undefined) continue;
    report(p, "nvvm-undefined", `${what(name)} is used, but defined nowhere`, slot.firstUse);
  }
}
