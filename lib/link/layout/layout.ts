// Pass: where every module's data goes. As nvlink does it: nothing is sorted again; per section each module's bytes follow
// those before them, in command-line order, at that section's own alignment, so that definitions that lost keep their
// (dead) bytes, without their relocations; only a .nv.global in which all have lost is left out. Common symbols stand
// after the last module's bytes of .nv.global, the one that was first .common anywhere last.
// Offsets and sizes are bytes. docs/linking.md, "Layout".

import type { Relocation, SectionRole } from "../../object/object.js";
import type { SectionOrder } from "./section-order.js";
import type { SymbolOrder } from "./symbol-order.js";

/** The sections that modules' data are joined into, in their order in the image. */
export const dataRoles = ["global-init", "global", "constant", "local"] as const;
export type DataRole = (typeof dataRoles)[number];

/** One module's part of a joined section. */
export interface Piece {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's sections. */
  readonly section: number;
  readonly offset: number;
  /** Those of the input's section that are still wanted; offsets are within that section. */
  readonly relocations: readonly Relocation[];
}

export interface JoinedSection {
  readonly pieces: readonly Piece[];
  readonly align: number;
  readonly size: number;
}

export interface DataLayout {
  readonly joined: { readonly [Role in DataRole]: JoinedSection };
  /** For each input, for each of its sections: offset of its bytes in the joined section; undefined for sections that are not
   * joined. */
  readonly offsetOf: readonly (readonly (number | undefined)[])[];
  /** Offset in `global` of each common symbol, by its index among the merged symbols. */
  readonly commons: ReadonlyMap<number, number>;
}

export interface DataOrder {
  readonly sectionOrder?: SectionOrder;
  /** Every variable has a section of its own then (separate.ts), and those of definitions that lost are left out. */
  readonly symbolOrder?: SymbolOrder;
}

export function isDataRole(role: SectionRole): role is { readonly kind: DataRole } {
  return (dataRoles as readonly string[]).includes(role.kind);
}
