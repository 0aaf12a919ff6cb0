// Intrinsics of memory: copies and fills, accesses under a mask, cached loads, and addresses.

import type { CallInstruction } from "../ir/instruction.js";
import type { Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { resize } from "../lower/integer.js";
import { scalarBits } from "../lower/parts.js";
import { addressAt, loadParts, storeParts } from "./access.js";
import {
  copyBytes,
  fillBytes,
  type LoopSpec,
  loopOver,
  mostInPlace,
  repeatByte,
  spaceSuffix,
  stepFrom,
  typeOfBytes,
} from "./copy.js";
import { classOf } from "../lower/parts.js";
import { literal, widths, type Register, type Scalar } from "./machine.js";
import type { Place, Selection } from "./selection.js";
import { genericBits, partsOf, placeOf, pointerClass, scalarOf, specificBits } from "./values.js";
import type { WorkLowering, Works } from "./work.js";

/** Alignment of a pointer argument; before LLVM 7 the fourth of five arguments gives it for both pointers. */
function alignmentOf(call: CallInstruction, index: number): number {
  const old =
    call.operands.length === 5 && call.operands[3]!.type.kind === "integer" && call.operands[3]!.type.bits === 32;
  if (old) {
    const stated = call.operands[3]!;
    return stated.kind === "integer" ? Math.max(Number(stated.value), 1) : 1;
  }
  const align = call.argumentAttributes[index]?.find(({ name }) => name === "align")?.value;
  return typeof align === "number" ? align : 1;
}

/** Whether the last argument is a true volatile flag. */
function isVolatile(call: CallInstruction): boolean {
  const last = call.operands.at(-1);
  return last?.kind === "integer" && last.type.bits === 1 && last.value === 1n;
}

const modeOf = (call: CallInstruction): string => (isVolatile(call) ? ".volatile" : "");

/** The length as a pointer-wide integer. */
function lengthOf(selection: Selection, call: CallInstruction): Scalar {
  const value = call.operands[2]!;
  const bits = scalarBits(value.type, selection.layout)!;
  return resize(selection.emit, scalarOf(selection, value), Math.min(bits, 64), selection.layout.pointerBits, false);
}

/** The largest power of two, up to 8, of which an integer is provably a multiple. */
function multipleOf(value: Value, depth = 0): number {
  if (value.kind === "integer") return lowBit(value.value);
  if (value.kind !== "instruction" || depth > 8) return 1;
  const [first, second] = value.operands;
  const inner = (operand: Value): number => multipleOf(operand, depth + 1);
  switch (value.opcode) {
    case "zext":
    case "sext":
      return inner(first!);
    case "shl":
      return second!.kind === "integer" ? Math.min(2 ** Math.min(Number(second.value), 3) * inner(first!), 8) : 1;
    case "mul":
      return Math.min(inner(first!) * inner(second!), 8);
    case "and":
      return Math.max(inner(first!), inner(second!));
    case "add":
    case "sub":
    case "or":
      return Math.min(inner(first!), inner(second!));
    default:
      return 1;
  }
}

const lowBit = (value: bigint): number => (value % 8n === 0n ? 8 : value % 4n === 0n ? 4 : value % 2n === 0n ? 2 : 1);

function moveIn(selection: Selection, to: Place, from: Place, mode: string) {
  return (offset: Register, bytes: number): void => {
    const { emit } = selection;
    const kind = classOf(Math.max(bytes * 8, 16));
    const source = addressAt(selection, stepFrom(selection, from, offset), 0);
    const constant = from.space === "const" || from.space === "param";
    const value = emit.read(`ld${constant ? "" : mode}${spaceSuffix(from.space)}.${typeOfBytes(bytes)}`, kind, source);
    const target = addressAt(selection, stepFrom(selection, to, offset), 0);
    emit.effect(`st${mode}${spaceSuffix(to.space)}.${typeOfBytes(bytes)}`, [], [target, value]);
  };
}

const copy =
  (mayOverlap: boolean): WorkLowering =>
  (selection, call) => {
    const size = lengthOf(selection, call);
    const align = Math.min(alignmentOf(call, 0), alignmentOf(call, 1));
    const [to, from] = [call.operands[0]!, call.operands[1]!].map((one) => placeOf(selection, one));
    const known = size.kind === "literal" ? size.bits : undefined;
    const mode = modeOf(call);
    if (known !== undefined && known <= BigInt(mostInPlace)) {
      copyBytes(selection, to!, from!, Number(known), align, mode);
      return undefined;
    }
    const loop = { size, align, multiple: multipleOf(call.operands[2]!) };
    if (mayOverlap) moveEither(selection, call, loop, mode);
    else loopOver(selection, { ...loop, backward: false }, moveIn(selection, to!, from!, mode));
    return undefined;
  };

/** From the end if the target follows the source. */
function moveEither(selection: Selection, call: CallInstruction, loop: Omit<LoopSpec, "backward">, mode: string): void {
  const { emit } = selection;
  const [to, from] = [call.operands[0]!, call.operands[1]!].map((one) => placeOf(selection, one));
  const kind = pointerClass(selection);
  const origin = emit.block.origin;
  const [backward, forward, end] = [emit.newBlock(origin), emit.newBlock(origin), emit.newBlock(origin)];
  const [a, b] = [to!, from!].map((one) => genericBits(selection, one, 0));
  const isBehind = emit.pure(`setp.gt.u${widths[kind]}`, "p", a!, b!);
  const bases = [to!, from!].map((one): Place => ({ ...one, base: specificBits(selection, { ...one, offset: 0 }) }));
  emit.branch(isBehind, backward!, forward!);
  for (const [block, isBackward] of [
    [backward, true],
    [forward, false],
  ] as const) {
    const mark = emit.mark();
    emit.enter(block!);
    loopOver(selection, { ...loop, backward: isBackward }, moveIn(selection, bases[0]!, bases[1]!, mode));
    emit.jump(end!);
    emit.restore(mark);
  }
  emit.enter(end!);
}

const fill: WorkLowering = (selection, call) => {
  const { emit } = selection;
  const size = lengthOf(selection, call);
  const align = alignmentOf(call, 0);
  const to = placeOf(selection, call.operands[0]!);
  const byte = scalarOf(selection, call.operands[1]!);
  const known = size.kind === "literal" ? size.bits : undefined;
  const mode = modeOf(call);
  if (known !== undefined && known <= BigInt(mostInPlace)) {
    fillBytes(selection, to, byte, Number(known), align, mode);
    return undefined;
  }
  const multiple = multipleOf(call.operands[2]!);
  // Computed before the loops, not in each iteration.
  const wide = repeatByte(selection, byte, Math.min(align, 8));
  loopOver(selection, { size, align, multiple, backward: false }, (offset, bytes) => {
    const value = bytes === Math.min(align, 8) ? wide : byte;
    const target = addressAt(selection, stepFrom(selection, to, offset), 0);
    emit.effect(`st${mode}${spaceSuffix(to.space)}.${typeOfBytes(bytes)}`, [], [target, value]);
  });
  return undefined;
};

/** Element accesses under a mask: a block for each. */
function forEachMasked(selection: Selection, mask: readonly Scalar[], work: (index: number) => void): void {
  const { emit } = selection;
  mask.forEach((guard, i) => {
    if (guard.kind === "literal") {
      if (guard.bits === 1n) work(i);
      return;
    }
    const origin = emit.block.origin;
    const [inside, end] = [emit.newBlock(origin), emit.newBlock(origin)];
    emit.branch(guard, inside, end);
    const mark = emit.mark();
    emit.enter(inside);
    work(i);
    emit.jump(end);
    emit.restore(mark);
    emit.enter(end);
  });
}

interface Lanes {
  readonly element: Type;
  readonly count: number;
  /** Bytes from one to the next. */
  readonly stride: number;
}

function lanesOf(selection: Selection, type: Type): Lanes {
  if (type.kind !== "vector") return { element: type, count: 1, stride: 0 };
  return { element: type.element, count: type.count, stride: selection.layout.storeSize(type.element) ?? 1 };
}

/** Address of lane `i`: at a stride from the first, or by its own pointer. */
function lanePlace(selection: Selection, pointer: Value, i: number, stride: number): Place {
  if (pointer.type.kind !== "vector") {
    const place = placeOf(selection, pointer);
    return { ...place, offset: place.offset + i * stride };
  }
  const base = selection.emit.inRegister(partsOf(selection, pointer)[i]!, pointerClass(selection));
  return { base, offset: 0, space: "" };
}

const constantOf = (value: Value | undefined): number => (value?.kind === "integer" ? Number(value.value) : 1);

const maskedLoad: WorkLowering = (selection, call) => {
  const { emit, shapeOf } = selection;
  const [pointer, alignment, mask, through] = call.operands;
  const { element, stride } = lanesOf(selection, call.functionType.result);
  const kept = through === undefined ? undefined : partsOf(selection, through);
  const shape = shapeOf(call.functionType.result);
  const results = shape.parts.map(({ class: kind }, i) => {
    const register = emit.register(kind, true);
    emit.assign(register, kept?.[i] ?? literal(kind, 0n));
    return register;
  });
  const align = Math.max(Math.min(constantOf(alignment), stride), 1);
  const each = shapeOf(element).parts.length;
  if (pointer!.type.kind !== "vector") placeOf(selection, pointer!);
  forEachMasked(selection, partsOf(selection, mask!), (i) => {
    const words = { mode: "", stays: true, align };
    const loaded = loadParts(selection, shapeOf(element), lanePlace(selection, pointer!, i, stride), words);
    loaded.forEach((one, k) => emit.assign(results[i * each + k]!, one));
  });
  return results.map((one) => emit.read(one.class === "p" ? "mov.pred" : `mov.${one.class}`, one.class, one));
};

const maskedStore: WorkLowering = (selection, call) => {
  const { shapeOf } = selection;
  const [value, pointer, alignment, mask] = call.operands;
  const { element, stride } = lanesOf(selection, value!.type);
  const parts = partsOf(selection, value!);
  const each = shapeOf(element).parts.length;
  const align = Math.max(Math.min(constantOf(alignment), stride), 1);
  forEachMasked(selection, partsOf(selection, mask!), (i) => {
    const words = { mode: "", stays: true, align };
    const here = parts.slice(i * each, (i + 1) * each);
    storeParts(selection, shapeOf(element), here, lanePlace(selection, pointer!, i, stride), words);
  });
  return undefined;
};

/** `ld.global.nc`, of any type. */
const cached =
  (mode: string): WorkLowering =>
  (selection, call) => {
    const { result } = call.functionType;
    const pointer = call.operands[0]!;
    const node = call.attachments.find(({ name }) => name === "align")?.node;
    const first = node?.kind === "node" ? node.operands[0] : undefined;
    const noted = first?.kind === "value" && first.value.kind === "integer" ? Number(first.value.value) : undefined;
    const align =
      call.operands[1]?.kind === "integer" ? constantOf(call.operands[1]) : (noted ?? selection.layout.align(result));
    const known = placeOf(selection, pointer);
    const place = known.space === "" ? globalPlace(selection, known) : known;
    const shape = selection.shapeOf(result);
    return loadParts(selection, shape, place, { mode: place.space === "global" ? mode : "", stays: false, align });
  };

function globalPlace(selection: Selection, place: Place): Place {
  const kind = pointerClass(selection);
  const start = specificBits(selection, { ...place, offset: 0 });
  const base = selection.emit.pure(`cvta.to.global.u${widths[kind]}`, kind, start);
  return { ...place, base, space: "global" };
}

const pointerMask: WorkLowering = (selection, call) => {
  const { emit, layout } = selection;
  const kind = pointerClass(selection);
  const masks = partsOf(selection, call.operands[1]!);
  const bits = scalarBits(
    call.operands[1]!.type.kind === "vector" ? call.operands[1]!.type.element : call.operands[1]!.type,
    layout,
  )!;
  return partsOf(selection, call.operands[0]!).map((one, i) =>
    emit.pure(
      `and.b${widths[kind]}`,
      kind,
      one,
      resize(emit, masks[i] ?? masks[0]!, Math.min(bits, 64), layout.pointerBits, true),
    ),
  );
};

/** A pointer plus the 32-bit offset stored at it. */
const relative: WorkLowering = (selection, call) => {
  const { emit, layout } = selection;
  const kind = pointerClass(selection);
  const base = emit.inRegister(scalarOf(selection, call.operands[0]!), kind);
  const bits = scalarBits(call.operands[1]!.type, layout)!;
  const offset = resize(emit, scalarOf(selection, call.operands[1]!), Math.min(bits, 64), layout.pointerBits, true);
  const at = emit.pure(`add.s${widths[kind]}`, kind, base, offset);
  const stored = emit.read("ld.s32", kind, { kind: "address", base: at, offset: 0 });
  return [emit.pure(`add.s${widths[kind]}`, kind, base, stored)];
};

/** A hint that is omitted if PTX has no equivalent. */
const prefetch: WorkLowering = (selection, call) => {
  const place = placeOf(selection, call.operands[0]!);
  const level = constantOf(call.operands[2]) >= 3 ? "L1" : "L2";
  if (place.space !== "" && place.space !== "global") return undefined;
  selection.emit.effect(`prefetch${spaceSuffix(place.space)}.${level}`, [], [addressAt(selection, place, 0)]);
  return undefined;
};

export const memoryWorks: Works = {
  memcpy: copy(false),
  memmove: copy(true),
  memset: fill,
  "masked.load": maskedLoad,
  "masked.gather": maskedLoad,
  "masked.store": maskedStore,
  "masked.scatter": maskedStore,
  ldg: cached(".nc"),
  ldu: cached(""),
  ptrmask: pointerMask,
  "load.relative": relative,
  prefetch,
};
