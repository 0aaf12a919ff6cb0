// Uses and definitions of global names, metadata numbers and attribute groups, in any order.

import type { Ranged } from "../../ptx/source-text.js";
import type { Attribute, GlobalValue, GlobalVariable } from "../ir/global.js";
import type { Metadata, MetadataNode } from "../ir/metadata.js";
import type { Constant } from "../ir/value.js";
import { typeText, type PointerType, type Type } from "../ir/type.js";
import { nameText } from "../../ptx/names.js";
import { placeOf } from "../../ptx/source.js";
import { nearest } from "../../base/nearest.js";
import { failWith, report, tokenRange } from "./fault.js";
import type { LocalKey } from "./key-map.js";
import { advance, tokenName } from "./scanner.js";
import type { ModuleState, Open, Parser, Slot } from "./state.js";
import { kind } from "./token.js";

/** The name of a global token; a number is a name, too. */
export const globalName = ({ scanner }: Parser): string =>
  scanner.kind === kind.GLOBAL ? tokenName(scanner) : String(scanner.id);

/** The global value of a name; undefined until it is declared. */
export function declaredGlobal({ module }: Parser, name: string): Open<GlobalValue> | undefined {
  return module.pending.size > 0 && module.pending.has(name) ? undefined : module.globals.get(name);
}

/**
 * The global value of a name before its declaration, with the fields of a variable, which most of them become: adding fields
 * one by one takes longer and makes a larger object.
 */
function pendingGlobal({ globals, pending }: ModuleState, name: string): Open<GlobalValue> {
  const known = globals.get(name);
  if (known !== undefined) return known;
  const fields: { readonly [Field in keyof GlobalVariable]: GlobalVariable[Field] | undefined } = {
    kind: undefined,
    name,
    nameStart: undefined,
    type: undefined,
    linkage: undefined,
    visibility: undefined,
    threadLocal: undefined,
    valueType: undefined,
    constant: undefined,
    externallyInitialized: undefined,
    initializer: undefined,
    align: undefined,
    section: undefined,
    attributes: undefined,
    attachments: undefined,
    start: undefined,
    end: undefined,
  };
  const value = fields as Open<GlobalValue>;
  globals.set(name, value);
  pending.set(name, []);
  return value;
}

/** The global value that the current token names, as a constant of a type. */
export function useGlobal(p: Parser, type: Type): Constant {
  const made = useGlobalName(p, globalName(p), type, tokenRange(p.scanner));
  advance(p.scanner);
  return made;
}

/** A global value mentioned before, as a constant of a type. */
export function useGlobalName(p: Parser, name: string, type: Type, range: Ranged): Constant {
  const declared = declaredGlobal(p, name);
  if (declared !== undefined) {
    checkGlobalType(p, declared, type, range);
    return declared as GlobalValue;
  }
  const value = pendingGlobal(p.module, name);
  if (p.body === undefined) p.module.pending.get(name)!.push({ type, range });
  else {
    reportUndefinedGlobal(p, name, range);
    // Allows its users to be read.
    value.type ??= type as PointerType;
  }
  return value as GlobalValue;
}

function checkGlobalType(p: Parser, value: GlobalValue, type: Type, range: Ranged): void {
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

/** Gives a global name its value. */
export function defineGlobal(p: Parser, name: string, value: GlobalValue, range: Ranged): void {
  const { globals, pending, declared } = p.module;
  const known = globals.get(name);
  if (known === undefined) {
    globals.set(name, value);
    declared.push(value);
    return;
  }
  const uses = pending.get(name);
  if (uses === undefined) {
    report(p, "nvvm-redefined", `@${name} is declared twice`, range, {
      notes: [{ message: "first declared here", place: placeOf(p.source, nameRange(known)) }],
    });
    return;
  }
  Object.assign(known, value);
  pending.delete(name);
  declared.push(known);
  for (const use of uses) checkGlobalType(p, known, use.type, use.range);
}

/** Reports uses of undeclared global names. */
export function checkGlobals(p: Parser): void {
  for (const [name, [first]] of p.module.pending) if (first !== undefined) reportUndefinedGlobal(p, name, first.range);
}

function reportUndefinedGlobal(p: Parser, name: string, range: Ranged): void {
  const { declared, globals } = p.module;
  const meant = meantName(p, name, declared.length, () => declared.map((other) => other.name));
  const value = meant === undefined ? undefined : globals.get(meant);
  report(p, "nvvm-undefined", `@${name} is used, but declared nowhere`, range, {
    ...(value === undefined ? {} : { meant: { name: `@${meant}`, place: placeOf(p.source, nameRange(value)) } }),
  });
}

/** Reports uses in a body of names that the module does not declare. */
export function refuseUndefinedGlobal(p: Parser): void {
  const name = globalName(p);
  if (declaredGlobal(p, name) !== undefined) return;
  reportUndefinedGlobal(p, name, tokenRange(p.scanner));
}

/** The node that a number refers to. */
export function useNode(p: Parser, id: number, start: number, end: number): MetadataNode {
  const { nodes } = p.module;
  let slot = nodes.get(id);
  if (slot === undefined) {
    const value: MetadataNode = {
      kind: "node",
      id,
      distinct: false,
      tag: undefined,
      operands: noOperands,
      fields: noFields,
      start,
      end,
    };
    slot = { value, defined: false, firstUse: { start, end } };
    nodes.set(id, slot);
  }
  if (p.body !== undefined && !slot.defined)
    failWith(p, "nvvm-undefined", `!${id} is used, but defined nowhere`, { start, end });
  return slot.value;
}

const noOperands: readonly Metadata[] = [];

export const noFields: MetadataNode["fields"] = { names: [], values: [] };

/** Gives a numbered node the contents after its `=`; its range is that of the statement from `start` to `end`. */
export function defineNode(p: Parser, id: number, node: MetadataNode, range: Ranged, start: number, end: number): void {
  const { nodes } = p.module;
  const slot = nodes.get(id);
  if (slot?.defined === true) return report(p, "nvvm-redefined", `!${id} is defined twice`, range);
  const { distinct, tag, operands, fields } = node;
  if (slot === undefined) {
    const value: MetadataNode = { kind: "node", id, distinct, tag, operands, fields, start, end };
    nodes.set(id, { value, defined: true, firstUse: undefined });
    return;
  }
  slot.defined = true;
  const { value } = slot;
  value.distinct = distinct;
  value.tag = tag;
  value.operands = operands;
  value.fields = fields;
  value.start = start;
  value.end = end;
}

/** The attributes of a group, which may be defined later; an undefined one is empty, as in LLVM. */
export function useGroup({ module }: Parser, id: number): Attribute[] {
  let group = module.groups.get(id);
  if (group === undefined) module.groups.set(id, (group = []));
  return group;
}

export function useComdat({ module }: Parser, name: string, range: Ranged): void {
  if (!module.comdats.has(name)) module.comdats.set(name, { value: name, defined: false, firstUse: range });
}

/** Reports metadata, comdats and types that are used but not defined. */
export function checkSlots(p: Parser): void {
  const { nodes, comdats, structs } = p.module;
  checkDefined(p, nodes, (name) => `!${name}`);
  checkDefined(p, comdats, (name) => `comdat $${name}`);
  checkDefined(p, structs.entries(), (key) => `type %${typeName(p, key)}`);
}

/** The name of a type by its key; for a numbered one the number. */
export const typeName = (p: Parser, key: LocalKey): string => (key < 0 ? String(~key) : nameText(p.scanner.names, key));

/** Reports types that only a body names. */
export function checkTypes(p: Parser): void {
  checkDefined(p, p.module.openTypes, (key) => `type %${typeName(p, key)}`);
}

/** Minimum cost of a search, counted in names. */
const SEARCH = 5000;

/** The nearest of the `count` names; undefined if they exceed the remaining budget of comparisons. */
export function meantName(p: Parser, name: string, count: number, names: () => readonly string[]): string | undefined {
  const { searches } = p.module;
  if (searches.left < count) return undefined;
  searches.left -= Math.max(SEARCH, count);
  return nearest(name, names())[0];
}

function checkDefined<Key extends string | number>(
  p: Parser,
  slots: Iterable<readonly [Key, Slot<unknown>]>,
  what: (name: Key) => string,
): void {
  for (const [name, slot] of slots) {
    if (slot.defined || slot.firstUse === undefined) continue;
    report(p, "nvvm-undefined", `${what(name)} is used, but defined nowhere`, slot.firstUse);
  }
}
