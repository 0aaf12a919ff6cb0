// wgmma: PTX ISA 9.0 section 9.7.15. Four warps multiply 64 rows of A; each does its own sixteen, because nothing of one warp's
// result depends on another's registers. Descriptors, scale-d and metadata are read when the instruction is issued; D and A's
// registers and the shared memory when its group is waited for (tensor/groups.ts).

import { matrixShape } from "../../isa/fragments.js";
import type { Operand } from "../../isa/instruction.js";
import { modifier, type Opcode } from "../../isa/opcode.js";
import { hex } from "../access.js";
import type { Binder, Bound } from "../binder.js";
import { KernelFault } from "../fault.js";
import { HEADER } from "../frame-header.table.js";
import type { Frame } from "../frame.js";
import { everyLane } from "../step.js";
import { arithmeticOf, elementBits, elementsAlong } from "../tensor/arithmetic.js";
import { elementAddress, readDescriptor } from "../tensor/descriptor.js";
import { fragmentOf, gather, layoutsOf, matrixFor, placesOf, scatter } from "../tensor/fragments.js";
import { commitGroup, createGroups, waitForGroups } from "../tensor/groups.js";
import type { Multiply } from "../tensor/multiply.js";
import { firstLane } from "../warp.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { constantNamed, matrixTypes, operandNamed, operationOf, sparseMultiply } from "./mma.js";

/** Rows of D that a warp has, and warps of a group. */
const WARP_ROWS = 16;
const GROUP_WARPS = 4;

const indexOf = (opcode: Opcode, name: string): number => opcode.form.operands.findIndex((spec) => spec.name === name);

/** Reads a matrix into bits, now or later. */
type Source = (frame: Frame, lane: number) => (bits: Int32Array) => void;

interface Stored {
  readonly rows: number;
  readonly k: number;
  /** Rows in front of this warp's. */
  readonly firstRow: (frame: Frame) => number;
  readonly bytes: number;
  readonly isTransposed: boolean;
}

/** A matrix in shared memory, rows of A or columns of B beside each other. Every element must be there when it is issued. */
function fromShared(binder: Binder, operand: Operand | undefined, stored: Stored): Source {
  const { rows, k, firstRow, bytes, isTransposed } = stored;
  const { word } = binder.read(operand, 64);
  return (frame, lane) => {
    const { words } = frame;
    const descriptor = readDescriptor(words[word + 2 * lane]!, words[word + 2 * lane + 1]!);
    const { shared: view } = frame.warp.block;
    const first = firstRow(frame);
    const addresses = new Int32Array(rows * k);
    for (let row = 0; row < rows; row++)
      for (let i = 0; i < k; i++) {
        const address = elementAddress(descriptor, isTransposed, first + row, i, bytes);
        if (address + bytes > view.byteLength) throw outside(address, bytes, view.byteLength, lane);
        addresses[row * k + i] = address;
      }
    return (bits) => {
      for (let i = 0; i < addresses.length; i++)
        bits[i] =
          bytes === 2
            ? view.getUint16(addresses[i]!, true)
            : bytes === 1
              ? view.getUint8(addresses[i]!)
              : view.getInt32(addresses[i]!, true);
    };
  };
}

const outside = (address: number, bytes: number, size: number, lane: number): KernelFault =>
  new KernelFault(
    "illegal-address",
    `${bytes} bytes at offset ${hex(address)}, which a matrix descriptor names, are outside shared memory, which has ${size} bytes`,
    { lane, address },
  );

const multiply: Reading = (opcode) => {
  const shape = matrixShape(modifier(opcode, "shape"));
  // The types of some kinds are the form's own.
  const types = { ...matrixTypes(opcode), ...ownTypes(opcode) };
  const isSparse = indexOf(opcode, "e") >= 0;
  const { n } = shape;
  const kB = elementsAlong(shape.k, types.a);
  const kA = isSparse ? kB / 2 : kB;
  const extent = { m: WARP_ROWS, n, k: kA };
  return custom((binder): Bound => {
    const signs = { negateA: constantNamed(binder, "na") === -1, negateB: constantNamed(binder, "nb") === -1 };
    const rowExtent = isSparse ? { ...extent, m: 1 } : extent;
    const product = arithmeticOf(rowExtent, types, { ...operationOf(opcode, "wgmma"), signs })!;
    const layouts = layoutsOf(extent);
    const bytes = elementBits(types.a) / 8;
    const inRegisters = opcode.form.id.endsWith(".registers");
    const a = inRegisters
      ? fromRegisters(binder, types.a, kA)
      : fromShared(binder, operandNamed(binder, "a"), {
          rows: WARP_ROWS,
          k: kA,
          firstRow: (frame) => WARP_ROWS * (frame.warp.index % GROUP_WARPS),
          bytes,
          isTransposed: constantNamed(binder, "ta") === 1,
        });
    const b = fromShared(binder, operandNamed(binder, "b"), {
      rows: n,
      k: kB,
      firstRow: () => 0,
      bytes,
      isTransposed: constantNamed(binder, "tb") === 1,
    });
    const byRow = (row: number, column: number): number => row * n + column;
    const places = placesOf(binder, indexOf(opcode, "d"), types.d, "write");
    const d = fragmentOf(places, types.d, layouts.c(types.d), byRow);
    const [bitsA, bitsB] = [new Int32Array(WARP_ROWS * kA), new Int32Array(n * kB)];
    const [bitsC, bitsD] = [matrixFor(d), matrixFor(d)];
    const scale = binder.read(operandNamed(binder, "scale"), 1).word;
    const metadata = isSparse ? binder.read(operandNamed(binder, "e"), 32).word : -1;
    const sparse = isSparse ? sparseMultiply(extent, types.a, constantNamed(binder, "f"), product) : undefined;
    return {
      members: everyLane,
      memory: true,
      lanes: (frame, mask) => {
        const { words, warp } = frame;
        const lane = firstLane(mask);
        const [readA, readB] = [a(frame, lane), b(frame, lane)];
        const accumulates = ((words[scale]! >>> lane) & 1) !== 0;
        const indices = isSparse ? words.slice(metadata, metadata + 32) : undefined;
        const compute: Multiply = sparse === undefined ? product : (...matrices) => sparse(...matrices, indices!);
        (warp.products ??= createGroups()).open.push(() => {
          // Of a function that has returned in between, no register is left.
          if (frame.warp !== warp || words[HEADER.live >> 2] === 0) return;
          readA(bitsA);
          readB(bitsB);
          if (accumulates) gather(frame, d, bitsC);
          else bitsC.fill(0);
          compute(bitsA, bitsB, bitsC, bitsD);
          scatter(frame, d, bitsD, mask);
        });
      },
    };
  });
};

function fromRegisters(binder: Binder, type: string, k: number): Source {
  const places = placesOf(binder, indexOf(binder.opcode, "a"), type, "read");
  const layout = layoutsOf({ m: WARP_ROWS, n: 8, k }).a(type);
  const fragment = fragmentOf(places, type, layout, (row, column) => row * k + column);
  return (frame) => (bits) => gather(frame, fragment, bits);
}

/** f16, bf16, tf32 and b1 stand in the form's name and not in slots. */
function ownTypes(opcode: Opcode): { readonly a?: string; readonly b?: string; readonly d?: string } {
  const kind = opcode.form.id.split(".").at(-2)!;
  return kind === "f8" || kind === "int8" ? {} : { a: kind, b: kind };
}

const commit: Meaning = custom(() => ({
  members: everyLane,
  lanes: ({ warp }) => commitGroup((warp.products ??= createGroups())),
}));

const wait: Reading = () =>
  custom((binder) => {
    const pending = constantNamed(binder, "n");
    return {
      members: everyLane,
      memory: true,
      lanes: ({ warp }) => {
        if (warp.products !== undefined) waitForGroups(warp.products, pending);
      },
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
