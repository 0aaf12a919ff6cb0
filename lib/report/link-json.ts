// The JSON documents of ptxkit link: of --json, and the map of --map-format json. docs/schemas/link.schema.json and
// map.schema.json are generated from these types (npm run schemas).

import type { Extraction } from "../link/archives/select-archive.js";
import type { SourceLine } from "../link/model/contributions.js";
import type { CallGraph, CallingFunction, KernelDepth } from "../link/reports/call-chains.js";
import type { CrossReference, SymbolTrace } from "../link/reports/cross-reference.js";
import type { Dependency } from "../link/reports/dependencies.js";
import type { LinkMap } from "../link/reports/map.js";
import type { MapSymbol } from "../link/reports/map-rows.js";
import type { MemoryUsage } from "../link/reports/memory-usage.js";
import type { ObjectMap } from "../link/reports/object-map.js";
import type { LinkStats } from "../link/reports/stats.js";

/** The output of --json: a member for each requested report. */
export interface LinkDocument {
  /** --trace: the inputs, in link order. */
  readonly trace?: readonly string[];
  /** --why-extract - */
  readonly whyExtract?: readonly Extraction[];
  /** --print-gc-sections */
  readonly removed?: readonly RemovedRow[];
  /** --why-live */
  readonly whyLive?: readonly WhyLiveRow[];
  readonly traceSymbol?: readonly SymbolTraceRow[];
  /** --cref */
  readonly crossReferences?: readonly CrossReference[];
  /** --print-dependencies */
  readonly dependencies?: readonly Dependency[];
  /** --print-memory-usage */
  readonly memory?: readonly MemoryUsage[];
  /** --print-call-graph */
  readonly callGraph?: CallGraphRows;
  readonly stats?: LinkStats;
}

/** The map of an image, of an object of -r, or of merged PTX. */
export type MapDocument = LinkMap | ObjectMap;

type SymbolName = Pick<MapSymbol, "name" | "demangled">;

/** A symbol that --gc-sections removed. */
export interface RemovedRow extends SymbolName, SourceLine {
  /** "a function", "a .global variable" */
  readonly what: string;
  readonly bytes: number;
  /** "lost": another definition of the name was chosen, which `lostTo` locates. */
  readonly reason: "unreached" | "lost";
  readonly lostTo?: SourceLine;
}

export type WhyLiveRow =
  | (SymbolName & { readonly live: false; readonly reason: "unknown"; readonly nearest: readonly string[] })
  | (SymbolName &
      SourceLine & {
        readonly live: false;
        readonly reason: "unreached";
        /** True without --gc-sections, which then keeps every symbol. */
        readonly kept: boolean;
        readonly what: string;
      })
  | (SymbolName & {
      readonly live: true;
      /** The reason why the first symbol of the chain is a root. */
      readonly root: string;
      /** The symbols from the root to the symbol itself. */
      readonly chain: readonly WhyLiveStep[];
    });

export interface WhyLiveStep extends SymbolName, SourceLine {
  readonly what: string;
  /** The place where the previous symbol refers to this one. */
  readonly reference?: SourceLine;
  readonly isAlias?: boolean;
}

export interface SymbolTraceRow extends Omit<SymbolTrace, "symbols"> {
  readonly symbols: readonly CrossReference[];
}

export interface CallGraphRows extends Omit<CallGraph, "functions" | "kernels"> {
  readonly functions: readonly CallingFunction[];
  readonly kernels: readonly KernelDepth[];
}

/** The same type with lists that may be created on demand while they are written (base/series.ts). */
export type Streamed<T> = T extends readonly (infer Item)[]
  ? Iterable<Streamed<Item>>
  : T extends object
    ? { readonly [Key in keyof T]: Streamed<T[Key]> }
    : T;
