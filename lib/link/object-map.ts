// The map of a link whose output is linked again: an object of -r, or merged PTX. What is in it, of which module and line, and
// what was discarded for what; nothing has its place in memory yet, so there are no memories and no limits as in the map of
// an image (map.ts). Of merged PTX it tells which names the text has for static symbols that share one.
// docs/linking.md, "The map". Offsets, sizes and alignments are bytes.

import { driverOf } from "../isa/drivers.table.js";
import type { ObjectSymbol, RelocObject, Section } from "../object/object.js";
import { roleShape } from "../object/section-shape.js";
import { symbolNames } from "../object/symbol-names.js";
import { describe } from "./describe.js";
import { firstModules } from "./image.js";
import { isDataRole, sectionsInUse } from "./layout.js";
import { bytesOf, claimOf, type Resolution } from "./resolve.js";
import type { Inputs } from "./inputs.js";
import { readNames } from "./linked.js";
import { discardedByOthers, type KeepsBytes } from "./map-discarded.js";
import { mapName, MAP_VERSION, type MapDiscarded, type MapModule, type MapSymbol } from "./map.js";
import type { RemovedSymbol } from "./removed.js";

/** What the linker has settled when such an output is made. */
export interface Joined {
  readonly inputs: Inputs;
  readonly resolution: Resolution;
  readonly object: RelocObject;
  readonly output: ObjectMap["output"];
}

export interface ObjectMapSymbol extends MapSymbol {
  /** "alias": a second name of a function, whose code it is. */
  readonly kind: "kernel" | "function" | "alias" | "variable" | "reference";
  /** What the merged text calls it, where that is another name. */
  readonly textName?: string;
  /** ".global .f32 x[4]" */
  readonly declaration: string;
  /** Of a function: of encoded code. */
  readonly size: number;
  readonly align: number;
  /** ELF section, which is one of its module in an object of -r; absent where a later link allots it, and in a text. */
  readonly section?: string;
  readonly offset?: number;
}

export interface ObjectMap {
  readonly format: "ptxkit-object-map";
  readonly version: typeof MAP_VERSION;
  readonly output: "object" | "ptx";
  readonly name: string;
  readonly target: string;
  /** major * 10 + minor */
  readonly ptxVersion: number;
  /** Of merged PTX: the first module that says so late a version; none where --ptx-version or the target does. */
  readonly raisedBy?: string;
  /** Of merged PTX: the first driver that takes it, such as "driver r570 (CUDA 12.8) or newer". */
  readonly needs?: string;
  /** In the order of the output. */
  readonly symbols: readonly ObjectMapSymbol[];
  /** Names that a later link, the driver or a launch has to give a meaning. */
  readonly open: readonly ObjectMapSymbol[];
  readonly discarded: readonly MapDiscarded[];
  readonly modules: readonly MapModule[];
}

/** `removed`: what --gc-sections took away (LinkOptions.onRemoved). */
export function makeObjectMap(joined: Joined, removed: readonly RemovedSymbol[] = []): ObjectMap {
  const { inputs, resolution, object, output } = joined;
  const referred = new Set(object.sections.flatMap(({ relocations }) => relocations.map(({ symbol }) => symbol)));
  const all = rowsOf(joined);
  const keepsBytes = keeperOf(joined);
  const commons = new Set(object.symbols.flatMap(({ name, linkage }) => (linkage === "common" ? [name] : [])));
  const isOpen = ({ placement, kind }: ObjectSymbol): boolean => placement.kind === "undefined" && kind !== "reference";
  // An object keeps every declaration, a text those that it needs.
  const isThere = (i: number): boolean =>
    output === "object" ? !commons.has(object.symbols[i]!.name) : referred.has(i);
  const symbols = all.filter((_, i) => !isOpen(object.symbols[i]!));
  return {
    format: "ptxkit-object-map",
    version: MAP_VERSION,
    output,
    name: object.name,
    target: object.target.name,
    ptxVersion: object.version,
    ...(output === "ptx" ? driverNeeds(object) : {}),
    symbols: symbols.map(({ row }) => row),
    open: all.flatMap(({ row }, i) => (isOpen(object.symbols[i]!) && isThere(i) ? [row] : [])),
    discarded: [...discardedByOthers({ inputs, resolution: readNames(resolution) }, keepsBytes, removed)],
    modules: totals(joined, symbols, keepsBytes),
  };
}

/** What a merged text's version asks of a driver, and who asks. */
function driverNeeds({ version, modules }: RelocObject): Pick<ObjectMap, "raisedBy" | "needs"> {
  const raisedBy = modules.find((module) => module.version === version)?.name;
  const needs = driverOf(version);
  return { ...(raisedBy === undefined ? {} : { raisedBy }), ...(needs === undefined ? {} : { needs }) };
}

interface PlacedRow {
  /** Index into the object's modules. */
  readonly module: number;
  readonly symbol: ObjectSymbol;
  readonly row: ObjectMapSymbol;
}

function rowsOf({ inputs, object, output }: Joined): readonly PlacedRow[] {
  const nameOf = symbolNames(object);
  const files = inputs.flatMap(({ name, modules }) => modules.map(() => name));
  return object.symbols.map((symbol, i): PlacedRow => {
    const { name, linkage, placement, origin } = symbol;
    const file = object.modules[origin.module]?.name ?? object.name;
    const from = files[origin.module] ?? file;
    const section = placement.kind === "section" ? object.sections[placement.section]! : undefined;
    const isPlaced = output === "object" && section !== undefined && section.role.kind !== "shared-module";
    const row: ObjectMapSymbol = {
      ...mapName(name),
      binding: linkage,
      file,
      line: origin.line,
      ...(from === file ? {} : { object: from }),
      kind: kindOf(symbol, section, i),
      ...(output === "ptx" && !isInside(symbol) && nameOf(i) !== name ? { textName: nameOf(i) } : {}),
      declaration: describe(symbol),
      size: symbol.kind !== "function" ? bytesOf(symbol) : isOwner(section, i) ? section!.size : 0,
      align: symbol.kind === "variable" ? symbol.layout.align : (section?.align ?? 1),
      ...(isPlaced ? { section: roleShape(section.role, object).name } : {}),
      ...(isPlaced && section.role.kind !== "shared" && placement.kind === "section"
        ? { offset: placement.offset }
        : {}),
    };
    return { module: origin.module, symbol, row };
  });
}

/** Declared in a function, where its name means it alone. */
const isInside = (symbol: ObjectSymbol): boolean => symbol.kind === "variable" && symbol.scope !== undefined;

const isOwner = (section: Section | undefined, symbol: number): boolean =>
  section?.role.kind === "text" && section.role.symbol === symbol;

function kindOf(symbol: ObjectSymbol, section: Section | undefined, index: number): ObjectMapSymbol["kind"] {
  if (symbol.kind !== "function") return symbol.kind;
  if (section !== undefined && !isOwner(section, index)) return "alias";
  return symbol.entry ? "kernel" : "function";
}

/** Whole sections of data stay in an object of -r, with the bytes of what lost in them; a text has nothing of it. */
function keeperOf({ inputs, resolution, output }: Joined): KeepsBytes {
  if (output === "ptx") return () => false;
  const used = sectionsInUse(inputs, resolution.merged);
  return ({ object, symbol: { placement } }) => {
    if (placement.kind !== "section") return false;
    const { role } = inputs[object]!.sections[placement.section]!;
    return isDataRole(role) && (role.kind !== "global" || used[object]!.has(placement.section));
  };
}

type Space = Exclude<keyof MapModule["bytes"], "code" | "dead">;

function spaceOf(symbol: ObjectSymbol): Space | undefined {
  if (symbol.kind !== "variable") return undefined;
  if (symbol.space === "const" || symbol.space === "shared") return symbol.space;
  if (symbol.space === "global") return symbol.initialised ? "global-init" : "global";
  return "local";
}

function totals(
  { inputs, resolution, object }: Joined,
  rows: readonly PlacedRow[],
  keepsBytes: KeepsBytes,
): readonly MapModule[] {
  const files = inputs.flatMap(({ name, modules }) => modules.map(() => name));
  const sums = object.modules.map(({ name, target, version }, i) => ({
    file: name,
    ...(files[i] === undefined || files[i] === name ? {} : { object: files[i] }),
    target: target.name,
    ptxVersion: version as number,
    functions: 0,
    variables: 0,
    bytes: { code: 0, const: 0, "global-init": 0, global: 0, local: 0, shared: 0, dead: 0 },
  }));
  for (const { module, symbol, row } of rows) {
    const sum = sums[module];
    const space = spaceOf(symbol);
    if (sum === undefined || claimOf(symbol) === "declared" || row.kind === "alias") continue;
    if (space === undefined) {
      sum.functions++;
      sum.bytes.code += row.size;
    } else {
      sum.variables++;
      sum.bytes[space] += row.size;
    }
  }
  const moduleBase = firstModules(inputs);
  resolution.merged.forEach((merged, i) => {
    for (const each of merged.all) {
      const [sum, space] = [sums[moduleBase[each.object]! + each.symbol.origin.module], spaceOf(each.symbol)];
      if (each === merged.chosen || sum === undefined || space === undefined || !keepsBytes(each, merged, i)) continue;
      sum.bytes[space] += bytesOf(each.symbol);
      sum.bytes.dead += bytesOf(each.symbol);
    }
  });
  return sums;
}
