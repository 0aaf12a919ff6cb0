// A link as messages and reports see it: names and the layout. link/views/views.ts makes each value on demand, so that reports of
// thousands of modules have few of them in memory. Readers visit them one after another, and keep numbers, not values.

import { valuesOf, type Series } from "../../base/series.js";
import type {
  CodeProperties,
  KernelInfo,
  ModuleOrigin,
  ObjectSymbol,
  RelocObject,
  SectionRole,
} from "../../object/object.js";
import type { OutputTarget } from "./targets.js";
import { isSame, type Contribution } from "./contributions.js";
import type { SharedLayout } from "../shared/shared.js";
import type { SharedUses } from "../shared/shared-reach.js";
import type { ReadSection } from "../../object/columns/views.js";

/** A name and the symbol of some input that it is an alias of. */
export interface Alias {
  readonly name: string;
  readonly base: string;
  /** The module that defines `base`: others may have statics of that name. */
  readonly module: string;
  /** Bytes from the start of `base`. */
  readonly offset: number;
  /** As some module declares the name. */
  readonly declared: ObjectSymbol | undefined;
}

/** An input as reports see it; a RelocObject is one. */
export interface ReadObject extends Pick<RelocObject, "name"> {
  readonly modules: readonly Pick<ModuleOrigin, "name" | "target" | "version" | "targetLine" | "addressSize">[];
  readonly symbols: Series<ObjectSymbol>;
  readonly sections: Series<ReadSection>;
  readonly kernels: Series<Pick<KernelInfo, "symbol" | "parameterOffsets" | "parameterBytes">>;
  readonly calls: Series<RelocObject["calls"][number]>;
  readonly addressTaken: Series<number>;
  /** A function may have several entries. */
  readonly codeProperties: Series<Pick<CodeProperties, "symbol" | "indirectCalls">>;
}

export type ReadInputs = Series<ReadObject>;

/** The meanings of names. */
export interface ReadNames {
  readonly merged: Series<Merged>;
  /** Every contribution to a merged symbol in command-line order, and how many there are. */
  readonly allOf: (symbol: number) => Series<Contribution>;
  readonly countOf: (symbol: number) => number;
  /** For each input, for each of its symbols: index into `merged`. */
  readonly mergedOf: Series<Int32Array>;
}

/** The symbol that a name refers to. */
export interface Merged {
  readonly name: string;
  readonly chosen: Contribution;
  /** The weak definition that counted until `chosen`, of a later input, took its place. */
  readonly replaced?: Contribution;
}

/** All that the inputs say of one name, in command-line order, the chosen contribution among them. */
export type Meaning = Pick<Merged, "name" | "chosen"> & { readonly all: readonly Contribution[] };

/** The same for one merged symbol. */
export function meaningOf({ merged, allOf }: ReadNames, symbol: number): Meaning {
  const { name, chosen } = merged.at(symbol)!;
  const all = [...valuesOf(allOf(symbol))];
  return { name, chosen: all.find((each) => isSame(each, chosen))!, all };
}

/** Names that mean one symbol each. */
export interface LinkedNames {
  readonly inputs: ReadInputs;
  readonly resolution: ReadNames;
}

/** The sections that modules' data are joined into, in their order in the image. */
const dataRoles = ["global-init", "global", "constant", "local"] as const;
export type DataRole = (typeof dataRoles)[number];

export const isDataRole = (role: SectionRole): role is { readonly kind: DataRole } =>
  (dataRoles as readonly string[]).includes(role.kind);

/** One function's code that is kept. */
export interface KeptText {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's sections. */
  readonly section: number;
  /** Index among the merged symbols of the function whose code it is. */
  readonly symbol: number;
}

/** What the linker has settled when it is done. */
export interface Linked extends LinkedNames {
  readonly texts: Series<KeptText>;
  readonly data: {
    readonly outputSections: {
      readonly [Role in DataRole]: {
        /** Bytes, and those of all of it. */
        readonly align: number;
        readonly size: number;
        readonly inputs: { readonly length: number };
      };
    };
    readonly offsetOf: Series<Series<number | undefined>>;
    /** Offset in `global` of each common symbol. */
    readonly commons: ReadonlyMap<number, number>;
  };
  readonly shared: SharedLayout;
  readonly uses: Pick<SharedUses, "named" | "variablesOf">;
  readonly image: OutputTarget & { readonly name: string };
  /** Whether each merged symbol is in the image; counted when it is called. */
  readonly inImage: () => (symbol: number) => boolean;
  /** Names that options define. */
  readonly aliases: readonly Alias[];
}
