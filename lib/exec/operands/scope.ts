// Places for the registers, constants and variables of one function, allocated while its instructions are bound.

import type { FrameVariable, Layout, Register } from "../../isa/code.js";
import type { LoadedFunction } from "../../load/process.js";
import { HEADER_WORDS } from "../machine/frame-header.table.js";
import { type Promoted, promotedVariables } from "./promoted.js";
import type { Place } from "../state/frame.js";

/** Bits of a place in each lane. */
export type Width = 1 | 32 | 64 | 128;

export interface Scope {
  readonly fn: LoadedFunction;
  /** Whether addresses of shared variables have the block's rank in its cluster. */
  readonly isClustered: boolean;
  /** Place of a register. A selector (`v.x`, `v.r`) names one element; otherwise it is the first or only one. */
  register(index: number, selector?: string): Place;
  /** A place that holds these bits in every lane. */
  constant(bits: bigint, width: Width): Place;
  /** A place for one instruction's intermediate values. */
  temporary(width: Width): Place;
  /** Place of the carry flag CC.CF, a predicate. */
  carry(): Place;
  /** Place of the carry flag if an instruction has requested it; otherwise undefined. */
  carryIfAny(): Place | undefined;
  /** The stack of alloca in each lane: its pointer and its end, in bytes after the frame's variables. */
  stack(): { readonly pointer: Place; readonly top: Place };
  /**
   * Byte offset of a frame variable in the frame's local memory, or of a kernel parameter in the parameter block; -1: in a
   * register.
   */
  readonly variableOffsets: readonly number[];
  /** Whether a variable is a kernel's parameter. */
  isKernelParameter(variable: number): boolean;
  /** By variable: the register that holds a promoted one (promoted.ts). */
  readonly promoted: Promoted["registerOf"];
  /** Number of registers of the code and of promoted variables, which follow them. */
  readonly registerCount: number;
  readonly frameBytes: number;
  /** The words of a fresh frame. Called after all places have been allocated. */
  image(): Int32Array;
}

/** Local memory that a call uses in addition to its variables: as if a return address and registers were saved. */
const CALL_BYTES = 64;

/** Width of the place for a register of that many bits. */
export function widthOf(bits: number): Width {
  return bits === 1 ? 1 : bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
}

const strides: Readonly<Record<Width, Place["stride"]>> = { 1: 0, 32: 1, 64: 2, 128: 4 };
const sizes: Readonly<Record<Width, number>> = { 1: 1, 32: 32, 64: 64, 128: 128 };

/**
 * Index of the element that a vector register's selector names: section 6.4.3. A video instruction's selector names a part of a
 * scalar.
 */
function elementOf(selector = "x"): number {
  return selector.length > 1 ? 0 : Math.max("xyzw".indexOf(selector), "rgba".indexOf(selector));
}

function alignUp(offset: number, align: number): number {
  return Math.ceil(offset / align) * align;
}

/** Lays out variables one after another, each at a multiple of its alignment. Returns their offsets and the bytes of all. */
export function layOut(
  layouts: readonly Layout[],
  start = 0,
): { readonly offsets: readonly number[]; readonly bytes: number } {
  let end = start;
  const offsets = layouts.map((layout) => {
    const offset = alignUp(end, layout.align);
    end = offset + layout.size;
    return offset;
  });
  return { offsets, bytes: end };
}

/** Whether it is `.param .b8 f_vararg[]`, whose size each call determines. */
export const isOpenParameter = ({ kind, layout }: FrameVariable): boolean => kind === "parameter" && layout.size === 0;

/** Words of a frame, allocated one after the other. */
interface FrameWords {
  next: number;
}

function takePlace(words: FrameWords, width: Width): Place {
  const word = words.next;
  words.next += width === 1 ? 4 : sizes[width];
  return { word, stride: strides[width] };
}

/** A constant in a frame's words. */
interface Fill {
  readonly place: Place;
  readonly bits: bigint;
  readonly width: Width;
}

export function createScope(fn: LoadedFunction, isClustered: boolean): Scope {
  const promoted = promotedVariables(fn.code, fn.symbol.entry);
  const registers = [...fn.code.registers, ...promoted.registers];
  const words: FrameWords = { next: HEADER_WORDS };
  const elements = placeRegisters(registers, words);
  const constants = new Map<string, Fill>();
  let flag: Place | undefined;
  let stack: ReturnType<Scope["stack"]> | undefined;
  return {
    fn,
    isClustered,
    ...layOutVariables(fn),
    isKernelParameter: (variable) => isKernelParameter(fn, variable),
    promoted: promoted.registerOf,
    registerCount: registers.length,
    register: (index, selector) => elements[index]![elementOf(selector)]!,
    constant(bits, width) {
      const key = `${width}:${bits}`;
      let fill = constants.get(key);
      if (fill === undefined) constants.set(key, (fill = { place: takePlace(words, width), bits, width }));
      return fill.place;
    },
    temporary: (width) => takePlace(words, width),
    carry: () => (flag ??= takePlace(words, 1)),
    carryIfAny: () => flag,
    stack: () => (stack ??= { pointer: takePlace(words, 32), top: takePlace(words, 32) }),
    image: () => frameImage(words, constants.values()),
  };
}

/** The places of each register's elements. Predicates are last, so that wider registers begin at multiples of 32 words. */
function placeRegisters(registers: readonly Register[], words: FrameWords): readonly (readonly Place[])[] {
  const elements: (readonly Place[])[] = [];
  for (const arePredicates of [false, true])
    registers.forEach(({ type, vector }, i) => {
      if ((type.bits === 1) !== arePredicates) return;
      elements[i] = Array.from({ length: vector }, () => takePlace(words, widthOf(type.bits)));
    });
  return elements;
}

const isKernelParameter = ({ symbol, code }: LoadedFunction, variable: number): boolean =>
  symbol.entry && code.variables[variable]!.kind === "parameter";

function layOutVariables(fn: LoadedFunction): Pick<Scope, "variableOffsets" | "frameBytes"> {
  const { variables } = fn.code;
  const inFrame = variables.map((v, i) => v.register === undefined && !isKernelParameter(fn, i));
  const parameters = layOut(variables.filter((_, i) => isKernelParameter(fn, i)).map((v) => v.layout));
  const frame = layOut(
    variables.filter((_, i) => inFrame[i]).map((v) => v.layout),
    fn.symbol.entry ? 0 : CALL_BYTES,
  );
  const nextParameter = parameters.offsets.values();
  const nextInFrame = frame.offsets.values();
  const frameBytes = alignUp(frame.bytes, 16);
  const variableOffsets = variables.map((variable, i) => {
    if (isKernelParameter(fn, i)) return nextParameter.next().value!;
    if (!inFrame[i]) return -1;
    const offset = nextInFrame.next().value!;
    // Variable arguments follow everything else; each call determines their size.
    return isOpenParameter(variable) ? frameBytes : offset;
  });
  return { variableOffsets, frameBytes };
}

/** The words of a fresh frame. */
function frameImage({ next }: FrameWords, fills: Iterable<Fill>): Int32Array {
  const image = new Int32Array(alignUp(next, 4));
  for (const { place, bits, width } of fills) {
    if (width === 1) image[place.word] = (bits & 1n) === 0n ? 0 : -1;
    else
      for (let at = 0; at < sizes[width]; at++)
        image[place.word + at] = Number(BigInt.asIntN(32, bits >> BigInt(32 * (at % strides[width]))));
  }
  return image;
}
