// The differences of two builds: images in only one of them; functions and variables that were added, removed or changed;
// relocations. Also checks a ratchet, which limits how much a function may grow.

import type { ImageSnapshot, Property } from "./snapshot.js";

/** Parts that a comparison may ignore. */
export type DiffPart = "code" | "resources" | "interface" | "data" | "relocations";

export interface PropertyChange {
  readonly property: string;
  /** Null if only the other file has the property. */
  readonly before: Property | null;
  readonly after: Property | null;
  /** The rule of the ratchet that the change breaks: "at most 2 % more". */
  readonly breaks?: string;
}

export interface Change {
  readonly what: "image" | "kernel" | "function" | "variable" | "relocations";
  /** Raw name; functions also have a demangled one. */
  readonly name: string;
  readonly demangled?: string;
  readonly change: "added" | "removed" | "changed";
  readonly properties: readonly PropertyChange[];
}

export interface ImageDiff {
  readonly image: string;
  readonly changes: readonly Change[];
}

export interface Diff {
  readonly images: readonly ImageDiff[];
  /** Number of changes. */
  readonly count: number;
  /** Number of changes that break a rule of the ratchet; 0 without one. */
  readonly broken: number;
}

/** Limits of the growth of a function's properties: in bytes or registers, and as a percentage of the old value. */
export type Ratchet = ReadonlyMap<string, { readonly by: number; readonly percent: number }>;

const partOf: Readonly<Record<string, DiffPart>> = {
  code: "code",
  content: "code",
  instructions: "code",
  calls: "code",
  registers: "resources",
  barriers: "resources",
  shared: "resources",
  stack: "resources",
  frame: "resources",
  local: "resources",
};

/**
 * The part of a function's property. Properties outside the table belong to the interface, except constant banks, which are
 * resources.
 */
const partOfProperty = (name: string): DiffPart =>
  partOf[name] ?? (name.startsWith("constant bank") ? "resources" : "interface");

export interface DiffOptions {
  readonly ignore?: readonly DiffPart[];
  readonly ratchet?: Ratchet;
}

export function diffSnapshots(
  before: readonly ImageSnapshot[],
  after: readonly ImageSnapshot[],
  { ignore = [], ratchet = new Map() }: DiffOptions = {},
): Diff {
  // Two files with one image each are compared whatever their targets.
  const single = before.length === 1 && after.length === 1;
  const pairs = single ? [[before[0]!, after[0]!] as const] : pairsBy(before, after, ({ key }) => key);
  const images = pairs.flatMap(([a, b]): readonly ImageDiff[] => {
    const changes =
      a === undefined || b === undefined
        ? [presence("image", (a ?? b)!.key, a === undefined)]
        : changesOf(a, b, ignore, ratchet);
    const image = a === undefined || b === undefined || a.key === b.key ? (a ?? b)!.key : `${a.key} → ${b.key}`;
    return changes.length === 0 ? [] : [{ image, changes }];
  });
  const all = images.flatMap(({ changes }) => changes);
  const broken = all.filter(({ properties }) => properties.some(({ breaks }) => breaks !== undefined)).length;
  return { images, count: all.length, broken };
}

type Pair<T> = readonly [before: T | undefined, after: T | undefined];

function pairsBy<T>(before: Iterable<T>, after: Iterable<T>, key: (item: T) => string): readonly Pair<T>[] {
  const others = new Map([...after].map((item) => [key(item), item]));
  const found = [...before].map((item): Pair<T> => {
    const other = others.get(key(item));
    others.delete(key(item));
    return [item, other];
  });
  return [...found, ...[...others.values()].map((item): Pair<T> => [undefined, item])];
}

const presence = (what: Change["what"], name: string, isAdded: boolean, demangled?: string): Change => ({
  what,
  name,
  ...(demangled === undefined ? {} : { demangled }),
  change: isAdded ? "added" : "removed",
  properties: [],
});

function changesOf(
  before: ImageSnapshot,
  after: ImageSnapshot,
  ignore: readonly DiffPart[],
  ratchet: Ratchet,
): readonly Change[] {
  const functions: Change[] = pairsBy(before.functions.values(), after.functions.values(), ({ name }) => name).flatMap(
    ([a, b]): Change[] => {
      const { name, demangled, isKernel } = (a ?? b)!;
      const what = isKernel ? "kernel" : "function";
      if (a === undefined || b === undefined) return [presence(what, name, a === undefined, demangled)];
      const properties = propertyChanges(a.properties, b.properties, ignore, ratchet);
      if (properties.length === 0) return [];
      return [{ what, name, ...(demangled === undefined ? {} : { demangled }), change: "changed", properties }];
    },
  );
  const data = ignore.includes("data")
    ? []
    : pairsBy(before.data, after.data, ([name]) => name).flatMap(([a, b]) => variableChange(a, b));
  const relocations = ignore.includes("relocations")
    ? []
    : pairsBy(before.relocations, after.relocations, ([name]) => name).flatMap(([a, b]) => relocationChange(a, b));
  return [...functions.sort(kernelsFirst), ...data, ...relocations];
}

const kernelsFirst = (a: Change, b: Change): number =>
  Number(a.what === "function") - Number(b.what === "function") || (a.name < b.name ? -1 : Number(a.name > b.name));

function propertyChanges(
  before: ReadonlyMap<string, Property>,
  after: ReadonlyMap<string, Property>,
  ignore: readonly DiffPart[],
  ratchet: Ratchet,
): readonly PropertyChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((property): readonly PropertyChange[] => {
    const [a = null, b = null] = [before.get(property), after.get(property)];
    if (a === b || ignore.includes(partOfProperty(property))) return [];
    const breaks = brokenRule(property, a, b, ratchet);
    return [{ property, before: a, after: b, ...(breaks === undefined ? {} : { breaks }) }];
  });
}

function brokenRule(
  property: string,
  before: Property | null,
  after: Property | null,
  ratchet: Ratchet,
): string | undefined {
  const rule = ratchet.get(property);
  // A property that is missing in one file has not grown.
  if (rule === undefined || typeof before !== "number" || typeof after !== "number") return undefined;
  const { by, percent } = rule;
  if (after <= before + Math.max(by, (before * percent) / 100)) return undefined;
  if (by === 0 && percent === 0) return "may not grow";
  return percent === 0 ? `at most ${by} more` : `at most ${percent} % more`;
}

type DataEntry = readonly [name: string, { readonly bytes: number; readonly content: string }];

function variableChange(before: DataEntry | undefined, after: DataEntry | undefined): readonly Change[] {
  if (before === undefined || after === undefined)
    return [presence("variable", (before ?? after)![0], before === undefined)];
  const [name, a] = before;
  const [, b] = after;
  if (a.bytes === b.bytes && a.content === b.content) return [];
  const property = a.bytes === b.bytes ? "content" : "bytes";
  return [
    { what: "variable", name, change: "changed", properties: [{ property, before: a[property], after: b[property] }] },
  ];
}

type RelocationEntry = readonly [section: string, readonly string[]];

function relocationChange(before: RelocationEntry | undefined, after: RelocationEntry | undefined): readonly Change[] {
  const [name, a] = before ?? [after![0], []];
  const b = after?.[1] ?? [];
  const [had, has] = [new Set(a), new Set(b)];
  const gone = a.filter((one) => !has.has(one));
  const added = b.filter((one) => !had.has(one));
  if (gone.length + added.length === 0) return [];
  const properties = [
    ...gone.map((one) => ({ property: "relocation", before: one, after: null })),
    ...added.map((one) => ({ property: "relocation", before: null, after: one })),
  ];
  return [{ what: "relocations", name, change: "changed", properties }];
}
