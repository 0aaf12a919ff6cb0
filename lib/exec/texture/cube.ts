// Cube maps: the face that a direction meets, the position there, and the texels across an edge. Faces are +x -x +y -y +z -z.
// docs/textures.md, "Gathers and cubes"; the table of faces is from the CUDA C++ Programming Guide.

import { BORDER, clampedPosition } from "./coordinates.js";
import { share, spreadCorner } from "./weights.js";

/** A direction's position on its face: s and t range from -major to major. Refilled for each direction. */
export interface FacePlace {
  face: number;
  s: number;
  t: number;
  /** Magnitude of the longest coordinate. */
  major: number;
}

export const newFacePlace = (): FacePlace => ({ face: 0, s: 0, t: 0, major: 0 });

/** Finds the face of a direction. Ties go to x, then to y. */
export function faceOf(x: number, y: number, z: number, into: FacePlace): void {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (ax >= ay && ax >= az) {
    into.face = x < 0 ? 1 : 0;
    into.s = x > 0 ? -z : z;
    into.t = -y;
    into.major = ax;
  } else if (ay >= az) {
    into.face = y < 0 ? 3 : 2;
    into.s = x;
    into.t = y > 0 ? z : -z;
    into.major = ay;
  } else {
    into.face = z < 0 ? 5 : 4;
    into.s = z > 0 ? x : -x;
    into.t = -y;
    into.major = az;
  }
}

/**
 * floor((s / major + 1) / 2 * n * scale + half / 2), exactly: a quotient near an integer is compared with it through products,
 * which doubles represent exactly.
 */
function floorOnFace(s: number, major: number, n: number, scale: number, half: number): number {
  if (!(major > 0 && major < Infinity)) return 0;
  const steps = n * scale;
  let found = Math.floor(((s / major + 1) * steps + half) / 2);
  while (s * steps < major * (2 * found - half - steps)) found--;
  while (s * steps >= major * (2 * (found + 1) - half - steps)) found++;
  return found;
}

/** Texel index in one dimension of a face, for a fetch without filter. */
export const faceTexel = (s: number, major: number, n: number): number =>
  Math.max(0, Math.min(n - 1, floorOnFace(s, major, n, 1, 0)));

/** Position on a face in 1/256 texels, counted from the first texel's centre. */
export const facePosition = (s: number, major: number, n: number): number => floorOnFace(s, major, n, 256, 1) - 128;

/** Finds the texel of the neighbouring face for a texel (i, j) across one edge of `face`. Writes its face, x and y to `into`. */
function overEdge(face: number, i: number, j: number, n: number, into: Int32Array, place: FacePlace): void {
  // In units of half a texel. The face is shrunk by one unit, so that a point across its edge meets the neighbouring face.
  const s = Math.max(-n, Math.min(n, 2 * i + 1 - n));
  const t = Math.max(-n, Math.min(n, 2 * j + 1 - n));
  const a = n - 1;
  switch (face) {
    case 0:
      faceOf(a, -t, -s, place);
      break;
    case 1:
      faceOf(-a, -t, s, place);
      break;
    case 2:
      faceOf(s, a, t, place);
      break;
    case 3:
      faceOf(s, -a, -t, place);
      break;
    case 4:
      faceOf(s, -t, a, place);
      break;
    default:
      faceOf(-s, -t, -a, place);
  }
  into[0] = place.face;
  into[1] = Math.floor((place.s + n) / 2);
  into[2] = Math.floor((place.t + n) / 2);
}

/** The four texels of a filter on a cube: face, x and y of each. A corner that the cube does not have has the face BORDER. */
export interface CubeTexels {
  readonly faces: Int32Array;
  readonly xs: Int32Array;
  readonly ys: Int32Array;
  /** Fractions in s and t, in 1/256. */
  fractionS: number;
  fractionT: number;
}

export const newCubeTexels = (): CubeTexels => ({
  faces: new Int32Array(4),
  xs: new Int32Array(4),
  ys: new Int32Array(4),
  fractionS: 0,
  fractionT: 0,
});

/** Creates a function that finds the four texels around a place on a cube with n texels per edge. */
export function createCubeTaps(): (place: FacePlace, n: number, seamless: boolean, into: CubeTexels) => void {
  const axes = new Int32Array(6);
  const neighbour = new Int32Array(3);
  const other = newFacePlace();
  return ({ face, s, t, major }, n, seamless, into) => {
    let qs = facePosition(s, major, n);
    let qt = facePosition(t, major, n);
    if (!seamless) [qs, qt] = [clampedPosition(qs, n), clampedPosition(qt, n)];
    // A filter that does not cross edges may have its second texel outside, with fraction 0: it is moved inside.
    const last = seamless ? n : n - 1;
    axes[0] = qs >> 8;
    axes[1] = Math.min(last, (qs >> 8) + 1);
    axes[2] = qs & 255;
    axes[3] = qt >> 8;
    axes[4] = Math.min(last, (qt >> 8) + 1);
    axes[5] = qt & 255;
    into.fractionS = axes[2]!;
    into.fractionT = axes[5]!;
    for (let k = 0; k < 4; k++) {
      const i = axes[k & 1]!;
      const j = axes[3 + (k >> 1)]!;
      const [outX, outY] = [i < 0 || i >= n, j < 0 || j >= n];
      into.faces[k] = outX && outY ? BORDER : face;
      into.xs[k] = Math.max(0, Math.min(n - 1, i));
      into.ys[k] = Math.max(0, Math.min(n - 1, j));
      if (outX === outY) continue;
      overEdge(face, i, j, n, neighbour, other);
      into.faces[k] = neighbour[0]!;
      into.xs[k] = neighbour[1]!;
      into.ys[k] = neighbour[2]!;
    }
  };
}

/** Writes the weights of those texels to `weights`, from `at` on. */
export function cubeWeights(texels: CubeTexels, total: number, weights: Int32Array, at: number): void {
  share(total, texels.fractionS, texels.fractionT, weights, at);
  for (let k = 0; k < 4; k++) if (texels.faces[k] === BORDER) spreadCorner(weights, at, k);
}
