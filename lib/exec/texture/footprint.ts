// The footprint of a texture fetch: the texels that it reads, their weights, and their combination. Each bound instruction has
// one footprint, which is refilled for each lane so that a fetch allocates nothing.

import type { ImageLevel } from "../../load/image.js";
import { BORDER, inTexels, linearTexels, pointTexel } from "./coordinates.js";
import { createCubeTaps, cubeWeights, faceOf, faceTexel, newCubeTexels, newFacePlace } from "./cube.js";
import type { Geometry } from "./geometry.table.js";
import type { Sampler } from "./sampler.js";
import { SLICE, sumCompared } from "./sums.js";
import { share, upperShare } from "./weights.js";

/** Maximum number of texels: two levels of two slices. */
const MOST = 4 * SLICE;

export interface Lookup {
  /** Coordinates, as floats or integers. */
  readonly coordinates: Float64Array;
  /** Offsets that are added to texel indices. */
  readonly offsets: Int32Array;
  layer: number;
  /** Reference that texels are compared with; comparisons with NaN are false. Undefined if there is no comparison. */
  reference: number | undefined;
}

export const newLookup = (): Lookup => ({
  coordinates: new Float64Array(4),
  offsets: new Int32Array(4),
  layer: 0,
  reference: undefined,
});

export interface Footprint {
  readonly geometry: Geometry;
  /** Byte offset of each texel in the sampler's view, or BORDER. */
  readonly places: Float64Array;
  readonly weights: Int32Array;
  readonly values: Float64Array;
  /** Both texels and the fraction, for each dimension. */
  readonly taps: Int32Array;
  readonly face: ReturnType<typeof newFacePlace>;
  readonly cube: ReturnType<typeof newCubeTexels>;
  readonly cubeTaps: ReturnType<typeof createCubeTaps>;
  /** Number of texels added so far. */
  count: number;
  /** The result is a weighted sum, of several texels or of a linear filter. */
  isSum: boolean;
}

/** Texels in the order of a gather's results: (x0,y1), (x1,y1), (x1,y0), (x0,y0). */
const gatherOrder: readonly number[] = [2, 3, 1, 0];

const ONE_BITS = 0x3f800000;

export const createFootprint = (geometry: Geometry): Footprint => ({
  geometry,
  places: new Float64Array(MOST),
  weights: new Int32Array(MOST),
  values: new Float64Array(MOST),
  taps: new Int32Array(9),
  face: newFacePlace(),
  cube: newCubeTexels(),
  cubeTaps: createCubeTaps(),
  count: 0,
  isSum: false,
});

export function clearFootprint(footprint: Footprint): void {
  footprint.count = 0;
  footprint.isSum = false;
}

// ---------------------------------------------------------------------------------------------------------- coordinates

const extent = (level: ImageLevel, d: number): number => (d === 0 ? level.width : d === 1 ? level.height : level.depth);

const sliceOf = ({ slices }: Sampler, { layer }: Lookup): number => Math.min(layer, slices - 1);

const firstFace = ({ slices }: Sampler, { layer }: Lookup): number => 6 * Math.min(layer, Math.floor(slices / 6) - 1);

const placeOf = (sampler: Sampler, level: ImageLevel, x: number, y: number, z: number): number =>
  x === BORDER || y === BORDER || z === BORDER
    ? BORDER
    : sampler.base + level.offset + z * level.sliceBytes + y * level.rowBytes + x * sampler.texelBytes;

/** Byte offset of the texel that `taps` selects. */
function tapPlace({ geometry, taps }: Footprint, sampler: Sampler, lookup: Lookup, level: ImageLevel): number {
  const { dimensions } = geometry;
  const y = dimensions === 1 ? 0 : taps[1]!;
  return placeOf(sampler, level, taps[0]!, y, dimensions === 3 ? taps[2]! : sliceOf(sampler, lookup));
}

/** Sets `face` to where the direction meets a face of the cube. */
function findFace({ face }: Footprint, { coordinates }: Lookup): void {
  const [x, y, z] = [coordinates[0]!, coordinates[1]!, coordinates[2]!];
  faceOf(x === x ? x : 0, y === y ? y : 0, z === z ? z : 0, face);
}

/** Sets `taps` to both texels and the fraction of each dimension. */
function findTaps(
  { geometry, taps }: Footprint,
  sampler: Sampler,
  { coordinates, offsets }: Lookup,
  level: ImageLevel,
  gathers: boolean,
): void {
  for (let d = 0; d < geometry.dimensions; d++) {
    const n = extent(level, d);
    const u = inTexels(coordinates[d]!, n, sampler.normalized);
    linearTexels(u, n, sampler.modes[d]!, offsets[d]!, gathers, taps, 3 * d);
  }
}

// --------------------------------------------------------------------------------------------------------------- texels

function addTexel(footprint: Footprint, place: number, total: number): void {
  const { places, weights, count } = footprint;
  places.fill(BORDER, count, count + SLICE);
  weights.fill(0, count, count + SLICE);
  places[count] = place;
  weights[count] = total;
  footprint.count += SLICE;
}

/** Adds the four texels of a plane, without weights. In one dimension, the second row repeats the first. */
function addPlane({ geometry, places, taps, count }: Footprint, sampler: Sampler, level: ImageLevel, z: number): void {
  for (let k = 0; k < SLICE; k++) {
    const y = geometry.dimensions === 1 ? 0 : taps[3 + (k >> 1)]!;
    places[count + k] = placeOf(sampler, level, taps[k & 1]!, y, z);
  }
}

/** Adds the four texels around a direction, without weights. */
function addCubeTaps(footprint: Footprint, sampler: Sampler, lookup: Lookup, level: ImageLevel): void {
  const { places, face, cube, count } = footprint;
  findFace(footprint, lookup);
  footprint.cubeTaps(face, level.width, sampler.seamless, cube);
  const first = firstFace(sampler, lookup);
  for (let k = 0; k < SLICE; k++) {
    // A missing corner has its neighbour's texel and no weight.
    const own = cube.faces[k] === BORDER ? face.face : cube.faces[k]!;
    places[count + k] = placeOf(sampler, level, cube.xs[k]!, cube.ys[k]!, first + own);
  }
}

/** Adds the texels of a fetch with float coordinates at level `number`. Their weights sum to `total` (of 256). */
export function addFetch(footprint: Footprint, sampler: Sampler, lookup: Lookup, number: number, total: number): void {
  const level = sampler.levels[number]!;
  const { isCube } = footprint.geometry;
  if (total !== 256 || sampler.linear) footprint.isSum = true;
  if (!sampler.linear) {
    if (isCube) addNearestOfCube(footprint, sampler, lookup, level, total);
    else addNearest(footprint, sampler, lookup, level, total);
  } else if (isCube) {
    addCubeTaps(footprint, sampler, lookup, level);
    cubeWeights(footprint.cube, total, footprint.weights, footprint.count);
    footprint.count += SLICE;
  } else addLinear(footprint, sampler, lookup, level, total);
}

function addNearest(footprint: Footprint, sampler: Sampler, lookup: Lookup, level: ImageLevel, total: number): void {
  const { geometry, taps } = footprint;
  const { coordinates, offsets } = lookup;
  for (let d = 0; d < geometry.dimensions; d++) {
    const n = extent(level, d);
    const u = inTexels(coordinates[d]!, n, sampler.normalized);
    taps[d] = pointTexel(u, n, sampler.modes[d]!, offsets[d]!);
  }
  addTexel(footprint, tapPlace(footprint, sampler, lookup, level), total);
}

function addNearestOfCube(
  footprint: Footprint,
  sampler: Sampler,
  lookup: Lookup,
  level: ImageLevel,
  total: number,
): void {
  const { face } = footprint;
  findFace(footprint, lookup);
  const [x, y] = [faceTexel(face.s, face.major, level.width), faceTexel(face.t, face.major, level.width)];
  addTexel(footprint, placeOf(sampler, level, x, y, firstFace(sampler, lookup) + face.face), total);
}

function addLinear(footprint: Footprint, sampler: Sampler, lookup: Lookup, level: ImageLevel, total: number): void {
  const { geometry, taps, weights } = footprint;
  const { dimensions } = geometry;
  findTaps(footprint, sampler, lookup, level, false);
  const b = dimensions === 1 ? 0 : taps[5]!;
  if (dimensions < 3) {
    addPlane(footprint, sampler, level, sliceOf(sampler, lookup));
    share(total, taps[2]!, b, weights, footprint.count);
    footprint.count += SLICE;
    return;
  }
  const upper = upperShare(total, taps[8]!);
  for (let slice = 0; slice < 2; slice++) {
    addPlane(footprint, sampler, level, taps[6 + slice]!);
    share(slice === 0 ? total - upper : upper, taps[2]!, b, weights, footprint.count);
    footprint.count += SLICE;
  }
}

/**
 * Adds the single texel of a fetch with integer coordinates. Returns false outside the image. With `clamps`, coordinates outside
 * are clamped.
 */
export function addIntegerFetch(
  footprint: Footprint,
  sampler: Sampler,
  lookup: Lookup,
  number: number,
  clamps: boolean,
): boolean {
  const level = sampler.levels[number];
  if (level === undefined || sampler.isPlain1d) return false;
  const { geometry, taps } = footprint;
  const { coordinates, offsets } = lookup;
  for (let d = 0; d < geometry.dimensions; d++) {
    const n = extent(level, d);
    const i = coordinates[d]! + offsets[d]!;
    if (!clamps && !(i >= 0 && i < n)) return false;
    taps[d] = Math.max(0, Math.min(n - 1, i));
  }
  if (!clamps && lookup.layer >= sampler.slices) return false;
  addTexel(footprint, tapPlace(footprint, sampler, lookup, level), 256);
  return true;
}

/** Adds the four texels of a gather, in address order. */
export function addGather(footprint: Footprint, sampler: Sampler, lookup: Lookup, number: number): void {
  const level = sampler.levels[number]!;
  if (footprint.geometry.isCube) addCubeTaps(footprint, sampler, lookup, level);
  else {
    findTaps(footprint, sampler, lookup, level, true);
    addPlane(footprint, sampler, level, sliceOf(sampler, lookup));
  }
  footprint.count += SLICE;
}

// -------------------------------------------------------------------------------------------------------------- results

/** Combines the texels to the fetch's result of four words. */
export function combineTexels(footprint: Footprint, sampler: Sampler, { reference }: Lookup, into: Int32Array): void {
  const { places, weights, values, count, isSum } = footprint;
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
}

/** Writes one channel of each of a gather's four texels. */
export function gatherChannel(
  { places }: Footprint,
  { channels, channelBytes, view }: Sampler,
  { reference }: Lookup,
  c: number,
  into: Int32Array,
): void {
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
}
