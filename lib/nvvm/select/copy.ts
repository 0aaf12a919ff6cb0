// Bytes from one place to another: in pieces of up to 8 where the size is small and known, else by loops.

import { literal, widths, type Register, type Scalar } from "./machine.js";
import { addressAt } from "./access.js";
import { classOf } from "../lower/parts.js";
import type { Place, Selection } from "./selection.js";
import { specificBits } from "./values.js";

/** Copies in place go up to that many bytes at once. */
export const mostInPlace = 128;

interface Step {
  readonly offset: number;
  readonly bytes: number;
}

/** Pieces of at most `align` and 8 bytes that cover `size`. */
export function stepsOf(size: number, align: number): readonly Step[] {
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

/** Every piece is loaded before any is stored, so that the two may overlap. */
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

/** A loop over `size` bytes, known when it runs, in pieces of `bytes`; `size` is a multiple of it. */
export interface LoopSpec {
  readonly size: Scalar;
  readonly bytes: number;
  /** From the end to the start. */
  readonly backward: boolean;
}

/** Runs `step` with the offset of each piece. */
export function loopOver(
  selection: Selection,
  { size, bytes, backward }: LoopSpec,
  step: (offset: Register) => void,
): void {
  const { emit } = selection;
  const kind = size.class;
  const type = `${widths[kind]}`;
  const origin = emit.block.origin;
  const offset = emit.register(kind, true);
  const loop = emit.newBlock(origin);
  const end = emit.newBlock(origin);
  const limit = emit.inRegister(size, kind);
  const none = emit.pure(`setp.eq.s${type}`, "p", limit, literal(kind, 0n));
  emit.assign(offset, backward ? limit : literal(kind, 0n));
  emit.branch(none, end, loop);
  emit.enter(loop);
  if (backward) emit.assign(offset, emit.pure(`sub.s${type}`, kind, offset, literal(kind, bytes)));
  step(offset);
  if (!backward) emit.assign(offset, emit.pure(`add.s${type}`, kind, offset, literal(kind, bytes)));
  const more = backward
    ? emit.pure(`setp.ne.s${type}`, "p", offset, literal(kind, 0n))
    : emit.pure(`setp.lt.u${type}`, "p", offset, limit);
  emit.branch(more, loop, end);
  emit.enter(end);
}

/** The place that an offset in a register leads to. */
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
