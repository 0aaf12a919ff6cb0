// The texels that one fetch reads, with their weights, and what comes of them. One value for each bound instruction, filled anew
// for each lane: a fetch allocates nothing.

import type { ImageLevel } from "../../load/image.js";
import { BORDER, inTexels, linearTexels, pointTexel } from "./coordinates.js";
import { createCubeTaps, cubeWeights, faceOf, faceTexel, newCubeTexels, newFacePlace } from "./cube.js";
import type { Geometry } from "./geometry.table.js";
import type { Sampler } from "./sampler.js";
import { SLICE, sumCompared } from "./sums.js";
import { share, upperShare } from "./weights.js";

/** Two levels of two slices. */
const MOST = 4 * SLICE;

export interface Lookup {
  /** Coordinates, as floats or whole numbers. */
  readonly coordinates: Float64Array;
  /** Added to texel numbers. */
  readonly offsets: Int32Array;
  layer: number;
  /** Texels are compared with it; NaN compares to nothing. Undefined where they are not. */
  reference: number | undefined;
}

export const newLookup = (): Lookup => ({
  coordinates: new Float64Array(4),
  offsets: new Int32Array(4),
  layer: 0,
  reference: undefined,
});

export interface Footprint {
  /** No texels yet. */
  clear(): void;
  /** Adds the texels of a fetch with float coordinates at that level, which share `total` of 256. */
  add(sampler: Sampler, lookup: Lookup, level: number, total: number): void;
  /** The one texel of a fetch with integer coordinates; false where there is none. `clamps`: coordinates outside are moved in. */
  addInteger(sampler: Sampler, lookup: Lookup, level: number, clamps: boolean): boolean;
  /** The four texels of a gather, of which `order` says which comes first. */
  addGather(sampler: Sampler, lookup: Lookup, level: number): void;
  /** Combines the texels to the result, four words. */
  result(sampler: Sampler, lookup: Lookup, into: Int32Array): void;
  /** One channel of each of the four texels of a gather. */
  gathered(sampler: Sampler, lookup: Lookup, channel: number, into: Int32Array): void;
}

/** (x0,y1), (x1,y1), (x1,y0), (x0,y0). */
const gatherOrder: readonly number[] = [2, 3, 1, 0];

const ONE_BITS = 0x3f800000;

export function createFootprint(geometry: Geometry): Footprint {
  const { dimensions, isCube } = geometry;
  /** Byte offsets in the sampler's view, or BORDER. */
  const places = new Float64Array(MOST);
  const weights = new Int32Array(MOST);
  const values = new Float64Array(MOST);
  /** Both texels and the fraction of each dimension. */
  const taps = new Int32Array(9);
  const face = newFacePlace();
  const cube = newCubeTexels();
  const cubeTaps = createCubeTaps();
  let count = 0;
  /** Of several texels, or filtered: weights count. */
  let isSum = false;

  const extent = (level: ImageLevel, d: number): number =>
    d === 0 ? level.width : d === 1 ? level.height : level.depth;
  const placeOf = (sampler: Sampler, level: ImageLevel, x: number, y: number, z: number): number =>
    x === BORDER || y === BORDER || z === BORDER
      ? BORDER
      : sampler.base + level.offset + z * level.sliceBytes + y * level.rowBytes + x * sampler.texelBytes;
  const single = (place: number, total: number): void => {
    places.fill(BORDER, count, count + SLICE);
    weights.fill(0, count, count + SLICE);
    places[count] = place;
    weights[count] = total;
    count += SLICE;
  };
  const onFace = ({ coordinates }: Lookup): void => {
    const [x, y, z] = [coordinates[0]!, coordinates[1]!, coordinates[2]!];
    faceOf(x === x ? x : 0, y === y ? y : 0, z === z ? z : 0, face);
  };
  const sliceOf = ({ slices }: Sampler, { layer }: Lookup): number => Math.min(layer, slices - 1);
  const firstFace = ({ slices }: Sampler, { layer }: Lookup): number => 6 * Math.min(layer, Math.floor(slices / 6) - 1);
  const addCubeTaps = (sampler: Sampler, lookup: Lookup, level: ImageLevel): void => {
    onFace(lookup);
    cubeTaps(face, level.width, sampler.seamless, cube);
    const first = firstFace(sampler, lookup);
    for (let k = 0; k < SLICE; k++) {
      // A corner that is not there has its neighbour's texel, and no weight.
      const own = cube.faces[k] === BORDER ? face.face : cube.faces[k]!;
      places[count + k] = placeOf(sampler, level, cube.xs[k]!, cube.ys[k]!, first + own);
    }
  };
  const findTaps = (sampler: Sampler, { coordinates, offsets }: Lookup, level: ImageLevel, gathers: boolean): void => {
    for (let d = 0; d < dimensions; d++) {
      const n = extent(level, d);
      const u = inTexels(coordinates[d]!, n, sampler.normalized);
      linearTexels(u, n, sampler.modes[d]!, offsets[d]!, gathers, taps, 3 * d);
    }
  };
  /** The four texels of a plane; the second row is the first one's copy in one dimension. */
  const addPlane = (sampler: Sampler, level: ImageLevel, z: number): void => {
    for (let k = 0; k < SLICE; k++) {
      const y = dimensions === 1 ? 0 : taps[3 + (k >> 1)]!;
      places[count + k] = placeOf(sampler, level, taps[k & 1]!, y, z);
    }
  };

  return {
    clear() {
      count = 0;
      isSum = false;
    },
    add(sampler, lookup, number, total) {
      const level = sampler.levels[number]!;
      if (total !== 256) isSum = true;
      if (!sampler.linear) {
        if (isCube) {
          onFace(lookup);
          const [x, y] = [faceTexel(face.s, face.major, level.width), faceTexel(face.t, face.major, level.width)];
          single(placeOf(sampler, level, x, y, firstFace(sampler, lookup) + face.face), total);
          return;
        }
        const { coordinates, offsets } = lookup;
        for (let d = 0; d < dimensions; d++) {
          const n = extent(level, d);
          const u = inTexels(coordinates[d]!, n, sampler.normalized);
          taps[d] = pointTexel(u, n, sampler.modes[d]!, offsets[d]!);
        }
        const y = dimensions === 1 ? 0 : taps[1]!;
        single(placeOf(sampler, level, taps[0]!, y, dimensions === 3 ? taps[2]! : sliceOf(sampler, lookup)), total);
        return;
      }
      isSum = true;
      if (isCube) {
        addCubeTaps(sampler, lookup, level);
        cubeWeights(cube, total, weights, count);
        count += SLICE;
        return;
      }
      findTaps(sampler, lookup, level, false);
      const b = dimensions === 1 ? 0 : taps[5]!;
      if (dimensions < 3) {
        addPlane(sampler, level, sliceOf(sampler, lookup));
        share(total, taps[2]!, b, weights, count);
        count += SLICE;
        return;
      }
      const upper = upperShare(total, taps[8]!);
      for (let slice = 0; slice < 2; slice++) {
        addPlane(sampler, level, taps[6 + slice]!);
        share(slice === 0 ? total - upper : upper, taps[2]!, b, weights, count);
        count += SLICE;
      }
    },
    addInteger(sampler, lookup, number, clamps) {
      const level = sampler.levels[number];
      if (level === undefined || sampler.isPlain1d) return false;
      const { coordinates, offsets } = lookup;
      for (let d = 0; d < dimensions; d++) {
        const n = extent(level, d);
        const i = coordinates[d]! + offsets[d]!;
        if (!clamps && !(i >= 0 && i < n)) return false;
        taps[d] = Math.max(0, Math.min(n - 1, i));
      }
      if (!clamps && lookup.layer >= sampler.slices) return false;
      const y = dimensions === 1 ? 0 : taps[1]!;
      single(placeOf(sampler, level, taps[0]!, y, dimensions === 3 ? taps[2]! : sliceOf(sampler, lookup)), 256);
      return true;
    },
    addGather(sampler, lookup, number) {
      const level = sampler.levels[number]!;
      if (isCube) addCubeTaps(sampler, lookup, level);
      else {
        findTaps(sampler, lookup, level, true);
        addPlane(sampler, level, sliceOf(sampler, lookup));
      }
      count += SLICE;
    },
    result(sampler, { reference }, into) {
      const { channels, channelBytes, view } = sampler;
      for (let c = 0; c < 4; c++) {
        const channel = channels[c];
        if (channel === undefined) {
          into[c] = 0;
          continue;
        }
        if (!isSum && reference === undefined) {
          const place = places[0]!;
          into[c] = place === BORDER ? channel.borderBits : channel.bits(view, place + c * channelBytes);
          continue;
        }
        for (let k = 0; k < count; k++) {
          const place = places[k]!;
          const value = place === BORDER ? channel.borderValue : channel.value(view, place + c * channelBytes);
          values[k] = reference === undefined ? value : reference <= value ? 1 : 0;
        }
        into[c] = (reference === undefined ? channel.sum! : sumCompared)(values, weights, count);
      }
    },
    gathered(sampler, { reference }, c, into) {
      const { channels, channelBytes, view } = sampler;
      const channel = channels[c];
      for (let k = 0; k < SLICE; k++) {
        if (channel === undefined) {
          into[k] = 0;
          continue;
        }
        const place = places[gatherOrder[k]!]!;
        if (reference === undefined)
          into[k] = place === BORDER ? channel.borderBits : channel.bits(view, place + c * channelBytes);
        else {
          const value = place === BORDER ? channel.borderValue : channel.value(view, place + c * channelBytes);
          into[k] = reference <= value ? ONE_BITS : 0;
        }
      }
    },
  };
}
