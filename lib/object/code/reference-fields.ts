// Initial values of textures, samplers and surfaces: as PTX text, and for samplers as records of `.nv.info`, for other tools.
// docs/format.md, "Declarations" and "Attributes".

import { EIATTR, EIFMT, type InfoEntry } from "../../../formats/cuda/index.js";
import { printOpaqueField, type OpaqueField } from "../../isa/opaque-fields.table.js";
import type { ReferenceSymbol } from "../object.js";

/** The initialiser: ` = { filter_mode = linear }`; empty if no field is set. */
export function printFields(fields: readonly OpaqueField[] | undefined): string {
  return fields === undefined ? "" : ` = { ${fields.map(printOpaqueField).join(", ")} }`;
}

/** One byte each; 0xff if the field is not set. */
const PACKED = ["addr_mode_0", "addr_mode_1", "addr_mode_2", "filter_mode"];

/** The record for a sampler that is defined here, with its ELF symbol. */
export function samplerEntries(
  { type, linkage, fields = [] }: Pick<ReferenceSymbol, "type" | "linkage" | "fields">,
  symbol: number,
): readonly InfoEntry[] {
  if (type !== "samplerref" || linkage === "extern") return [];
  const valueOf = (name: string): number | undefined => fields.find((field) => field.name === name)?.value;
  const entry = (attribute: number, value: number): InfoEntry => ({
    attribute,
    format: EIFMT.SVAL,
    payload: { kind: "symbol-value", symbol, value },
  });
  const packed = PACKED.reduce((sum, name, i) => sum + ((valueOf(name) ?? 0xff) & 0xff) * 2 ** (8 * i), 0);
  const forced = valueOf("force_unnormalized_coords");
  return [
    ...(forced === undefined ? [] : [entry(EIATTR.SAMPLER_FORCE_UNNORMALIZED, forced)]),
    entry(EIATTR.SAMPLER_INIT, packed),
  ];
}
