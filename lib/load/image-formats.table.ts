// Formats of image elements (docs/textures.md, "Formats"). exec/texture/texel-formats.table.ts converts the texels that kernels
// read.

import { elementType, type ElementType } from "./elements.table.js";

export type ImageFormatName = "u8" | "s8" | "u16" | "s16" | "u32" | "s32" | "f16" | "f32";

export interface ImageFormat {
  readonly name: ImageFormatName;
  /** The element type of one channel. */
  readonly element: ElementType;
  /** OpenCL's channel data types for reads as elements and for normalised reads: PTX ISA section 5.3.3, table 12. */
  readonly dataType: number;
  readonly normalizedType: number;
}

const format = (name: ImageFormatName, dataType: number, normalizedType = dataType): ImageFormat => ({
  name,
  element: elementType(name)!,
  dataType,
  normalizedType,
});

const rows: readonly ImageFormat[] = [
  format("u8", 0x10da, 0x10d2),
  format("s8", 0x10d7, 0x10d0),
  format("u16", 0x10db, 0x10d3),
  format("s16", 0x10d8, 0x10d1),
  format("u32", 0x10dc),
  format("s32", 0x10d9),
  format("f16", 0x10dd),
  format("f32", 0x10de),
];

const byName: ReadonlyMap<string, ImageFormat> = new Map(rows.map((row) => [row.name, row]));

export const imageFormatNames: readonly string[] = rows.map(({ name }) => name);

export const imageFormat = (name: string): ImageFormat | undefined => byName.get(name);

/** OpenCL's channel order by the number of channels: PTX ISA section 5.3.3, table 13. */
export const channelOrders: Readonly<Record<number, number>> = { 1: 0x10b0, 2: 0x10b2, 4: 0x10b5 };
