// The rows of a map (map.ts), and their common fields for a symbol. Offsets, sizes and alignments are bytes.

import { sourceName } from "../../base/source-name.js";
import type { ObjectSymbol } from "../../object/object.js";
import { sourceLineOf, type Contribution, type SourceLine } from "../model/contributions.js";
import type { ReadInputs } from "../model/linked.js";

export const MAP_VERSION = 1;

/** A definition, with its place in the source. */
export interface MapSymbol extends MapPlace {
  readonly name: string;
  readonly demangled?: string;
  /** The linkage as in PTX, without the dot; "static" for names that only one module sees. */
  readonly binding: ObjectSymbol["linkage"];
}

export interface MapDefinition extends MapSymbol {
  readonly offset: number;
  readonly size: number;
  readonly align: number;
  /** The declaration: ".global .f32 x[4]". */
  readonly declaration: string;
}

export type MapEntry =
  | (MapDefinition & { readonly kind: "variable" })
  /** A definition that lost: nothing refers to it, but its bytes remain. */
  | (MapDefinition & { readonly kind: "dead"; readonly lostTo: MapPlace })
  | (MapDefinition & { readonly kind: "parameter" })
  /** The start of dynamic shared memory; a launch determines its size. */
  | (MapDefinition & { readonly kind: "dynamic" })
  | Unnamed<"padding">
  /** The system's part of a block's shared memory. */
  | Unnamed<"system">;

/** Bytes that belong to no symbol. The fields of other kinds are declared as undefined. */
interface Unnamed<Kind> {
  readonly kind: Kind;
  readonly offset: number;
  readonly size: number;
  readonly name?: undefined;
  readonly declaration?: undefined;
}

export type MapPlace = SourceLine;

export type MapSpace = "const" | "global-init" | "global" | "local" | "shared" | "param";

/** One memory: of the module, or of one kernel. */
export interface MapMemoryRows {
  readonly space: MapSpace;
  /** The ELF section. */
  readonly section: string;
  /** For shared memory and parameters: the kernel; absent for the module's. */
  readonly kernel?: string;
  readonly size: number;
  readonly align: number;
  /** Limit in bytes; absent if only the device's memory is the limit. */
  readonly limit?: number;
  /** For parameters: the offset of the first one in constant bank 0. */
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
  /** Size of the encoded code. */
  readonly size: number;
  readonly align: number;
  /** Bytes of the .local and .param variables that it declares. */
  readonly localBytes: number;
  readonly aliases: readonly string[];
}

/** A name without bytes in the image. */
export interface MapUnplaced extends MapSymbol {
  readonly declaration: string;
  /** The provider of its memory: a launch (banks), the driver, a binding (textures), or none, if that was allowed. */
  readonly from: "launch" | "driver" | "binding" | "nobody";
}

/** A name that --defsym defines. */
export interface MapAlias {
  readonly name: string;
  readonly demangled?: string;
  readonly base: string;
  /** Offset in bytes from the start of `base`. */
  readonly offset: number;
}

export type MapReason =
  /** It lost to another definition. */
  | "lost"
  /** No root reaches it (--gc-sections). */
  | "unreached"
  /** A declaration that no code and no data uses. */
  | "unused-declaration"
  /** Shared memory that no code names. */
  | "unnamed";

export interface MapDiscarded extends MapPlace {
  readonly name: string;
  readonly demangled?: string;
  /** The kind of symbol: "a function", "a .global variable". */
  readonly what: string;
  readonly size: number;
  readonly reason: MapReason;
  readonly lostTo?: MapPlace;
  /** Whether its bytes are still in the image. */
  readonly keepsBytes: boolean;
}

/** The contributions of one module to the image. */
export interface MapModule {
  readonly file: string;
  /** The object or archive member that contains it, if that is another file. */
  readonly object?: string;
  readonly target: string;
  readonly ptxVersion: number;
  readonly functions: number;
  readonly variables: number;
  /** Bytes by space; `code`: encoded functions; `dead`: bytes of definitions that lost, which their space's sum includes. */
  readonly bytes: Readonly<Record<"code" | "const" | "global-init" | "global" | "local" | "shared" | "dead", number>>;
}

/** The fields that identify a symbol in every row. */
export function mapSymbol(inputs: ReadInputs, contribution: Contribution): MapSymbol {
  const { name, linkage: binding } = contribution.symbol;
  const demangled = sourceName(name);
  const place = sourceLineOf(inputs, contribution);
  return demangled === undefined ? { name, binding, ...place } : { name, demangled, binding, ...place };
}

/**
 * Adds the fields of all arguments to the first, a new row. Not a literal: after a spread, the engine of Node 20 makes a hidden
 * class for each object, and there are many rows.
 */
export const joinFields = Object.assign;

export function mapName(name: string): Pick<MapSymbol, "name" | "demangled"> {
  const demangled = sourceName(name);
  return demangled === undefined ? { name } : { name, demangled };
}
