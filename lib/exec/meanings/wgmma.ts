// wgmma: PTX ISA 9.0 section 9.7.15. Four warps multiply 64 rows of A; each does its own sixteen, because no result of a warp
// depends on another's registers. Descriptors, scale-d and metadata are read when the instruction is issued. D, A's registers and
// shared memory are read when its group is waited for (async/pending.ts). Eight columns are multiplied at a time.

import { matrixShape } from "../../isa/fragments.js";
import { modifier, type Opcode } from "../../isa/opcode.js";
import { commitGroup, issueInGroup, waitGroup } from "../async/pending.js";
import type { Binder, Bound } from "../operands/binder.js";
import { HEADER } from "../machine/frame-header.table.js";
import type { Frame, Place } from "../state/frame.js";
import type { TensorUnit } from "../state/step.js";
import { everyLane } from "../machine/step.js";
import { arithmeticOf, elementBits, elementsAlong } from "../tensor/arithmetic.js";
import { type Fragment, fragmentOf, gather, layoutsOf, matrixFor, placesOf, scatter } from "../tensor/fragments.js";
import type { MatrixTypes } from "../tensor/multiply.js";
import { isQuick } from "../tensor/quick.js";
import { bindStored, type Stored } from "../tensor/stored.js";
import { firstLane } from "../machine/warp.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { constantNamed, matrixTypes, operandNamed, operationOf, sparseMultiply } from "./mma.js";

/** Rows of D that a warp has, warps of a group, and columns that are multiplied at a time. */
const WARP_ROWS = 16;
const GROUP_WARPS = 4;
const COLUMNS = 8;

const indexOf = (opcode: Opcode, name: string): number => opcode.form.operands.findIndex((spec) => spec.name === name);

/** Types of the matrices. f16, bf16, tf32 and b1 are in the form's name, not in a slot. */
function typesOf(opcode: Opcode): MatrixTypes {
  const kind = opcode.form.id.split(".").at(-2)!;
  return { ...matrixTypes(opcode), ...(kind === "f8" || kind === "int8" ? {} : { a: kind, b: kind }) };
}

/** A matrix of the instruction: in registers, or found in shared memory when the instruction is issued. */
type MatrixSource =
  { readonly kind: "registers"; readonly fragment: Fragment } | { readonly kind: "shared"; readonly find: Find };
type Find = (frame: Frame, lane: number) => Stored;

function sourceA(binder: Binder, types: MatrixTypes, k: number): MatrixSource {
  if (binder.opcode.form.id.endsWith(".registers")) {
    const places = placesOf(binder, indexOf(binder.opcode, "a"), types.a, "read");
    const layout = layoutsOf({ m: WARP_ROWS, n: COLUMNS, k }).a(types.a);
    return { kind: "registers", fragment: fragmentOf(places, types.a, layout, (row, column) => row * k + column) };
  }
  const find = bindStored(binder, operandNamed(binder, "a"), {
    rows: WARP_ROWS,
    k,
    bytes: elementBits(types.a) / 8,
    isTransposed: constantNamed(binder, "ta") === 1,
  });
  return { kind: "shared", find: (frame, lane) => find(frame, lane, WARP_ROWS * (frame.warp.index % GROUP_WARPS)) };
}

/** Operands of one instruction that are read when it is issued. */
interface Issued {
  readonly frame: Frame;
  readonly mask: number;
  readonly a: Stored | undefined;
  readonly b: Stored;
  readonly accumulates: boolean;
  readonly metadata: Int32Array;
}

/** A bound instruction: its matrices and their multiplication. Bits of A and B are read tile by tile into the same arrays. */
interface WarpgroupMultiply {
  readonly types: MatrixTypes;
  readonly tiles: number;
  readonly a: MatrixSource;
  readonly b: ReturnType<typeof bindStored>;
  /** D's registers, and those of each tile. */
  readonly places: readonly Place[];
  readonly d: readonly Fragment[];
  readonly bitsA: Int32Array;
  readonly bitsB: Int32Array;
  readonly bitsC: ReturnType<typeof matrixFor>;
  readonly bitsD: ReturnType<typeof matrixFor>;
  /** Multiplies the bits. */
  readonly product: (metadata: Int32Array) => void;
  /** The predicate scale-d; the register of the sparse matrix's metadata, or -1. */
  readonly scale: number;
  readonly metadata: number;
  /** Whether the tensor unit supports the instruction. */
  readonly mayBeQuick: boolean;
}

function bindMultiply(binder: Binder): WarpgroupMultiply {
  const { opcode } = binder;
  const shape = matrixShape(modifier(opcode, "shape"));
  const types = typesOf(opcode);
  const isSparse = indexOf(opcode, "e") >= 0;
  const kB = elementsAlong(shape.k, types.a);
  const kA = isSparse ? kB / 2 : kB;
  const extent = { m: WARP_ROWS, n: COLUMNS, k: kA };
  const tiles = shape.n / COLUMNS;
  const signs = { negateA: constantNamed(binder, "na") === -1, negateB: constantNamed(binder, "nb") === -1 };
  const dense = arithmeticOf(isSparse ? { ...extent, m: 1 } : extent, types, {
    ...operationOf(opcode, "wgmma"),
    signs,
  })!;
  const sparse = isSparse ? sparseMultiply(extent, types.a, constantNamed(binder, "f"), dense) : undefined;
  const a = sourceA(binder, types, kA);
  const b = bindStored(binder, operandNamed(binder, "b"), {
    rows: shape.n,
    k: kB,
    bytes: elementBits(types.b) / 8,
    isTransposed: constantNamed(binder, "tb") === 1,
  });
  const places = placesOf(binder, indexOf(opcode, "d"), types.d, "write");
  const d = tileFragments(places, tiles, types, extent);
  const [bitsA, bitsB] = [new Int32Array(WARP_ROWS * kA), new Int32Array(COLUMNS * kB)];
  const [bitsC, bitsD] = [matrixFor(d[0]!), matrixFor(d[0]!)];
  return {
    ...{ types, tiles, a, b, places, d, bitsA, bitsB, bitsC, bitsD },
    product: (metadata) => {
      if (sparse === undefined) dense(bitsA, bitsB, bitsC, bitsD);
      else sparse(bitsA, bitsB, bitsC, bitsD, metadata);
    },
    scale: binder.read(operandNamed(binder, "scale"), 1).word,
    metadata: isSparse ? binder.read(operandNamed(binder, "e"), 32).word : -1,
    mayBeQuick: isQuick(types) && !isSparse && !signs.negateA && !signs.negateB,
  };
}

/** D's fragment in each tile of eight columns. */
function tileFragments(
  places: readonly Place[],
  tiles: number,
  types: MatrixTypes,
  extent: Parameters<typeof layoutsOf>[0],
): readonly Fragment[] {
  const perTile = places.length / tiles;
  const layout = layoutsOf(extent).c(types.d);
  const byRow = (row: number, column: number): number => row * COLUMNS + column;
  return Array.from({ length: tiles }, (_, tile) =>
    fragmentOf(places.slice(tile * perTile, (tile + 1) * perTile), types.d, layout, byRow),
  );
}

function readA({ a, bitsA }: WarpgroupMultiply, { frame, a: stored }: Issued): void {
  if (a.kind === "registers") gather(frame, a.fragment, bitsA);
  else stored!.read(bitsA, 0, WARP_ROWS);
}

/** Multiplies the eight columns of a tile; A's bits have been read. */
function multiplyTile({ d, bitsB, bitsC, bitsD, product }: WarpgroupMultiply, issued: Issued, tile: number): void {
  const { frame, mask, b, accumulates, metadata } = issued;
  b.read(bitsB, tile * COLUMNS, COLUMNS);
  if (accumulates) gather(frame, d[tile]!, bitsC);
  else bitsC.fill(0);
  product(metadata);
  scatter(frame, d[tile]!, bitsD, mask);
}

function multiplyTiles(bound: WarpgroupMultiply, issued: Issued): void {
  readA(bound, issued);
  for (let tile = 0; tile < bound.tiles; tile++) multiplyTile(bound, issued, tile);
}

/** Multiplies by the tensor unit, except tiles that it refuses. */
function multiplyQuickly(bound: WarpgroupMultiply, issued: Issued, unit: TensorUnit): void {
  const isTileDone = issued.mask === -1 ? quickTiles(issued, unit, bound.types, bound.a, bound.places) : undefined;
  if (isTileDone === undefined) {
    multiplyTiles(bound, issued);
    return;
  }
  let isRead = false;
  for (let tile = 0; tile < bound.tiles; tile++) {
    if (isTileDone(tile)) continue;
    if (!isRead) readA(bound, issued);
    isRead = true;
    multiplyTile(bound, issued, tile);
  }
}

/** Reads the operands that are fixed at the issue; `run` multiplies when the group is waited for. */
function issueMultiply(
  { a, b, scale, metadata }: WarpgroupMultiply,
  frame: Frame,
  mask: number,
  run: (issued: Issued) => void,
): void {
  const { words, warp } = frame;
  const lane = firstLane(mask);
  const issued: Issued = {
    frame,
    mask,
    a: a.kind === "shared" ? a.find(frame, lane) : undefined,
    b: b(frame, lane, 0),
    accumulates: ((words[scale]! >>> lane) & 1) !== 0,
    metadata: metadata < 0 ? words : words.slice(metadata, metadata + 32),
  };
  // One operation for the warp, which belongs to its first lane.
  issueInGroup(frame, "wgmma", 1 << lane, {
    complete: () => {
      // A function that has returned meanwhile has no registers.
      if (frame.warp === warp && words[HEADER.live >> 2] !== 0) run(issued);
    },
  });
}

const multiply: Reading = () =>
  custom((binder): Bound => {
    const bound = bindMultiply(binder);
    return {
      members: everyLane,
      memory: true,
      lanes: (frame, mask) => issueMultiply(bound, frame, mask, (issued) => multiplyTiles(bound, issued)),
      quick: bound.mayBeQuick
        ? (frame, mask, unit) => issueMultiply(bound, frame, mask, (issued) => multiplyQuickly(bound, issued, unit))
        : undefined,
    };
  });

/** Returns a function that multiplies a tile by the tensor unit and returns whether it could; undefined if the unit refuses A. */
function quickTiles(
  { frame, a: stored, b, accumulates }: Issued,
  unit: TensorUnit,
  types: MatrixTypes,
  a: MatrixSource,
  places: readonly Place[],
): ((tile: number) => boolean) | undefined {
  const { packedA, packedB, base, zeros } = unit;
  const at = ({ word }: Place): number => frame.offset + 4 * word;
  if (stored !== undefined) stored.pack(unit, packedA, true);
  const registers =
    a.kind === "registers" ? a.fragment.places.map(at) : [0, 1, 2, 3].map((r) => base + packedA + 128 * r);
  if (!unit.prepareOf(types.a)!(registers, 2)) return undefined;
  const run = unit.tileOf(types.a)!;
  b.pack(unit, packedB, false);
  const none = [zeros, zeros, zeros, zeros];
  return (tile) => {
    const d = [0, 1, 2, 3].map((register) => at(places[4 * tile + register]!));
    const first = base + packedB + 256 * tile;
    return run({ b: [first, first + 128], key: b.startOf(tile), c: accumulates ? d : none, d, blocks: 2 });
  };
}

const commit: Meaning = custom(() => ({
  members: everyLane,
  lanes: (frame, mask) => commitGroup(frame, "wgmma", mask),
}));

const wait: Reading = () =>
  custom((binder) => {
    const left = constantNamed(binder, "n");
    return {
      members: everyLane,
      memory: true,
      lanes: (frame, mask) => waitGroup(frame, "wgmma", mask, left),
    };
  });

/** Orders accesses of registers, which happen in order here. */
const fence: Meaning = custom(() => ({ members: everyLane, lanes: () => undefined }));

const kinds = ["f16", "bf16", "tf32", "f8", "int8", "b1"];
const idsOf = (kind: string): readonly string[] =>
  [`wgmma.${kind}`, `wgmma.sp.${kind}`].flatMap((id) => [`${id}.shared`, `${id}.registers`]);

export const wgmmaMeanings: Meanings = {
  ...Object.fromEntries(kinds.flatMap((kind) => idsOf(kind).map((id) => [id, multiply]))),
  "wgmma.fence": () => fence,
  "wgmma.commit_group": () => commit,
  "wgmma.wait_group": wait,
};
