// A link for messages and reports: names and the layout. link/views/views.ts makes each value on demand, so that reports of
// thousands of modules keep few of them in memory. Readers visit them one after another, and store numbers, not values.

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

/** A name that is an alias of some input's symbol. */
export interface Alias {
  readonly name: string;
  readonly base: string;
  /** The module that defines `base`, because others may have static symbols of that name. */
  readonly module: string;
  /** Offset in bytes from the start of `base`. */
  readonly offset: number;
  /** The declaration of the name in some module. */
  readonly declared: ObjectSymbol | undefined;
}

/** An input for reports; a RelocObject is one. */
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
  /** Every contribution to a merged symbol, in command-line order. `countOf`: their number. */
  readonly allOf: (symbol: number) => Series<Contribution>;
  readonly countOf: (symbol: number) => number;
  /** Index into `merged`, for each input and each of its symbols. */
  readonly mergedOf: Series<Int32Array>;
}

/** The symbol that a name refers to. */
export interface Merged {
  readonly name: string;
  readonly chosen: Contribution;
  /** The weak definition that was chosen until `chosen`, of a later input, replaced it. */
  readonly replaced?: Contribution;
}

/** All contributions to one name, in command-line order, including the chosen one. */
export type Meaning = Pick<Merged, "name" | "chosen"> & { readonly all: readonly Contribution[] };

/** The meaning of one merged symbol. */
export function meaningOf({ merged, allOf }: ReadNames, symbol: number): Meaning {
  const { name, chosen } = merged.at(symbol)!;
  const all = [...valuesOf(allOf(symbol))];
  return { name, chosen: all.find((each) => isSame(each, chosen))!, all };
}

/** The inputs and their resolved names. */
export interface LinkedNames {
  readonly inputs: ReadInputs;
  readonly resolution: ReadNames;
}

/** The sections into which modules' data are joined, in the image's order. */
const dataRoles = ["global-init", "global", "constant", "local"] as const;
export type DataRole = (typeof dataRoles)[number];

export const isDataRole = (role: SectionRole): role is { readonly kind: DataRole } =>
  (dataRoles as readonly string[]).includes(role.kind);

/** The code of a kept function. */
export interface KeptText {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's sections. */
  readonly section: number;
  /** Index of the function among the merged symbols. */
  readonly symbol: number;
}

/** The result of a link. */
export interface Linked extends LinkedNames {
  readonly texts: Series<KeptText>;
  readonly data: {
    readonly outputSections: {
      readonly [Role in DataRole]: {
        /** Alignment and total size in bytes. */
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
  /** Returns a function that reports whether a merged symbol is in the image; each call computes it again. */
  readonly inImage: () => (symbol: number) => boolean;
  /** Names that options define. */
  readonly aliases: readonly Alias[];
}
