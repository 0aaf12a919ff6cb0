// The rows of a map (map.ts), and what all of them say of a symbol. Offsets, sizes and alignments are bytes.

import { sourceName } from "../../base/source-name.js";
import type { ObjectSymbol } from "../../object/object.js";
import { sourceLineOf, type Contribution, type SourceLine } from "../model/contributions.js";
import type { ReadInputs } from "../model/linked.js";

export const MAP_VERSION = 1;

/** A definition, with its place in the source. */
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
  | Unnamed<"padding">
  /** What the system has of a block's shared memory. */
  | Unnamed<"system">;

/** Bytes of no symbol; it may be asked for what it has not. */
interface Unnamed<Kind> {
  readonly kind: Kind;
  readonly offset: number;
  readonly size: number;
  readonly name?: undefined;
  readonly declaration?: undefined;
}

export type MapPlace = SourceLine;

export type MapSpace = "const" | "global-init" | "global" | "local" | "shared" | "param";

/** One stretch of memory: of the module, or of one kernel. */
export interface MapMemoryRows {
  readonly space: MapSpace;
  /** ELF section */
  readonly section: string;
  /** Of shared memory and parameters: the kernel; absent for the module's. */
  readonly kernel?: string;
  readonly size: number;
  readonly align: number;
  /** Most bytes that it may have; absent where the device's memory is the limit. */
  readonly limit?: number;
  /** Of parameters: the offset of the first in constant bank 0. */
  readonly base?: number;
  /** In the order of their offsets. */
  readonly entries: Iterable<MapEntry>;
}

export interface MapMemory extends MapMemoryRows {
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
  /** The provider of its memory: a launch (banks), the driver, a binding (textures), or none, if that was allowed. */
  readonly from: "launch" | "driver" | "binding" | "nobody";
}

/** A name of --defsym. */
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
  /** Its bytes are still in the image. */
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

/** A symbol as every row names it. */
export function mapSymbol(inputs: ReadInputs, contribution: Contribution): MapSymbol {
  const { name, linkage: binding } = contribution.symbol;
  const demangled = sourceName(name);
  const place = sourceLineOf(inputs, contribution);
  return demangled === undefined ? { name, binding, ...place } : { name, demangled, binding, ...place };
}

/**
 * Adds the fields of all to the first, a new row. Not a literal: after a spread, the engine of Node 20 makes a hidden class for
 * each, and rows are many.
 */
export const joinFields = Object.assign;

export function mapName(name: string): Pick<MapSymbol, "name" | "demangled"> {
  const demangled = sourceName(name);
  return demangled === undefined ? { name } : { name, demangled };
}
