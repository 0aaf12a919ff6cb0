// The map of a link: who put what where, how much of it there is, and what was discarded for what. A plain value made of
// what the passes have settled, only when somebody asks (LinkOptions.onLinked); renderers are report/map-text.ts, and JSON
// as it stands. Its version changes when a field changes its meaning; fields may be added. docs/linking.md, "The map".
// Offsets, sizes and alignments are bytes.

import { demangle } from "../../formats/itanium/index.js";
import type { ObjectSymbol } from "../object/object.js";
import type { SharedUses } from "./shared-reach.js";
import type { Alias } from "./defsym.js";
import { describe } from "./describe.js";
import { numberSymbols, type ImageFrame } from "./image.js";
import { isFromDriver, placeOf, sourceLine, type Contribution, type Inputs, type SourceLine } from "./inputs.js";
import { findDiscarded } from "./map-discarded.js";
import { functionRows } from "./map-functions.js";
import { memories } from "./map-memories.js";
import { moduleTotals } from "./map-modules.js";
import type { RemovedSymbol } from "./removed.js";
import { claimOf } from "./resolve.js";
import type { LaidOut } from "./sections.js";
import { isSystemSymbol } from "./system-symbols.table.js";

export const MAP_VERSION = 1;

/** What the linker has settled when it is done. */
export interface Linked extends LaidOut {
  readonly uses: SharedUses;
  readonly image: ImageFrame;
  /** Names that options define. */
  readonly aliases: readonly Alias[];
}

/** A definition, with where it stands in its source. */
export interface MapSymbol extends MapPlace {
  readonly name: string;
  readonly demangled?: string;
  /** As PTX writes it, without the dot; "static" for names of one module. */
  readonly binding: ObjectSymbol["linkage"];
}

export interface MapDefinition extends MapSymbol {
  readonly offset: number;
  readonly size: number;
  readonly align: number;
  /** ".global .f32 x[4]" */
  readonly declaration: string;
}

export type MapEntry =
  | (MapDefinition & { readonly kind: "variable" })
  /** A definition that lost: nothing refers to it, and its bytes stay. */
  | (MapDefinition & { readonly kind: "dead"; readonly lostTo: MapPlace })
  | (MapDefinition & { readonly kind: "parameter" })
  /** Where dynamic shared memory begins; a launch gives its size. */
  | (MapDefinition & { readonly kind: "dynamic" })
  | { readonly kind: "padding"; readonly offset: number; readonly size: number };

export type MapPlace = SourceLine;

export type MapSpace = "const" | "global-init" | "global" | "local" | "shared" | "param";

/** One stretch of memory: of the module, or of one kernel. */
export interface MapMemory {
  readonly space: MapSpace;
  /** ELF section */
  readonly section: string;
  /** Of shared memory and parameters: the kernel; absent for the module's. */
  readonly kernel?: string;
  readonly size: number;
  readonly align: number;
  /** Most bytes that it may have; absent where the device's memory is the limit. */
  readonly limit?: number;
  /** Of parameters: where the first stands in constant bank 0. */
  readonly base?: number;
  /** In the order of their offsets. */
  readonly entries: readonly MapEntry[];
}

export interface MapFunction extends MapSymbol {
  readonly kind: "kernel" | "function";
  readonly section: string;
  /** Of encoded code. */
  readonly size: number;
  readonly align: number;
  /** Of .local and .param variables that it declares. */
  readonly localBytes: number;
  readonly aliases: readonly string[];
}

/** A name that the image has no bytes for. */
export interface MapUnplaced extends MapSymbol {
  readonly declaration: string;
  /** Who gives it a place: a launch (banks), the driver, a binding (textures), or nobody, where that was allowed. */
  readonly from: "launch" | "driver" | "binding" | "nobody";
}

/** A name that --defsym makes stand for another's place. */
export interface MapAlias {
  readonly name: string;
  readonly demangled?: string;
  readonly base: string;
  /** Bytes from the start of `base`. */
  readonly offset: number;
}

export type MapReason =
  /** Another definition was taken. */
  | "lost"
  /** --gc-sections: no root reaches it. */
  | "unreached"
  /** A declaration that no code and no data uses. */
  | "unused-declaration"
  /** Shared memory that no code names. */
  | "unnamed";

export interface MapDiscarded extends MapPlace {
  readonly name: string;
  readonly demangled?: string;
  /** "a function", "a .global variable" */
  readonly what: string;
  readonly size: number;
  readonly reason: MapReason;
  readonly lostTo?: MapPlace;
  /** Its bytes are in the image all the same. */
  readonly keepsBytes: boolean;
}

/** What one module has put into the image. */
export interface MapModule {
  readonly file: string;
  /** The object or archive member that it came in, where that is another file. */
  readonly object?: string;
  readonly target: string;
  readonly ptxVersion: number;
  readonly functions: number;
  readonly variables: number;
  /** By space; `code` is encoded functions, `dead` bytes of definitions that lost (in their space's sum too). */
  readonly bytes: Readonly<Record<"code" | "const" | "global-init" | "global" | "local" | "shared" | "dead", number>>;
}

export interface LinkMap {
  readonly format: "ptxkit-map";
  readonly version: typeof MAP_VERSION;
  readonly image: string;
  readonly target: string;
  /** major * 10 + minor */
  readonly ptxVersion: number;
  readonly memories: readonly MapMemory[];
  readonly functions: readonly MapFunction[];
  readonly aliases: readonly MapAlias[];
  readonly unplaced: readonly MapUnplaced[];
  readonly discarded: readonly MapDiscarded[];
  readonly modules: readonly MapModule[];
}

/** `removed`: what --gc-sections took away (LinkOptions.onRemoved). */
export function makeMap(linked: Linked, removed: readonly RemovedSymbol[] = []): LinkMap {
  const { image } = linked;
  const all = memories(linked);
  const functions = functionRows(linked);
  const inImage = numberSymbols(linked);
  return {
    format: "ptxkit-map",
    version: MAP_VERSION,
    image: image.name,
    target: image.target.name,
    ptxVersion: image.version,
    memories: all,
    functions,
    aliases: linked.aliases.map(({ name, base, offset }) => ({ ...mapName(name), base, offset })),
    unplaced: unplaced(linked, inImage),
    discarded: findDiscarded(linked, inImage, removed),
    modules: moduleTotals(linked, all, functions),
  };
}

/** A symbol as every row names it. */
export function mapSymbol(inputs: Inputs, contribution: Contribution): MapSymbol {
  const { name, linkage } = contribution.symbol;
  return { ...mapName(name), binding: linkage, ...mapPlace(inputs, contribution) };
}

export function mapName(name: string): Pick<MapSymbol, "name" | "demangled"> {
  const demangled = demangle(name);
  return { name, ...(demangled === undefined ? {} : { demangled }) };
}

export function mapPlace(inputs: Inputs, contribution: Contribution): MapPlace {
  return sourceLine(placeOf(inputs, contribution));
}

/** `inImage`: the image's number of each merged symbol, -1 for those left out. */
function unplaced({ inputs, resolution }: Linked, inImage: Int32Array): readonly MapUnplaced[] {
  return resolution.merged.flatMap(({ chosen }, i): MapUnplaced[] => {
    const { symbol } = chosen;
    if (claimOf(symbol) !== "declared" || inImage[i] === -1) return [];
    if (symbol.kind === "variable" && symbol.space === "shared") return [];
    return [{ ...mapSymbol(inputs, chosen), declaration: describe(symbol), from: providerOf(symbol) }];
  });
}

function providerOf(symbol: ObjectSymbol): MapUnplaced["from"] {
  if (symbol.kind === "reference") return "binding";
  if (isFromDriver(symbol)) return "launch";
  return isSystemSymbol(symbol.name) ? "driver" : "nobody";
}
