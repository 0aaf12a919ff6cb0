// Texture fetches, which are not translated to C: images of several kinds and formats, read in different ways, at any
// coordinates.

import type { Device } from "../../../lib/exec/device/interface.js";
import type { ImageDescription } from "../../../lib/load/image.js";
import type { Sampling } from "../../../lib/load/texture.js";
import { silent } from "./beyond.js";
import { type Builder, distinct, pick } from "./builder.js";
import type { Line } from "./tree.js";

interface Texture {
  readonly image: ImageDescription;
  readonly read: Sampling;
  /** Type of a fetch's result, and number of its coordinates. */
  readonly type: string;
  readonly coordinates: number;
}

/** By the number in their names. */
const textures: readonly Texture[] = [
  {
    image: { kind: "1d", format: "f32", channels: 1, width: 13 },
    read: { normalized: true, filter: "linear", address: "wrap" },
    type: "f32",
    coordinates: 1,
  },
  {
    image: { kind: "2d", format: "f16", channels: 4, width: 8, height: 6 },
    read: { normalized: true, filter: "linear", address: "mirror" },
    type: "f32",
    coordinates: 2,
  },
  {
    image: { kind: "2d", format: "u8", channels: 2, width: 16, height: 5 },
    read: { address: "clamp" },
    type: "u32",
    coordinates: 2,
  },
  {
    image: { kind: "3d", format: "s16", channels: 4, width: 4, height: 5, depth: 3 },
    read: { address: "border" },
    type: "s32",
    coordinates: 3,
  },
];

/** Texture references of the module. */
export const textureVariables: readonly string[] = textures.map((_, i) => `.global .texref texture${i};`);

/** Binds images with a pattern to the references. */
export function bindTextures(device: Device): void {
  textures.forEach(({ image, read }, i) => {
    const made = device.image(image);
    // As halves and as floats these are numbers of all magnitudes.
    device.write(
      made,
      Uint8Array.from({ length: made.size }, (_, at) => (at * 37 + (at >> 3)) & 0x7b),
    );
    device.bind(`texture${i}`, device.texture({ image: made, ...read }));
  });
}

export function fetchTexel(builder: Builder): Line {
  const { random } = builder;
  const number = random.below(textures.length);
  const { type, coordinates, image } = textures[number]!;
  const list = (names: readonly string[]): string => `{${names.map((name) => `%${name}`).join(", ")}}`;
  const at = distinct(builder, "r", coordinates === 1 ? 1 : coordinates === 2 ? 2 : 4);
  const d = list(distinct(builder, "r", 4));
  const coordinateType = pick(random, ["f32", "f32", "s32"]);
  // Mostly integers near the image; otherwise any register.
  if (coordinateType === "f32" || random.below(3) === 0)
    return silent(`tex.${image.kind}.v4.${type}.${coordinateType} ${d}, [texture${number}, ${list(at)}];`);
  const near = at.map((name, i) => `and.b32 %x${i}, %${name}, 15;`).join(" ");
  const places = at.map((_, i) => `%x${i}`).join(", ");
  return silent(
    `{ .reg .b32 %x0, %x1, %x2, %x3; ${near} tex.${image.kind}.v4.${type}.s32 ${d}, [texture${number}, {${places}}]; }`,
  );
}
