// call: PTX ISA 9.0 section 9.7.12.5 and chapter 7 (the calling convention). Arguments and results are passed by value: from
// the caller's .param variables (in its part of local memory) or registers to the callee's formals, and back on return.

import { InternalError } from "../../base/assert.js";
import type { FrameVariable, Parameter } from "../../isa/code.js";
import type { Operand } from "../../isa/instruction.js";
import { addressSizeOf } from "../../object/object.js";
import type { LoadedFunction } from "../../load/process.js";
import { systemPrototypes } from "../../isa/system-functions.js";
import { growLocal } from "../machine/block.js";
import { type Binder, NotExecuted } from "../operands/binder.js";
import { hex } from "../operands/access.js";
import { KernelFault } from "../state/fault.js";
import { bytesAt, setLocalTop, takeFrame } from "../machine/frame.js";
import { loadShared, saveShared } from "../machine/module-registers.js";
import { isOpenParameter } from "../operands/scope.js";
import type { Frame, Program, Place } from "../state/frame.js";
import type { Linkage, Passed, Actual } from "../state/generated-code.js";
import type { ControlOp } from "../state/step.js";
import type { Group, Warp } from "../state/warp.js";
import { systemCalls } from "../system/system-functions.js";
import { addLanes, createGroup, firstLane, localBytes, removeGroup } from "../machine/warp.js";
import { lanesIn } from "../machine/walk.js";
import { custom, type Meaning } from "./meaning.js";

/** The elements of a vector register, each at its place; undefined for other registers. */
function vectorOf(fn: LoadedFunction, index: number, place: (selector: string) => Place): Actual | undefined {
  const { type, vector } = fn.code.registers[index]!;
  if (vector === 1) return undefined;
  return { kind: "elements", places: Array.from("xyzw".slice(0, vector), place), bytes: type.bits / 8 };
}

function actualOf(binder: Binder, operand: Operand, bits: number): Actual {
  if (operand.kind === "address-of" && operand.base.kind === "variable") {
    const { variable } = operand.base;
    if (operand.offset !== 0n) throw new NotExecuted("a part of a variable as an argument");
    const promoted = binder.scope.promoted[variable];
    if (promoted !== undefined) return { kind: "place", place: binder.scope.register(promoted), isPrepared: false };
    const offset = binder.scope.variableOffsets[variable]!;
    return { kind: "memory", offset, bytes: binder.scope.fn.code.variables[variable]!.layout.size };
  }
  if (operand.kind === "register" && operand.selector === undefined) {
    const { fn } = binder.scope;
    const vector = vectorOf(fn, operand.register, (selector) => binder.read({ ...operand, selector }, bits));
    if (vector !== undefined) return vector;
  }
  const isPrepared = operand.kind === "register" ? operand.negated === true : operand.kind !== "immediate";
  return { kind: "place", place: binder.read(operand, bits), isPrepared };
}

function resultOf(binder: Binder, operand: Operand, bits: number): Actual {
  if (operand.kind === "register" && operand.selector === undefined) {
    const { fn } = binder.scope;
    const vector = vectorOf(fn, operand.register, (selector) => binder.write({ ...operand, selector }, bits));
    if (vector !== undefined) return vector;
  }
  return operand.kind === "register" || operand.kind === "sink"
    ? { kind: "place", place: binder.write(operand, bits), isPrepared: false }
    : actualOf(binder, operand, bits);
}

/** The callee's place for a formal. */
function formalOf(program: Program, index: number): Actual {
  const variable = program.fn.code.variables[index]!;
  const register = variable.register ?? program.promoted[index];
  const vector =
    variable.register === undefined
      ? undefined
      : vectorOf(program.fn, variable.register, (selector) => program.registerPlace(variable.register!, selector));
  if (vector !== undefined) return vector;
  return register === undefined
    ? { kind: "memory", offset: program.variableOffsets[index]!, bytes: variable.layout.size }
    : { kind: "place", place: program.registerPlace(register), isPrepared: false };
}

type Move = (source: Frame, target: Frame, mask: number) => void;

/** Moves bytes from one frame's local memory to another's of the same warp: most arguments are variables on both sides. */
function moveMemory(from: number, to: number, bytes: number): Move {
  return (source, target, mask) => {
    const { local, localStride } = source.warp;
    for (let lanes = mask; lanes !== 0; lanes &= lanes - 1) {
      const stack = localStride * firstLane(lanes);
      const [at, put] = [stack + source.localBase + from, stack + target.localBase + to];
      let byte = 0;
      for (; byte + 4 <= bytes; byte += 4) local.setInt32(put + byte, local.getInt32(at + byte));
      for (; byte < bytes; byte++) local.setUint8(put + byte, local.getUint8(at + byte));
    }
  };
}

/** Moves registers to registers. */
function movePlace(from: Place, to: Place): Move {
  const words = Math.min(from.stride, to.stride);
  return (source, target, mask) => {
    for (let lanes = mask; lanes !== 0; lanes &= lanes - 1) {
      const lane = firstLane(lanes);
      const [at, put] = [from.word + from.stride * lane, to.word + to.stride * lane];
      for (let word = 0; word < words; word++) target.words[put + word] = source.words[at + word]!;
    }
  };
}

/** Moves a value, and the sanitizer's shadow of it. */
function move(from: Actual, to: Actual): Move {
  const copy = moveValue(from, to);
  return (source, target, mask) => {
    copy(source, target, mask);
    if (source.shadow !== undefined) moveShadow(source, from, target, to, mask);
  };
}

/** Copies the sanitizer's shadow of the value. */
function moveShadow(source: Frame, from: Actual, target: Frame, to: Actual, mask: number): void {
  const { sanitizer } = source.warp.block.launch;
  for (const lane of lanesIn(mask)) {
    if (from.kind === "elements" || to.kind === "elements") {
      if (to.kind === "elements") for (const place of to.places) sanitizer?.definePlace(target, place, lane);
      else if (to.kind === "place") sanitizer?.definePlace(target, to.place, lane);
    } else if (from.kind === "place" && to.kind === "place")
      sanitizer?.copyPlace(source, from.place, target, to.place, lane);
    else
      sanitizer?.copyBytes(
        source,
        from.kind === "memory" ? from.offset : from.place,
        target,
        to.kind === "memory" ? to.offset : to.place,
        Math.min(bytesOfActual(from), bytesOfActual(to)),
        lane,
      );
  }
}

const bytesOfInput = (actual: Actual): number =>
  actual.kind === "elements" ? actual.bytes * actual.places.length : bytesOfActual(actual);

const bytesOfActual = (actual: Exclude<Actual, { readonly kind: "elements" }>): number =>
  actual.kind === "memory" ? actual.bytes : 4 * Math.max(1, actual.place.stride);

function moveValue(from: Actual, to: Actual): Move {
  if (from.kind === "memory" && to.kind === "memory")
    return moveMemory(from.offset, to.offset, Math.min(from.bytes, to.bytes));
  if (from.kind === "place" && to.kind === "place" && from.place.stride > 0 && to.place.stride > 0)
    return movePlace(from.place, to.place);
  return (source, target, mask) => {
    for (const lane of lanesIn(mask)) {
      const bytes = read(source, from, lane);
      write(target, to, lane, bytes);
    }
  };
}

function read(frame: Frame, actual: Actual, lane: number): Uint8Array {
  if (actual.kind === "memory") return localBytes(frame.warp, lane, frame.localBase + actual.offset, actual.bytes);
  if (actual.kind === "elements")
    return Uint8Array.from(
      actual.places.flatMap((place) => [...elementBytes(frame, place, lane).subarray(0, actual.bytes)]),
    );
  const { word, stride } = actual.place;
  if (stride === 0) return Uint8Array.of((frame.words[word]! >>> lane) & 1);
  return elementBytes(frame, actual.place, lane);
}

/** A view of one lane's words in the frame. */
const elementBytes = (frame: Frame, { word, stride }: Place, lane: number): Uint8Array =>
  bytesAt(frame, word + stride * lane, 4 * stride);

function write(frame: Frame, actual: Actual, lane: number, bytes: Uint8Array): void {
  if (actual.kind === "place" && actual.place.stride === 0) {
    const { word } = actual.place;
    frame.words[word] = (frame.words[word]! & ~(1 << lane)) | ((bytes[0]! & 1) << lane);
    return;
  }
  if (actual.kind === "elements") {
    for (const [i, place] of actual.places.entries()) {
      const target = elementBytes(frame, place, lane).fill(0);
      target.set(bytes.subarray(i * actual.bytes, (i + 1) * actual.bytes));
    }
    return;
  }
  const target = read(frame, actual, lane);
  target.set(bytes.subarray(0, Math.min(bytes.length, target.length)));
}

const formalsOf = (fn: LoadedFunction, kind: FrameVariable["kind"]): readonly number[] =>
  fn.code.variables.flatMap((variable, i) => (variable.kind === kind ? [i] : []));

function linkTo(
  program: Program,
  isDirect: boolean,
  inputs: readonly Actual[],
  outputs: readonly Actual[],
  pass: ConventionCheck,
): Linkage {
  const parameters = formalsOf(program.fn, "parameter");
  const returns = formalsOf(program.fn, "return");
  const last = parameters.at(-1);
  const isOpen = last !== undefined && isOpenParameter(program.fn.code.variables[last]!);
  const missing = parameters.length - inputs.length;
  pass(program.fn, (missing === 0 || (isOpen && missing === 1)) && outputs.length <= returns.length);
  const open = isOpen && missing === 0 ? bytesOfInput(inputs.at(-1)!) : 0;
  const formalAt = (i: number): Actual => {
    const formal = formalOf(program, parameters[i]!);
    return isOpen && i === parameters.length - 1 && formal.kind === "memory" ? { ...formal, bytes: open } : formal;
  };
  const passed = {
    arguments: inputs.map((from, i): Passed => ({ from, to: formalAt(i) })),
    results: outputs.map((to, i): Passed => ({ from: formalOf(program, returns[i]!), to })),
  };
  return {
    program,
    arguments: passed.arguments.map(({ from, to }) => move(from, to)),
    results: passed.results.map(({ from, to }, i) => {
      const copy = move(from, to);
      return { variable: returns[i]!, copy: (callee, caller, mask) => copy(callee, caller, mask) };
    }),
    isDirect,
    openBytes: Math.ceil(open / 16) * 16,
    passed,
    record: undefined,
  };
}

type ConventionCheck = (fn: LoadedFunction, agrees: boolean) => void;

const checkConvention: ConventionCheck = (fn, agrees) => {
  if (!agrees) throw new KernelFault("illegal-address", `the call's parameters differ from those of ${fn.name}`);
};

function elements(operand: Operand | undefined): readonly Operand[] {
  return operand === undefined ? [] : operand.kind === "list" ? operand.elements : [operand];
}

/** Bits of a formal, for arguments that are immediates. */
const bitsOf = (parameter: Parameter | undefined): number =>
  parameter === undefined ? 64 : Math.max(8, parameter.layout.type.bits * parameter.layout.vector);

export const call: Meaning = custom((binder) => {
  const at = (name: string): Operand | undefined =>
    binder.operand(binder.opcode.form.operands.findIndex((spec) => spec.name === name));
  const callee = at("f");
  if (callee === undefined) throw new InternalError("a call without a callee");
  const table = at("t");
  const prototype =
    table?.kind === "table" && table.table === "prototypes"
      ? binder.scope.fn.code.prototypes[table.index]?.prototype
      : undefined;
  const inputs = elements(at("a")).map((operand, i) => actualOf(binder, operand, bitsOf(prototype?.parameters[i])));
  const outputs = elements(at("d")).map((operand, i) => resultOf(binder, operand, bitsOf(prototype?.returns[i])));
  const isDirect = callee.kind === "address-of" && callee.base.kind === "symbol";
  const links = new Map<LoadedFunction, Linkage>();
  const addressBits = addressSizeOf(binder.process.image);

  const enter = (warp: Warp, frame: Frame, fn: LoadedFunction, pc: number, mask: number, penalty: number): void => {
    if (fn.system !== undefined) {
      const { parameters } = systemPrototypes[addressBits].get(fn.name)!;
      checkConvention(fn, inputs.length === parameters.length);
      const argumentBytes = inputs.map((input) => (lane: number) => read(frame, input, lane));
      const values = argumentBytes.map((bytes) => (lane: number) => asNumber(bytes(lane)));
      const result = (lane: number, bytes: Uint8Array): void =>
        outputs.forEach((output) => {
          write(frame, output, lane, bytes);
          if (output.kind === "place") warp.block.launch.sanitizer?.returned(frame, output.place, lane, bytes);
          else if (output.kind === "memory") warp.block.launch.sanitizer?.returned(frame, output.offset, lane, bytes);
        });
      systemCalls[fn.system]({ warp, frame, mask, arguments: values, argumentBytes, result });
      addLanes(warp, frame, pc + 1, mask, penalty);
      return;
    }
    let link = links.get(fn);
    if (link === undefined) {
      link = linkTo(warp.block.launch.programOf(fn), isDirect, inputs, outputs, checkConvention);
      links.set(fn, link);
    }
    const { program } = link;
    growLocal(warp, frame.localTop + program.frameBytes + link.openBytes, firstLane(mask));
    link.record ??= frame.program.fast?.link(pc, link);
    const inner = takeFrame(program, warp, {
      parent: frame,
      returnPc: pc + 1,
      results: link.results,
      link: link.record ?? 0,
      localBase: frame.localTop,
      lanes: mask,
    });
    if (link.openBytes > 0) setLocalTop(inner, inner.localTop + link.openBytes);
    for (const copy of link.arguments) copy(frame, inner, mask);
    saveShared(frame, mask);
    loadShared(inner, mask);
    warp.groups.push(createGroup(inner, 0, mask, penalty));
  };

  return {
    control: isDirect ? direct(binder, callee.base.symbol, enter) : indirect(binder, callee, enter),
  };
});

type Enter = (warp: Warp, frame: Frame, fn: LoadedFunction, pc: number, mask: number, penalty: number) => void;

/** Removes the active lanes from their group; its other lanes continue after the call. */
function leaveGroup(warp: Warp, group: Group, active: number): void {
  if (active === group.mask) removeGroup(warp, group);
  else {
    group.mask &= ~active;
    group.pc++;
  }
}

function direct(binder: Binder, symbol: number, enter: Enter): ControlOp {
  const address = binder.slot({ kind: "symbol", symbol }).value;
  return (warp, group, active) => {
    if (active === 0) {
      group.pc++;
      return true;
    }
    const fn = binder.process.functionAt(address);
    if (fn === undefined)
      throw new KernelFault("illegal-address", "a call of an undefined function", {
        lane: firstLane(active),
        address,
      });
    const { frame, pc, penalty } = group;
    enter(warp, frame, fn, pc, active, penalty);
    leaveGroup(warp, group, active);
    return false;
  };
}

/** Lanes split by the function that each one's pointer names. */
function indirect(binder: Binder, callee: Operand, enter: Enter): ControlOp {
  const { word, stride } = binder.read(callee, 64);
  return (warp, group, active) => {
    if (active === 0) {
      group.pc++;
      return true;
    }
    const { frame, pc, penalty } = group;
    const byAddress = new Map<number, number>();
    for (const lane of lanesIn(active)) {
      const at = word + stride * lane;
      const address = (stride === 2 ? frame.words[at + 1]! * 2 ** 32 : 0) + frame.unsigned[at]!;
      byAddress.set(address, (byAddress.get(address) ?? 0) | (1 << lane));
    }
    for (const [address, lanes] of byAddress) {
      const fn = binder.process.functionAt(address);
      if (fn === undefined)
        throw new KernelFault("illegal-address", `a call through ${hex(address)}, which is not a function's address`, {
          lane: firstLane(lanes),
          address,
          remedy:
            address === 0
              ? "set the function pointer before it is called: it is null"
              : "see where the function pointer comes from: a device function's address has to be taken on the device",
        });
      enter(warp, frame, fn, pc, lanes, penalty);
    }
    leaveGroup(warp, group, active);
    return false;
  };
}

/** The number in little-endian bytes, at most eight; addresses and sizes are below 2^53. */
function asNumber(bytes: Uint8Array): number {
  let value = 0;
  for (let i = Math.min(bytes.length, 8) - 1; i >= 0; i--) value = value * 256 + bytes[i]!;
  return value;
}
