// txq, suq and istypep: PTX ISA sections 9.7.10.5, 9.7.10.6 and 9.7.11.4. Extents are those that hopper returns. The driver loads
// no module with one of the other queries; here they return what the ISA says (docs/textures.md, "Queries").

import { HANDLE } from "../../load/address-space.js";
import { channelOrders } from "../../load/image-formats.table.js";
import type { ImageShape } from "../../load/image.js";
import type { AddressMode, Sampling } from "../../load/texture.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Frame } from "../state/frame.js";
import { handleReader, surfaceFinder, textureFinder } from "../texture/handles.js";
import { samplingOfFields } from "../texture/sampler.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { addressOperand, named } from "./texture.js";

/** The result for an extent that the kind of image lacks; the height of a 1-D texture is 1. */
const NONE = 0;

/** The result of a query about a level of an image. */
type ShapeQuery = (shape: ImageShape, level: number, isTexture: boolean) => number;

const layersOf = ({ kind, slices }: ImageShape): number => (!kind.isLayered ? NONE : kind.isCube ? slices / 6 : slices);

const shapeQueries: Readonly<Record<string, ShapeQuery>> = {
  width: ({ levels }, level) => levels[level]?.width ?? NONE,
  height: ({ kind, levels }, level, isTexture) =>
    kind.dimensions > 1 ? (levels[level]?.height ?? NONE) : isTexture && level === 0 ? 1 : NONE,
  depth: (shape, level) => {
    const found = shape.levels[level];
    return found === undefined ? NONE : shape.kind.dimensions === 3 ? found.depth : layersOf(shape);
  },
  array_size: (shape) => layersOf(shape),
  channel_order: ({ channels }) => channelOrders[channels] ?? NONE,
  num_mipmap_levels: ({ levels }) => (levels.length > 1 ? levels.length : NONE),
  num_samples: () => NONE,
  memory_layout: () => NONE,
};

const modeNumbers: Readonly<Record<AddressMode, number>> = { wrap: 0, mirror: 1, clamp: 3, border: 4 };

const modeOf = ({ address = "clamp" }: Sampling, d: number): number =>
  modeNumbers[typeof address === "string" ? address : (address[d] ?? "clamp")];

/** Queries about a sampler: in independent mode of a .samplerref, in unified mode of the texture. */
const samplerQueries: Readonly<Record<string, (sampling: Sampling, isSampler: boolean) => number>> = {
  filter_mode: ({ filter }) => (filter === "linear" ? 1 : 0),
  addr_mode_0: (sampling) => modeOf(sampling, 0),
  addr_mode_1: (sampling) => modeOf(sampling, 1),
  addr_mode_2: (sampling) => modeOf(sampling, 2),
  normalized_coords: ({ normalized }) => (normalized === true ? 1 : 0),
  force_unnormalized_coords: ({ normalized }, isSampler) => (isSampler && normalized !== true ? 1 : 0),
};

/** Writes the result of each lane. */
function answers(binder: Binder, answer: (frame: Frame, lane: number) => number): Bound {
  const { word, stride } = binder.write(binder.operand(0), 32);
  return {
    lanes: (frame, mask) => {
      for (let lane = 0; lane < 32; lane++)
        if (((mask >>> lane) & 1) !== 0) frame.words[word + stride * lane] = answer(frame, lane);
    },
  };
}

const texture: Meaning = custom((binder) => {
  const query = binder.modifier("query")!;
  const operand = addressOperand(binder);
  const lod = named(binder, "lod");
  const level = lod === undefined ? undefined : binder.read(lod, 32);
  const ofSampler = samplerQueries[query];
  const find = textureFinder(binder, operand, undefined, undefined);
  const handle = handleReader(binder, operand);
  return answers(binder, (frame, lane) => {
    if (ofSampler !== undefined) {
      const reference = binder.process.images.reference(handle.high(frame, lane), handle.low(frame, lane));
      if (reference?.type === "samplerref" && reference.bound === undefined)
        return ofSampler(samplingOfFields(reference.fields), true);
      return ofSampler(find(frame, lane).object.sampling, reference?.type === "samplerref");
    }
    const { shape, sampling } = find(frame, lane).object;
    if (query === "channel_data_type")
      return sampling.read === "normalized" ? shape.format.normalizedType : shape.format.dataType;
    const number = level === undefined ? 0 : frame.unsigned[level.word + level.stride * lane]!;
    return shapeQueries[query]!(shape, number, true);
  });
});

const surface: Meaning = custom((binder) => {
  const query = binder.modifier("query")!;
  const find = surfaceFinder(binder, addressOperand(binder), undefined);
  return answers(binder, (frame, lane) => {
    const { image, level } = find(frame, lane);
    return query === "channel_data_type"
      ? image.shape.format.dataType
      : shapeQueries[query]!(image.shape, level, false);
  });
});

const isType: Reading = (opcode) => {
  const wanted = opcode.chosen.find((text) => text?.endsWith("ref"));
  return custom((binder): Bound => {
    const p = binder.write(binder.operand(0), 1).word;
    const handle = handleReader(binder, binder.operand(1));
    const { images } = binder.process;
    return {
      lanes: (frame, mask) => {
        let found = 0;
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          const [high, low] = [handle.high(frame, lane), handle.low(frame, lane)];
          const kind =
            high === HANDLE.reference ? images.reference(high, low)?.type : refs[images.object(high, low)?.kind ?? ""];
          if (kind === wanted) found |= 1 << lane;
        }
        frame.words[p] = (frame.words[p]! & ~mask) | found;
      },
    };
  });
};

const refs: Readonly<Record<string, string>> = { texture: "texref", surface: "surfref" };

export const textureQueryMeanings: Meanings = { txq: () => texture, suq: () => surface, istypep: isType };
