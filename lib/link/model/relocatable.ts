// Data for maps of a link whose output is linked again: an object of -r, or merged PTX. link/views/relocatable.ts makes each
// value on demand (./linked.ts).

import type { Series } from "../../base/series.js";
import type { ModuleOrigin, ObjectSymbol, RelocObject, Section } from "../../object/object.js";
import type { LinkedNames } from "./linked.js";

/** The result of a link without addresses: relocatable output or PTX. */
export interface PartialLink extends LinkedNames {
  readonly output: "object" | "ptx";
  /** The joined object; for merged PTX, the printed one. */
  readonly object: Pick<RelocObject, "name" | "target" | "version"> & {
    /** The modules of all inputs, in order. */
    readonly modules: readonly Pick<ModuleOrigin, "name" | "target" | "version">[];
    readonly symbols: Series<ObjectSymbol>;
    readonly sections: Series<Pick<Section, "role" | "align" | "size">>;
  };
  /** Returns a function that reports whether code or data of the object refers to a symbol; each call computes it again. */
  readonly referred: () => (symbol: number) => boolean;
  /** Whether a section of an input contains a chosen definition; computed by the first call. */
  readonly inUse: () => (object: number, section: number) => boolean;
}
