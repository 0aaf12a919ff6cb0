// Places for the registers, constants and variables of one function, given out while its instructions are bound.

import type { FrameVariable, Layout } from "../isa/code.js";
import type { LoadedFunction } from "../load/process.js";
import { HEADER_WORDS } from "./frame-header.table.js";
import type { Place } from "./lanes.js";
import { type Promoted, promotedVariables } from "./promoted.js";

/** Bits that a place holds in each lane. */
export type Width = 1 | 32 | 64 | 128;

export interface Scope {
  readonly fn: LoadedFunction;
  /** Whether addresses of shared variables have the block's rank in its cluster. */
  readonly isClustered: boolean;
  /** A register's place; that of one element where the selector names it (`v.x`, `v.r`), else of the first or only one. */
  register(index: number, selector?: string): Place;
  /** A place that holds these bits in every lane. */
  constant(bits: bigint, width: Width): Place;
  /** A place that one instruction may use between its own parts. */
  temporary(width: Width): Place;
  /** The carry flag CC.CF, a predicate. */
  carry(): Place;
  /** The cached one, if the same was requested before. */
  carryIfAny(): Place | undefined;
  /** The stack of alloca in each lane, as bytes after the frame's variables: the stack pointer, and the stack's end. */
  stack(): { readonly pointer: Place; readonly top: Place };
  /** Byte offset of a frame variable in the frame's local memory, or of a kernel parameter in the parameter block; -1: in a register. */
  readonly variableOffsets: readonly number[];
  /** Whether a variable is a kernel's parameter. */
  isKernelParameter(variable: number): boolean;
  /** By variable: the register that holds it (promoted.ts). */
  readonly promoted: Promoted["registerOf"];
  /** Registers of the code, and those of promoted variables behind them. */
  readonly registerCount: number;
  readonly frameBytes: number;
  /** The words of a fresh frame; to be called last. */
  image(): Int32Array;
}

/** Local memory that a call takes besides its variables: as if a return address and registers were saved. */
const CALL_BYTES = 64;

/** Width of the place of a register with so many bits. */
export function widthOf(bits: number): Width {
  return bits === 1 ? 1 : bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
}

const strides: Readonly<Record<Width, Place["stride"]>> = { 1: 0, 32: 1, 64: 2, 128: 4 };
const sizes: Readonly<Record<Width, number>> = { 1: 1, 32: 32, 64: 64, 128: 128 };

/** Which element of a vector register a selector names: section 6.4.3. A video instruction's selector names a part of a scalar. */
function elementOf(selector = "x"): number {
  return selector.length > 1 ? 0 : Math.max("xyzw".indexOf(selector), "rgba".indexOf(selector));
}

function alignUp(offset: number, align: number): number {
  return Math.ceil(offset / align) * align;
}

/** Offsets of variables that follow each other, each at a multiple of its alignment; and the bytes of all. */
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

/** `.param .b8 f_vararg[]`: a call says how large it is. */
export const isOpenParameter = ({ kind, layout }: FrameVariable): boolean => kind === "parameter" && layout.size === 0;

export function createScope(fn: LoadedFunction, isClustered: boolean): Scope {
  const { variables } = fn.code;
  const promoted = promotedVariables(fn.code, fn.symbol.entry);
  const registers = [...fn.code.registers, ...promoted.registers];
  const constants = new Map<string, Place>();
  const fills: { readonly place: Place; readonly bits: bigint; readonly width: Width }[] = [];
  let words = HEADER_WORDS;
  let flag: Place | undefined;
  let stack: ReturnType<Scope["stack"]> | undefined;

  const take = (width: Width): Place => {
    const word = words;
    words += width === 1 ? 4 : sizes[width];
    return { word, stride: strides[width] };
  };
  // Predicates last: wider registers then begin at multiples of 32 words.
  const elements: (readonly Place[])[] = [];
  for (const wide of [true, false])
    registers.forEach((register, i) => {
      if ((register.type.bits === 1) === wide) return;
      const width = widthOf(register.type.bits);
      elements[i] = Array.from({ length: register.vector }, () => take(width));
    });

  const isKernelParameter = (variable: number): boolean => fn.symbol.entry && variables[variable]!.kind === "parameter";
  const inFrame = variables.map((v, i) => v.register === undefined && !isKernelParameter(i));
  const parameters = layOut(variables.filter((_, i) => isKernelParameter(i)).map((v) => v.layout));
  const frame = layOut(
    variables.filter((_, i) => inFrame[i]).map((v) => v.layout),
    fn.symbol.entry ? 0 : CALL_BYTES,
  );
  const nextParameter = parameters.offsets.values();
  const nextInFrame = frame.offsets.values();
  const frameBytes = alignUp(frame.bytes, 16);
  const variableOffsets = variables.map((variable, i) => {
    if (isKernelParameter(i)) return nextParameter.next().value!;
    if (!inFrame[i]) return -1;
    const offset = nextInFrame.next().value!;
    // Variable arguments: as many bytes as the call has, behind everything else.
    return isOpenParameter(variable) ? frameBytes : offset;
  });

  return {
    fn,
    isClustered,
    variableOffsets,
    isKernelParameter,
    promoted: promoted.registerOf,
    registerCount: registers.length,
    frameBytes,
    register: (index, selector) => elements[index]![elementOf(selector)]!,
    constant(bits, width) {
      const key = `${width}:${bits}`;
      const known = constants.get(key);
      if (known !== undefined) return known;
      const place = take(width);
      constants.set(key, place);
      fills.push({ place, bits, width });
      return place;
    },
    temporary: take,
    carry: () => (flag ??= take(1)),
    carryIfAny: () => flag,
    stack: () => (stack ??= { pointer: take(32), top: take(32) }),
    image() {
      const image = new Int32Array(alignUp(words, 4));
      for (const { place, bits, width } of fills) {
        if (width === 1) image[place.word] = (bits & 1n) === 0n ? 0 : -1;
        else
          for (let at = 0; at < sizes[width]; at++)
            image[place.word + at] = Number(BigInt.asIntN(32, bits >> BigInt(32 * (at % strides[width]))));
      }
      return image;
    },
  };
}
