// Suggests what an undefined name may mean: the same name defined for its own module only, the same name with another C++
// mangling, the library that defines such names, or the nearest name. Runs only for errors.

import { once } from "../../base/once.js";
import { declaredName, isMangled, plainName, qualifiedName } from "../../base/source-name.js";
import type { Meant, Note } from "../../diag/diagnostic.js";
import { driverFunctions, isProvided } from "../../isa/driver-functions.table.js";
import { describe, subjectText } from "../model/describe.js";
import { type Contribution, moduleName, moduleText, placeOf } from "../model/contributions.js";
import { hintFor } from "./libraries.table.js";
import type { LinkedNames } from "../model/linked.js";
import { rankOf } from "../model/binding-rank.js";
import { STATIC_REMEDY, type Suggestion } from "../model/suggestion.js";
import { isLocal } from "../../object/object.js";

export type Suggester = (name: string) => Suggestion;

/** Without -rdc=true, nvcc omits functions that their own file does not use. */
const DEFINITION_REMEDY = "its definition must be .visible or .weak (nvcc -rdc=true keeps what only other files use)";

/** Limit of the edits from a name to its nearest name. */
const MAX_EDITS = 3;
/** Limit of the missing names with a search for the nearest name, because each search reads every name. */
const MAX_SEARCHES = 20;
/** Limit of notes if several definitions are possible. */
const MAX_NOTES = 3;
/** Number of names with a common prefix in one module from which on they count as a library. */
const FAMILY = 3;

/** The name that __real_NAME refers to with --wrap. */
const realName = (name: string): string | undefined => /^__real_(.+)$/.exec(name)?.[1];

/** The names of the inputs, grouped on demand. */
interface Inventory extends LinkedNames {
  readonly elsewhere: (name: string) => Suggestion | undefined;
  readonly visible: readonly Definition[];
  readonly hidden: readonly Definition[];
  readonly statics: () => Groups;
  readonly byName: () => Groups;
  readonly byPlainName: () => Groups;
  readonly staticsByPlainName: () => Groups;
  readonly byFamily: () => Groups;
  readonly declaring: () => ReadonlyMap<string, number>;
  readonly families: Map<string, Family>;
  /** Number of names that have been compared with all others. */
  searches: number;
}

/** `elsewhere`: looks up a name outside the inputs. */
export function createSuggester(
  { inputs, resolution }: LinkedNames,
  elsewhere: (name: string) => Suggestion | undefined = () => undefined,
): Suggester {
  const { merged } = resolution;
  const { visible, hidden } = definitionsOf(merged);
  const inventory: Inventory = {
    inputs,
    resolution,
    elsewhere,
    visible,
    hidden,
    statics: once(() => groupBy(hidden, ({ name }) => name)),
    byName: once(() => groupBy(visible, ({ name }) => name)),
    byPlainName: once(() => groupBy(visible, ({ name }) => plainName(name))),
    staticsByPlainName: once(() => groupBy(hidden, ({ name }) => plainName(name))),
    byFamily: once(() => groupBy(visible, ({ name }) => familyOf(name) ?? "")),
    declaring: once(() => declaringInputs(merged)),
    families: new Map(),
    searches: 0,
  };
  return (name) => {
    for (const rule of rules) {
      const suggestion = rule(inventory, name);
      if (suggestion !== undefined) return suggestion;
    }
    const remedy = `link the module or library that defines it; ${DEFINITION_REMEDY}`;
    return { notes: [], remedy: remedy + familyText(inventory, name) };
  };
}

/** The first rule with a suggestion wins. */
const rules: readonly ((inventory: Inventory, name: string) => Suggestion | undefined)[] = [
  ownStatics,
  wrappedName,
  ({ elsewhere }, name) => elsewhere(name),
  otherMangling,
  knownLibrary,
  otherManglingOfStatics,
  driverFunction,
  nearestDefinition,
];

const definitions = ({ resolution: { merged } }: Inventory, found: readonly Definition[]): readonly Contribution[] =>
  found.map(({ symbol }) => merged.at(symbol)!.chosen);

const definedAt =
  ({ inputs }: Inventory, what: string) =>
  (each: Contribution): Note => ({
    message: `${describe(each.symbol)} is ${what} in ${moduleName(inputs, each)}`,
    place: placeOf(inputs, each),
  });

const suggestionFor = ({ inputs }: Inventory, each: Contribution): Meant => ({
  name: subjectText(each.symbol.name),
  place: placeOf(inputs, each),
});

function ownStatics(inventory: Inventory, name: string): Suggestion | undefined {
  const own = inventory.statics().get(name);
  if (own === undefined) return undefined;
  const shown = definitions(inventory, own.slice(0, MAX_NOTES));
  return { notes: shown.map(definedAt(inventory, "defined without .visible")), remedy: STATIC_REMEDY };
}

function wrappedName(inventory: Inventory, name: string): Suggestion | undefined {
  const unwrapped = realName(name);
  if (unwrapped === undefined) return undefined;
  const real = definitions(inventory, inventory.byName().get(unwrapped) ?? []);
  if (real.length === 0 && !isProvided(unwrapped)) return undefined;
  return {
    notes: real.slice(0, 1).map(definedAt(inventory, `what --wrap ${unwrapped} would make of this name,`)),
    remedy: `link with --wrap ${unwrapped}: only then does '${name}' mean '${unwrapped}'`,
  };
}

const withSamePlainName = ({ byPlainName }: Inventory, name: string): readonly Definition[] =>
  byPlainName().get(plainName(name)) ?? [];

function otherMangling(inventory: Inventory, name: string): Suggestion | undefined {
  const [first, ...others] = definitions(inventory, likelyDefinitions(name, withSamePlainName(inventory, name)));
  if (first === undefined) return undefined;
  return {
    meant: suggestionFor(inventory, first),
    notes: others.slice(0, MAX_NOTES - 1).map(definedAt(inventory, "defined under this name too")),
    remedy: manglingRemedy(name, first.symbol.name),
  };
}

function knownLibrary(inventory: Inventory, name: string): Suggestion | undefined {
  const known = hintFor(name);
  if (known === undefined) return undefined;
  return { notes: [], remedy: known.hint + (known.isLinked === true ? familyText(inventory, name) : "") };
}

function otherManglingOfStatics(inventory: Inventory, name: string): Suggestion | undefined {
  const found = likelyDefinitions(name, inventory.staticsByPlainName().get(plainName(name)) ?? []);
  const alike = definitions(inventory, found);
  if (alike.length === 0) return undefined;
  const sameName = alike.filter(({ symbol }) => declaredName(symbol.name) === declaredName(name));
  const noted = (list: readonly Contribution[], what: string): readonly Note[] =>
    list.slice(0, MAX_NOTES).map(definedAt(inventory, what));
  if (sameName.length > 0)
    return { notes: noted(sameName, "the same in C++, but defined without .visible"), remedy: STATIC_REMEDY };
  return {
    notes: noted(alike, "defined without .visible, and under another C++ name,"),
    remedy: `${manglingRemedy(name, alike[0]!.symbol.name)}; and ${STATIC_REMEDY}`,
  };
}

function driverFunction(_: Inventory, name: string): Suggestion | undefined {
  const driver = nearestName(name, driverFunctions);
  if (driver === undefined) return undefined;
  const remedy = `the driver defines ${driver}, but not this name`;
  return { meant: { name: driver }, notes: [], remedy };
}

function nearestDefinition(inventory: Inventory, name: string): Suggestion | undefined {
  if (inventory.searches++ >= MAX_SEARCHES) return undefined;
  const near = nearest(name, without(inventory.visible, withSamePlainName(inventory, name)));
  if (near === undefined) return undefined;
  return {
    meant: suggestionFor(inventory, inventory.resolution.merged.at(near.symbol)!.chosen),
    notes: [],
    remedy: "use the name of the definition, or link the module that defines this one",
  };
}

/** Text about other names of the same family: from a library that is linked, or one that is missing completely. */
function familyText(inventory: Inventory, name: string): string {
  const { inputs, families, declaring: declarations } = inventory;
  const family = familyOf(name);
  if (family === undefined) return "";
  // Cache the family: a library that is missing completely has thousands of names in one.
  const found = families.get(family) ?? membersOfFamily(inventory, family);
  families.set(family, found);
  if (!found.isKnown) return `. No input defines any name in ${family}*`;
  // A module that defines a part of a class and refers to the rest is not another version of the library.
  const kin = found.kin.find(({ object }) => object !== declarations().get(name));
  return kin === undefined
    ? ""
    : `. ${moduleText(inputs, kin)} defines other names in ${family}*: is it of the same version?`;
}

function membersOfFamily(inventory: Inventory, family: string): Family {
  const all = definitions(inventory, inventory.byFamily().get(family) ?? []);
  // A namespace is always a family; a prefix before `_` is one only if a module defines many such names.
  const least = family.endsWith("::") ? 1 : FAMILY;
  const kin = [...groupBy(all, ({ object }) => object).values()].filter(({ length }) => length >= least);
  return { isKnown: all.length > 0, kin: kin.slice(0, 2).map(([first]) => first!) };
}

/** Names with a common prefix. */
interface Family {
  /** Whether any input defines a name of the family. */
  readonly isKnown: boolean;
  /** A definition from each of the first two inputs that define many of its names. */
  readonly kin: readonly Contribution[];
}

/** The first input that declares each undefined name. */
function declaringInputs(merged: LinkedNames["resolution"]["merged"]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let symbol = 0; symbol < merged.length; symbol++) {
    const { name, chosen } = merged.at(symbol)!;
    if (rankOf(chosen.symbol) === "declared") found.set(name, chosen.object);
  }
  return found;
}

/** A name and its merged symbol. Not a contribution: thousands of modules have more definitions than fit in memory. */
interface Definition {
  readonly name: string;
  readonly symbol: number;
}

type Groups = ReadonlyMap<string, readonly Definition[]>;

/** The defined symbols: those that modules share, and those that only one module sees. */
function definitionsOf(merged: LinkedNames["resolution"]["merged"]): {
  readonly visible: readonly Definition[];
  readonly hidden: readonly Definition[];
} {
  const visible: Definition[] = [];
  const hidden: Definition[] = [];
  for (let symbol = 0; symbol < merged.length; symbol++) {
    const { name, chosen } = merged.at(symbol)!;
    if (rankOf(chosen.symbol) !== "declared") (isLocal(chosen.symbol) ? hidden : visible).push({ name, symbol });
  }
  return { visible, hidden };
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}

// -------------------------------------------------------------------------------------------------------------- mangling

const qualified = (name: string): string => (isMangled(name) ? qualifiedName(name) : undefined) ?? name;

/**
 * The definitions with the same plain name that are probably meant: those in the same namespace or class; otherwise, if they are
 * few, those in a similar one. (Many classes have an `init`, and override each other's functions.)
 */
function likelyDefinitions(name: string, alike: readonly Definition[]): readonly Definition[] {
  const same = alike.filter((each) => qualified(each.name) === qualified(name));
  if (same.length > 0) return same;
  const near = alike.filter((each) => areSimilarScopes(scopesOf(name), scopesOf(each.name)));
  return near.length <= MAX_NOTES ? near : [];
}

/** The namespaces and classes that contain a name. */
const scopesOf = (name: string): readonly string[] => qualified(name).split("::").slice(0, -1);

/** Whether two scopes may be meant as the same one: one is missing in part or completely, or is spelled slightly differently. */
function areSimilarScopes(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let found = 0;
  for (const scope of long) if (scope === short[found]) found++;
  if (found === short.length) return true;
  const [one, other] = [a.join("::"), b.join("::")];
  const most = Math.min(MAX_EDITS, Math.floor(one.length / 3));
  return editDistance(one, other, most + 1) <= most;
}

/**
 * The family of a name, the part that names of one library share: "ray::" of `_ZN3ray5shadeEv`, "ray_" of `ray_shade` and
 * `_Z9ray_shadev`.
 */
function familyOf(name: string): string | undefined {
  const plain = qualified(name);
  return (/^\w+::/.exec(plain) ?? /^_*[A-Za-z][A-Za-z0-9]+_/.exec(plain))?.[0];
}

function manglingRemedy(name: string, other: string): string {
  if (isMangled(name) !== isMangled(other)) {
    const [cpp, plain] = isMangled(name) ? ["here", "there"] : ["there", "here"];
    return `the names differ in C++ mangling, which is ${cpp} and not ${plain}: write extern "C" on both sides, or on neither`;
  }
  return qualifiedName(name) === qualifiedName(other)
    ? "the names differ in C++ mangling: use the same parameter types on both sides"
    : "the names differ in C++ mangling: use the same namespace or class on both sides";
}

// ---------------------------------------------------------------------------------------------------------- nearest name

/** All definitions except `some`, which were already considered and found unlikely. */
function without(all: readonly Definition[], some: readonly Definition[]): readonly Definition[] {
  const left = new Set(some);
  return left.size === 0 ? all : all.filter((each) => !left.has(each));
}

const nearest = (name: string, candidates: readonly Definition[]): Definition | undefined =>
  nearestOf(name, candidates, (each) => each.name);

const nearestName = (name: string, candidates: readonly string[]): string | undefined =>
  nearestOf(name, candidates, (each) => each);

function nearestOf<T>(name: string, candidates: readonly T[], nameOf: (candidate: T) => string): T | undefined {
  const lower = name.toLowerCase();
  const most = Math.min(MAX_EDITS, Math.floor(name.length / 3));
  let [best, edits]: [T | undefined, number] = [undefined, most + 1];
  for (const candidate of candidates) {
    const other = nameOf(candidate);
    if (Math.abs(other.length - name.length) >= edits) continue;
    if (other.toLowerCase() === lower) return candidate;
    const distance = editDistance(name, other, edits);
    if (distance < edits) [best, edits] = [candidate, distance];
  }
  return best;
}

/**
 * Edit distance with insertions, deletions, changes and swaps of neighbours. A result of `limit` or more means at least `limit`.
 */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : changed;
      next.push(Math.min(changed, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    if (next.every((n) => n >= limit) && row.every((n) => n >= limit)) return limit;
    before = row;
    row = next;
  }
  return row[b.length]!;
}
