// The map of a link whose output is linked again: an object of -r, or merged PTX. It lists the contents with module and line, and
// the discarded definitions with reasons. Nothing has an address yet, so unlike the map of an image (map.ts) it has no memories
// and no limits. For merged PTX it lists the new names of static symbols that shared one. docs/linking.md, "The map". Offsets,
// sizes and alignments are bytes.

import { driverOf } from "../../isa/drivers.table.js";
import { listOf, valuesOf } from "../../base/series.js";
import type { ObjectSymbol, Section } from "../../object/object.js";
import { roleShape } from "../../object/section-shape.js";
import { symbolNames } from "../../object/print/symbol-names.js";
import type { RemovedSymbol } from "../gc/collect-options.js";
import { describe } from "../model/describe.js";
import { isSame } from "../model/contributions.js";
import type { PartialLink } from "../model/relocatable.js";
import { isDataRole } from "../model/linked.js";
import { bytesOf, rankOf } from "../model/binding-rank.js";
import { discardedByOthers, type KeepsBytes } from "./map-discarded.js";
import { joinFields, mapName, MAP_VERSION, type MapDiscarded, type MapModule, type MapSymbol } from "./map-rows.js";

export interface ObjectMapSymbol extends MapSymbol {
  /** "alias": a second symbol of a function. */
  readonly kind: "kernel" | "function" | "alias" | "variable" | "reference";
  /** The name in the merged text, if it differs. */
  readonly textName?: string;
  /** The declaration: ".global .f32 x[4]". */
  readonly declaration: string;
  /** Size of a variable, or of a function's encoded code. */
  readonly size: number;
  readonly align: number;
  /**
   * The ELF section, which in an object of -r belongs to one module. Absent in a text, and if a later link allocates the
   * variable.
   */
  readonly section?: string;
  readonly offset?: number;
}

/** A map whose rows are made while they are read, again in each iteration. */
export interface ObjectMapRows {
  readonly format: "ptxkit-object-map";
  readonly version: typeof MAP_VERSION;
  readonly output: PartialLink["output"];
  readonly name: string;
  readonly target: string;
  /** major * 10 + minor */
  readonly ptxVersion: number;
  /** For merged PTX: the first module that requires the version; absent if --ptx-version or the target requires it. */
  readonly raisedBy?: string;
  /** For merged PTX: the first driver that supports it, such as "driver r570 (CUDA 12.8) or newer". */
  readonly needs?: string;
  /** In the order of the output. */
  readonly symbols: Iterable<ObjectMapSymbol>;
  /** Names that a later link, the driver or a launch must provide. */
  readonly open: Iterable<ObjectMapSymbol>;
  readonly discarded: Iterable<MapDiscarded>;
  readonly modules: Iterable<MapModule>;
}

/** The map of a link whose output is relocatable, or PTX: there are no addresses. */
export interface ObjectMap extends ObjectMapRows {
  readonly symbols: readonly ObjectMapSymbol[];
  readonly open: readonly ObjectMapSymbol[];
  readonly discarded: readonly MapDiscarded[];
  readonly modules: readonly MapModule[];
}

/** `removed`: symbols that --gc-sections removed (LinkOptions.onRemoved). */
export function objectMapRows(partialLink: PartialLink, removed: Iterable<RemovedSymbol> = []): ObjectMapRows {
  const { object, output } = partialLink;
  const rowOf = rowMaker(partialLink);
  const keepsBytes = keeperOf(partialLink);
  const placed = numbersOf(partialLink, (symbol) => !isUndefined(symbol));
  const open = undefinedIn(partialLink);
  const rows = (numbers: readonly number[]) =>
    listOf(function* () {
      for (const number of numbers) yield rowOf(number);
    });
  return {
    format: "ptxkit-object-map",
    version: MAP_VERSION,
    output,
    name: object.name,
    target: object.target.name,
    ptxVersion: object.version,
    ...(output === "ptx" ? driverNeeds(object) : {}),
    symbols: rows(placed),
    open: rows(open),
    discarded: listOf(() => discardedByOthers(partialLink, keepsBytes, removed)),
    modules: listOf(() => totals(partialLink, placed, keepsBytes)),
  };
}

/** The map with all of its rows. */
export function makeObjectMap(partialLink: PartialLink, removed: Iterable<RemovedSymbol> = []): ObjectMap {
  const { symbols, open, discarded, modules, ...head } = objectMapRows(partialLink, removed);
  return {
    ...head,
    symbols: [...symbols],
    open: [...open],
    discarded: [...discarded],
    modules: [...modules],
  };
}

const isUndefined = ({ placement, kind }: ObjectSymbol): boolean =>
  placement.kind === "undefined" && kind !== "reference";

function numbersOf({ object: { symbols } }: PartialLink, wanted: (symbol: ObjectSymbol) => boolean): readonly number[] {
  const numbers: number[] = [];
  for (let i = 0; i < symbols.length; i++) if (wanted(symbols.at(i)!)) numbers.push(i);
  return numbers;
}

/** The undefined symbols. An object keeps every declaration, a text only the needed ones. */
function undefinedIn(partialLink: PartialLink): readonly number[] {
  const { output, object, referred } = partialLink;
  const open = numbersOf(partialLink, isUndefined);
  if (open.length === 0) return open;
  if (output === "ptx") return open.filter(referred());
  // A declaration may precede the variable that it currently refers to.
  const commons = new Set<string>();
  for (const { name, linkage } of valuesOf(object.symbols)) if (linkage === "common") commons.add(name);
  return open.filter((i) => !commons.has(object.symbols.at(i)!.name));
}

/** The PTX version that a merged text requires of a driver, and the modules that require it. */
function driverNeeds({ version, modules }: PartialLink["object"]): Pick<ObjectMapRows, "raisedBy" | "needs"> {
  const raisedBy = modules.find((module) => module.version === version)?.name;
  const needs = driverOf(version);
  return { ...(raisedBy === undefined ? {} : { raisedBy }), ...(needs === undefined ? {} : { needs }) };
}

type RowSection = Pick<Section, "role" | "align" | "size">;

/** The input file of each module of the object. */
const filesOf = ({ inputs }: PartialLink): readonly string[] =>
  Array.from(valuesOf(inputs), ({ name, modules }) => modules.map(() => name)).flat();

function rowMaker(partialLink: PartialLink): (number: number) => ObjectMapSymbol {
  const { object, output } = partialLink;
  const textNameOf = output === "ptx" ? symbolNames(object) : undefined;
  const files = filesOf(partialLink);
  return (number) => {
    const symbol = object.symbols.at(number)!;
    const { name, linkage, placement, origin } = symbol;
    const file = object.modules[origin.module]?.name ?? object.name;
    const from = files[origin.module] ?? file;
    const section = placement.kind === "section" ? object.sections.at(placement.section)! : undefined;
    const textName = textNameOf === undefined || isInside(symbol) ? name : textNameOf(number);
    return joinFields(
      mapName(name),
      from === file
        ? { binding: linkage, file, line: origin.line }
        : { binding: linkage, file, line: origin.line, object: from },
      { kind: kindOf(symbol, section, number) },
      textName === name ? undefined : { textName },
      { declaration: describe(symbol), size: sizeOf(symbol, section, number), align: alignOf(symbol, section) },
      output === "object" ? sectionPlace(partialLink, symbol, section) : undefined,
    );
  };
}

function sectionPlace(
  { object: { symbols } }: PartialLink,
  { placement }: ObjectSymbol,
  section: RowSection | undefined,
): Pick<ObjectMapSymbol, "section" | "offset"> | undefined {
  // A later link allocates the shared variables of modules and kernels.
  if (section === undefined || section.role.kind === "shared-module" || placement.kind !== "section") return undefined;
  const { name } = roleShape(section.role, { type: "relocatable", symbols });
  return section.role.kind === "shared" ? { section: name } : { section: name, offset: placement.offset };
}

/** Whether a variable is declared in a function, which alone sees its name. */
const isInside = (symbol: ObjectSymbol): boolean => symbol.kind === "variable" && symbol.scope !== undefined;

const isOwner = (section: RowSection | undefined, symbol: number): boolean =>
  section?.role.kind === "text" && section.role.symbol === symbol;

function kindOf(symbol: ObjectSymbol, section: RowSection | undefined, index: number): ObjectMapSymbol["kind"] {
  if (symbol.kind !== "function") return symbol.kind;
  if (section !== undefined && !isOwner(section, index)) return "alias";
  return symbol.entry ? "kernel" : "function";
}

function sizeOf(symbol: ObjectSymbol, section: RowSection | undefined, index: number): number {
  if (symbol.kind !== "function") return bytesOf(symbol);
  return isOwner(section, index) ? section!.size : 0;
}

const alignOf = (symbol: ObjectSymbol, section: RowSection | undefined): number =>
  symbol.kind === "variable" ? symbol.layout.align : (section?.align ?? 1);

/** Whether the output contains a dead definition's bytes: an object of -r keeps whole data sections, a text does not. */
function keeperOf({ inputs, output, inUse }: PartialLink): KeepsBytes {
  if (output === "ptx") return () => false;
  const isUsed = inUse();
  return ({ object, symbol: { placement } }) => {
    if (placement.kind !== "section") return false;
    const { role } = inputs.at(object)!.sections.at(placement.section)!;
    return isDataRole(role) && (role.kind !== "global" || isUsed(object, placement.section));
  };
}

type Space = Exclude<keyof MapModule["bytes"], "code" | "dead">;

function spaceOf(symbol: ObjectSymbol): Space | undefined {
  if (symbol.kind !== "variable") return undefined;
  if (symbol.space === "const" || symbol.space === "shared") return symbol.space;
  if (symbol.space === "global") return symbol.initialised ? "global-init" : "global";
  return "local";
}

/** `placed`: the symbols in the output. */
function totals(partialLink: PartialLink, placed: readonly number[], keepsBytes: KeepsBytes): readonly MapModule[] {
  const { inputs, resolution, object } = partialLink;
  const files = filesOf(partialLink);
  const sums = object.modules.map(({ name, target, version }, i) => ({
    file: name,
    ...(files[i] === undefined || files[i] === name ? {} : { object: files[i] }),
    target: target.name,
    ptxVersion: version as number,
    functions: 0,
    variables: 0,
    bytes: { code: 0, const: 0, "global-init": 0, global: 0, local: 0, shared: 0, dead: 0 },
  }));
  for (const number of placed) {
    const symbol = object.symbols.at(number)!;
    const sum = sums[symbol.origin.module];
    if (sum === undefined || rankOf(symbol) === "declared") continue;
    const section = symbol.placement.kind === "section" ? object.sections.at(symbol.placement.section) : undefined;
    if (kindOf(symbol, section, number) === "alias") continue;
    const [space, size] = [spaceOf(symbol), sizeOf(symbol, section, number)];
    if (space === undefined) {
      sum.functions++;
      sum.bytes.code += size;
    } else {
      sum.variables++;
      sum.bytes[space] += size;
    }
  }
  let modules = 0;
  const firstOf = Array.from(valuesOf(inputs), (input) => (modules += input.modules.length) - input.modules.length);
  for (let i = 0; i < resolution.merged.length; i++) {
    if (resolution.countOf(i) === 1) continue;
    const merged = resolution.merged.at(i)!;
    for (const each of valuesOf(resolution.allOf(i))) {
      if (isSame(each, merged.chosen)) continue;
      const [sum, space] = [sums[firstOf[each.object]! + each.symbol.origin.module], spaceOf(each.symbol)];
      if (sum === undefined || space === undefined || !keepsBytes(each, merged, i)) continue;
      sum.bytes[space] += bytesOf(each.symbol);
      sum.bytes.dead += bytesOf(each.symbol);
    }
  }
  return sums;
}
