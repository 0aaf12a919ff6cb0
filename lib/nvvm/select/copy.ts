// Copies bytes: in pieces of up to 8 if the size is small and known, otherwise by loops.

import { literal, widths, type Register, type Scalar } from "./machine.js";
import { addressAt } from "./access.js";
import { classOf } from "../lower/parts.js";
import type { Place, Selection } from "./selection.js";
import { specificBits } from "./values.js";

/** Largest size in bytes of inline copies. */
export const mostInPlace = 128;

interface Step {
  readonly offset: number;
  readonly bytes: number;
}

/** Pieces of at most `align` and 8 bytes that cover `size`. */
function stepsOf(size: number, align: number): readonly Step[] {
  const steps: Step[] = [];
  for (let offset = 0; offset < size;) {
    let bytes = Math.min(align, 8);
    while (bytes > size - offset) bytes /= 2;
    steps.push({ offset, bytes });
    offset += bytes;
  }
  return steps;
}

export const typeOfBytes = (bytes: number): string => (bytes === 1 ? "u8" : `b${bytes * 8}`);
export const spaceSuffix = (space: string): string => (space === "" || space === "code" ? "" : `.${space}`);

/** Every piece is loaded before any is stored, so that the ranges may overlap. */
export function copyBytes(selection: Selection, to: Place, from: Place, size: number, align: number, mode = ""): void {
  const { emit } = selection;
  const steps = stepsOf(size, align);
  const values = steps.map(({ offset, bytes }) => {
    const result = emit.register(classOf(Math.max(bytes * 8, 16)));
    const op = `ld${from.space === "const" || from.space === "param" ? "" : mode}${spaceSuffix(from.space)}.${typeOfBytes(bytes)}`;
    emit.effect(op, [result], [addressAt(selection, from, offset)]);
    return result;
  });
  steps.forEach(({ offset, bytes }, i) => {
    const op = `st${to.space === "param" ? "" : mode}${spaceSuffix(to.space)}.${typeOfBytes(bytes)}`;
    emit.effect(op, [], [addressAt(selection, to, offset), values[i]!]);
  });
}

/** Fills with copies of a byte. */
export function fillBytes(selection: Selection, to: Place, byte: Scalar, size: number, align: number, mode = ""): void {
  const { emit } = selection;
  for (const { offset, bytes } of stepsOf(size, align)) {
    const value = repeatByte(selection, byte, bytes);
    emit.effect(
      `st${mode}${spaceSuffix(to.space)}.${typeOfBytes(bytes)}`,
      [],
      [addressAt(selection, to, offset), value],
    );
  }
}

/** A byte in each byte of an integer of 1, 2, 4 or 8. */
export function repeatByte({ emit }: Selection, byte: Scalar, bytes: number): Scalar {
  const kind = classOf(Math.max(bytes * 8, 16));
  if (byte.kind === "literal") {
    const one = byte.bits & 0xffn;
    return literal(kind, BigInt(`0x${one.toString(16).padStart(2, "0").repeat(bytes)}`));
  }
  if (bytes === 1) return byte;
  const wide = emit.pure("cvt.u32.u8", "b32", byte);
  const four = emit.pure("prmt.b32", "b32", wide, literal("b32", 0), literal("b32", 0));
  if (bytes === 4) return four;
  if (bytes === 2) return emit.pure("cvt.u16.u32", "b16", four);
  return emit.pure("mov.b64", "b64", { kind: "group", elements: [four, four] });
}

/** A loop over the bytes from `start` to `end`, in pieces of `bytes`; the distance is a multiple of that. */
interface Range {
  readonly start: Scalar;
  readonly end: Scalar;
  readonly bytes: number;
}

/** The bytes of a loop, whose number is known at run time. */
export interface LoopSpec {
  readonly size: Scalar;
  /** The size is a multiple of it. */
  readonly multiple: number;
  /** Alignment of the copied or filled range's start address, in bytes. */
  readonly align: number;
  /** From the end to the start. */
  readonly backward: boolean;
}

/** Runs `step` with the offset of each piece and its bytes: the widest that alignment allows, then single bytes for the rest. */
export function loopOver(
  selection: Selection,
  { size, multiple, align, backward }: LoopSpec,
  step: (offset: Register, bytes: number) => void,
): void {
  const { emit } = selection;
  const wide = Math.min(align, 8);
  const kind = size.class;
  const start = literal(kind, 0n);
  const run = (range: Range): void => loopInRange(selection, range, backward, (offset) => step(offset, range.bytes));
  if (multiple % wide === 0) return run({ start, end: size, bytes: wide });
  const mask = -BigInt(wide);
  const middle =
    size.kind === "literal"
      ? literal(kind, size.bits & mask)
      : emit.pure(`and.b${widths[kind]}`, kind, size, literal(kind, mask));
  const ranges: readonly Range[] = [
    { start, end: middle, bytes: wide },
    { start: middle, end: size, bytes: 1 },
  ];
  for (const range of backward ? ranges.toReversed() : ranges) run(range);
}

function loopInRange(
  selection: Selection,
  { start, end: behind, bytes }: Range,
  backward: boolean,
  step: (offset: Register) => void,
): void {
  const { emit } = selection;
  const kind = behind.class;
  const type = `${widths[kind]}`;
  const origin = emit.block.origin;
  const offset = emit.register(kind, true);
  const loop = emit.newBlock(origin);
  const end = emit.newBlock(origin);
  const [first, limit] = backward ? [behind, start] : [start, behind];
  const none = emit.pure(`setp.eq.s${type}`, "p", emit.inRegister(behind, kind), start);
  emit.assign(offset, first);
  emit.branch(none, end, loop);
  // Values computed in the loop are not available after it, because it may not have run.
  const mark = emit.mark();
  emit.enter(loop);
  if (backward) emit.assign(offset, emit.pure(`sub.s${type}`, kind, offset, literal(kind, bytes)));
  step(offset);
  if (!backward) emit.assign(offset, emit.pure(`add.s${type}`, kind, offset, literal(kind, bytes)));
  emit.branch(emit.pure(`setp.ne.s${type}`, "p", offset, limit), loop, end);
  emit.restore(mark);
  emit.enter(end);
}

/** The address at an offset in a register. */
export function stepFrom(selection: Selection, place: Place, offset: Register): Place {
  const kind = offset.class;
  const base = selection.emit.pure(
    `add.s${widths[kind]}`,
    kind,
    specificBits(selection, { ...place, offset: 0 }),
    offset,
  );
  return { ...place, base };
}
