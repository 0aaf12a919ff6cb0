// tex and tld4: PTX ISA sections 9.7.10.3 and 9.7.10.4, as hopper executes them (docs/textures.md). This file makes a lookup of
// the operands, and the result of its four words; exec/texture reads the texels.

import { hasModifier } from "../../isa/opcode.js";
import { f32FromBits } from "../../base/num/bits.js";
import { F16, smallEncoder } from "../../base/num/small-float.js";
import type { Operand } from "../../isa/instruction.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Frame, Place } from "../state/frame.js";
import {
  addFetch,
  addGather,
  addIntegerFetch,
  clearFootprint,
  combineTexels,
  createFootprint,
  type Footprint,
  gatherChannel,
  type Lookup,
  newLookup,
} from "../texture/footprint.js";
import { type Geometry, geometryNamed } from "../texture/geometry.table.js";
import { textureFinder } from "../texture/handles.js";
import { gradientLevel, inLevels, levelOf } from "../texture/levels.js";
import type { Sampler } from "../texture/sampler.js";
import { faceOf, newFacePlace } from "../texture/cube.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";

const encodeF16 = smallEncoder(F16, "rn");

/** Fills the footprint of a fetch from a sampler and a lookup; false if the result is 0. */
type Fetch = (sampler: Sampler, lookup: Lookup, frame: Frame, lane: number) => boolean;

export function named(binder: Binder, name: string): Operand | undefined {
  const index = binder.opcode.form.operands.findIndex((spec) => spec.name === name);
  return index < 0 ? undefined : binder.operand(index);
}

/** Places of an operand's elements, each of 32 bits. */
const placesOf = (binder: Binder, operand: Operand | undefined): readonly Place[] =>
  binder.elements(operand).map((element) => binder.read(element, 32));

export const addressOperand = (binder: Binder): Operand & { readonly kind: "address" } => {
  const operand = named(binder, "t") ?? named(binder, "a");
  if (operand?.kind !== "address") throw new TypeError(`${binder.opcode.spelling}: no address operand`);
  return operand;
};

/** Adds the texels of one level, or of two with their weights. */
function addLevels(footprint: Footprint, sampler: Sampler, lookup: Lookup, lod: number): void {
  const level = levelOf(lod, sampler.limits);
  if (!sampler.mipLinear) {
    addFetch(footprint, sampler, lookup, (level + 128) >> 8, 256);
    return;
  }
  const fraction = level & 255;
  addFetch(footprint, sampler, lookup, level >> 8, 256 - fraction);
  if (fraction !== 0) addFetch(footprint, sampler, lookup, (level >> 8) + 1, fraction);
}

/** Converts the gradients of a direction to those of the point on its face. */
function onFace(lookup: Lookup, gradient: Float64Array, n: number): void {
  const place = newFacePlace();
  const moved = newFacePlace();
  const [x, y, z] = [lookup.coordinates[0]!, lookup.coordinates[1]!, lookup.coordinates[2]!];
  faceOf(x, y, z, place);
  const step = 2 ** -20;
  const at = (c: number, d: number): number => c + d * step;
  faceOf(at(x, gradient[0]!), at(y, gradient[1]!), at(z, gradient[2]!), moved);
  const change = (to: number, from: number): number => ((to / moved.major - from / place.major) / step / 2) * n;
  gradient[0] = change(moved.s, place.s);
  gradient[1] = change(moved.t, place.t);
}

function gradientFetch(binder: Binder, geometry: Geometry, footprint: Footprint): Fetch {
  const [xs, ys] = [placesOf(binder, named(binder, "x")), placesOf(binder, named(binder, "y"))];
  const [dx, dy] = [new Float64Array(4), new Float64Array(4)];
  return (sampler, lookup, frame, lane) => {
    const { width, height, depth } = sampler.levels[0]!;
    const scale = (d: number): number => (!sampler.normalized || geometry.isCube ? 1 : [width, height, depth][d]!);
    for (let d = 0; d < geometry.coordinates; d++) {
      dx[d] = frame.floats[xs[d]!.word + xs[d]!.stride * lane]! * scale(d);
      dy[d] = frame.floats[ys[d]!.word + ys[d]!.stride * lane]! * scale(d);
    }
    if (geometry.isCube) for (const gradient of [dx, dy]) onFace(lookup, gradient, width);
    addLevels(footprint, sampler, lookup, gradientLevel(dx, dy, geometry.dimensions));
    return true;
  };
}

/** The fetch, by the form of tex and the type of the coordinates. */
function fetchOf(binder: Binder, geometry: Geometry, footprint: Footprint): Fetch {
  const { id } = binder.opcode.form;
  const isInteger = binder.modifier("ctype") === "s32";
  if (id.startsWith("tex.level")) {
    const { word, stride } = binder.read(named(binder, "lod"), 32);
    if (isInteger)
      return (sampler, lookup, frame, lane) =>
        addIntegerFetch(footprint, sampler, lookup, frame.words[word + stride * lane]!, true);
    return (sampler, lookup, frame, lane) => {
      addLevels(footprint, sampler, lookup, inLevels(frame.floats[word + stride * lane]!));
      return true;
    };
  }
  if (isInteger) return (sampler, lookup) => addIntegerFetch(footprint, sampler, lookup, 0, false);
  if (id.startsWith("tex.grad")) return gradientFetch(binder, geometry, footprint);
  return (sampler, lookup) => {
    addLevels(footprint, sampler, lookup, 0);
    return true;
  };
}

/** Writes four words to the result's registers. */
type Put = (frame: Frame, lane: number, words: Int32Array) => void;

function results(binder: Binder, operand: Operand | undefined): Put {
  const packed = binder.opcode.form.id.endsWith("f16x2");
  const isHalf = hasModifier(binder.opcode, "f16");
  const places = binder.elements(operand).map((element) => binder.write(element, isHalf ? 16 : 32));
  const half = (bits: number): number => encodeF16(f32FromBits(bits));
  const word: (words: Int32Array, i: number) => number = packed
    ? (words, i) => half(words[2 * i]!) | (half(words[2 * i + 1]!) << 16)
    : isHalf
      ? (words, i) => half(words[i]!)
      : (words, i) => words[i]!;
  return (frame, lane, words) => {
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      frame.words[place.word + place.stride * lane] = word(words, i);
    }
  };
}

/** The common part of tex and tld4: finds the texture, fills the lookup, and writes the results. */
function lookupMeaning(
  prepare: (
    binder: Binder,
    geometry: Geometry,
    footprint: Footprint,
  ) => { readonly fetch: Fetch; readonly read: (sampler: Sampler, lookup: Lookup, into: Int32Array) => void },
): Meaning {
  return custom((binder): Bound => {
    const geometry = geometryNamed(binder.modifier("geom")!);
    const footprint = createFootprint(geometry);
    const address = addressOperand(binder);
    const { rest } = address;
    const sampler = rest.length > 1 ? rest[0] : undefined;
    const find = textureFinder(binder, address, sampler, geometry);
    const { fetch, read } = prepare(binder, geometry, footprint);
    const isInteger = binder.modifier("ctype") === "s32";
    const places = placesOf(binder, rest.at(-1));
    const offsets = placesOf(binder, named(binder, "e")).slice(0, geometry.dimensions);
    const compared = named(binder, "f");
    const reference = compared === undefined ? undefined : binder.read(compared, 32);
    const d = binder.operand(0);
    const put = results(binder, d?.kind === "pair" ? d.first : d);
    const resident = d?.kind === "pair" ? binder.write(d.second, 1).word : -1;
    const lookup = newLookup();
    const words = new Int32Array(4);
    return {
      lanes: (frame, mask) => {
        const { floats, words: w, unsigned } = frame;
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          const found = find(frame, lane);
          for (let i = 0; i < geometry.coordinates; i++) {
            const { word, stride } = places[geometry.first + i]!;
            lookup.coordinates[i] = isInteger ? w[word + stride * lane]! : floats[word + stride * lane]!;
          }
          // Hardware has four bits for each offset.
          for (let i = 0; i < offsets.length; i++)
            lookup.offsets[i] = (w[offsets[i]!.word + offsets[i]!.stride * lane]! << 28) >> 28;
          const { layer, sample } = geometry;
          lookup.layer = layer < 0 ? 0 : unsigned[places[layer]!.word + places[layer]!.stride * lane]!;
          if (reference !== undefined) lookup.reference = floats[reference.word + reference.stride * lane]!;
          clearFootprint(footprint);
          // Images have one sample: any other reads 0.
          const isSample = sample < 0 || w[places[sample]!.word + places[sample]!.stride * lane] === 0;
          if (isSample && fetch(found, lookup, frame, lane)) read(found, lookup, words);
          else words.fill(0);
          put(frame, lane, words);
        }
        // All of memory is resident.
        if (resident >= 0) w[resident]! |= mask;
      },
    };
  });
}

const tex: Reading = () =>
  lookupMeaning((binder, geometry, footprint) => ({
    fetch: fetchOf(binder, geometry, footprint),
    read: (sampler, lookup, into) => combineTexels(footprint, sampler, lookup, into),
  }));

const tld4: Reading = (opcode) => {
  const channel = ["r", "g", "b", "a"].findIndex((name) => hasModifier(opcode, name));
  return lookupMeaning((_binder, _geometry, footprint) => ({
    fetch: (sampler, lookup) => {
      addGather(footprint, sampler, lookup, (levelOf(0, sampler.limits) + 128) >> 8);
      return true;
    },
    read: (sampler, lookup, into) => gatherChannel(footprint, sampler, lookup, channel, into),
  }));
};

export const textureMeanings: Meanings = { tex, tld4 };
