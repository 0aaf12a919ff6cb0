// The fields of textures, samplers and surfaces that a declaration may set, and the keywords for their values. PTX ISA 9.0
// section 5.3; the fields of each type and the keywords' values are those of ptxas 13.0.

export type OpaqueTypeName = "texref" | "samplerref" | "surfref";

export interface OpaqueFieldRow {
  readonly name: string;
  readonly types: readonly OpaqueTypeName[];
}

const TEXTURE = ["texref"] as const;
const SAMPLER = ["samplerref"] as const;
const IMAGE = ["texref", "surfref"] as const;
/** A texture also has the fields of its sampler, unless samplers are separate variables. */
const SAMPLING = ["texref", "samplerref"] as const;

/** Files refer to a row by its index: append new rows at the end. */
export const opaqueFields: readonly OpaqueFieldRow[] = [
  { name: "width", types: IMAGE },
  { name: "height", types: IMAGE },
  { name: "depth", types: IMAGE },
  { name: "channel_data_type", types: IMAGE },
  { name: "channel_order", types: IMAGE },
  { name: "normalized_coords", types: TEXTURE },
  { name: "force_unnormalized_coords", types: SAMPLER },
  { name: "filter_mode", types: SAMPLING },
  { name: "addr_mode_0", types: SAMPLING },
  { name: "addr_mode_1", types: SAMPLING },
  { name: "addr_mode_2", types: SAMPLING },
  { name: "array_size", types: IMAGE },
  { name: "num_mipmap_levels", types: TEXTURE },
  { name: "num_samples", types: TEXTURE },
];

/** Keywords and their values; ptxas accepts any of them for any field. */
export const opaqueWords: Readonly<Record<string, number>> = {
  wrap: 0,
  mirror: 1,
  clamp_ogl: 2,
  clamp_to_edge: 3,
  clamp_to_border: 4,
  nearest: 0,
  linear: 1,
};

/** A field that a declaration sets, with its value. */
export interface OpaqueField {
  readonly name: string;
  /** A 32-bit value. */
  readonly value: number;
}

const filters = ["nearest", "linear"];
const modes = ["wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"];

/** The field as PTX: `filter_mode = linear`; a number if no keyword has the value. */
export function printOpaqueField({ name, value }: OpaqueField): string {
  const words = name === "filter_mode" ? filters : name.startsWith("addr_mode_") ? modes : [];
  return `${name} = ${words[value] ?? value}`;
}
