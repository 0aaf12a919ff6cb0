// Binds a function: converts each instruction to a Step, once, when the function is first called. Meanings of instructions are in
// meanings/*.ts, found by form id or by base opcode (meanings/all.ts).

import { InternalError } from "../../base/assert.js";
import type { Opcode } from "../../isa/opcode.js";
import type { Instruction } from "../../isa/instruction.js";
import type { LoadedFunction, Process } from "../../load/process.js";
import { type Binder, type Bound, createBinder, NotExecuted } from "../operands/binder.js";
import type { CompileText } from "../operands/access-loop.js";
import {
  createLoopCompiler,
  type LoopCompiler,
  type LoopFactory,
  type Scalar,
  type View,
  type WordMoves,
} from "../machine/lanes.js";
import { meaningOf } from "../meanings/all.js";
import { returnOrExit } from "../meanings/control.js";
import type { BoundTarget } from "../operands/target.js";
import { sharedPlaces } from "../machine/module-registers.js";
import { createScope, type Scope } from "../operands/scope.js";
import { sourcePlace } from "../machine/source-places.js";
import { isClock } from "../machine/special.js";
import type { Instrument, Watched } from "../operands/watched.js";
import type { Program, Place } from "../state/frame.js";
import type { LaneOp, Step, BoundOperand } from "../state/step.js";

/** A function cannot run because of one of its instructions, which `file` and `line` locate. */
export class BindError extends Error {
  override readonly name = "BindError";
  readonly file: string;
  readonly line: number;
  constructor(message: string, file: string, line: number) {
    super(message);
    this.file = file;
    this.line = line;
  }
}

/** Binds a function. Throws BindError for an instruction that is not executed. */
export function bindFunction(
  process: Process,
  fn: LoadedFunction,
  loops: LoopCache,
  frames: Program["frames"],
  isClustered: boolean,
  instrument: Instrument | undefined,
): Program {
  const scope = createScope(fn, isClustered);
  const steps = fn.code.instructions.map((instruction) => {
    const prepared: LaneOp[] = [];
    const asked: BoundOperand[] = [];
    const targets: BoundTarget[] | undefined = instrument && [];
    const binder = createBinder(process, scope, instruction, prepared, loops.compile, asked, targets);
    try {
      const step = stepOf(instruction, scope.register, bindInstruction(binder, loops), prepared, asked);
      return instrument === undefined ? step : { ...step, watch: instrument(watchedOf(binder, asked)) };
    } catch (error) {
      if (!(error instanceof NotExecuted)) throw error;
      const { file, line } = sourcePlace(fn, instruction);
      throw new BindError(`${error.message} is not executed yet (in ${fn.name})`, file, line);
    }
  });
  steps.push({
    guard: -1,
    flip: 0,
    lanes: undefined,
    control: returnOrExit,
    members: undefined,
    mergeKey: undefined,
    memory: false,
    spins: false,
    readsClock: false,
  });
  return {
    fn,
    isClustered,
    steps,
    image: scope.image(),
    carry: scope.carryIfAny(),
    variableOffsets: scope.variableOffsets,
    promoted: scope.promoted,
    registerCount: scope.registerCount,
    registerPlace: scope.register,
    frameBytes: scope.frameBytes,
    shared: sharedPlaces(fn.code, fn.slots, scope.register),
    pool: [],
    frames,
    needsImage: true,
    fast: undefined,
    ...(instrument === undefined ? {} : { undefinedImage: undefinedImage(scope) }),
  };
}

/** The sanitizer's view of a bound instruction. */
function watchedOf(binder: Binder, operands: readonly BoundOperand[]): Watched {
  const places = (access: BoundOperand["access"]): readonly Place[] =>
    operands.filter((operand) => operand.access === access).map(({ place }) => place);
  return {
    instruction: binder.instruction,
    opcode: binder.opcode,
    binder,
    places: binder.scope,
    reads: places("read"),
    writes: places("write"),
    operands,
    targets: binder.targets ?? [],
  };
}

/** Image of undefined bits: all bits of registers, except the module's, which other functions may have written. */
function undefinedImage(scope: Scope): Int32Array {
  const { registers, moduleRegisters = [] } = scope.fn.code;
  const image = new Int32Array(scope.image().length);
  const shared = new Set(moduleRegisters.map(({ register }) => register));
  for (let i = 0; i < scope.registerCount; i++) {
    if (shared.has(i)) continue;
    for (const element of ["x", "y", "z", "w"].slice(0, registers[i]?.vector ?? 1)) {
      const { word, stride } = scope.register(i, element);
      image.fill(-1, word, word + (stride === 0 ? 1 : 32 * stride));
    }
  }
  return image;
}

function bindInstruction(binder: Binder, loops: LoopCache): Bound {
  const meaning = meaningOf(binder.opcode);
  if (meaning === undefined) throw new NotExecuted(`instruction '${binder.opcode.spelling}'`);
  if (meaning.kind !== "custom") return { lanes: bindLoop(binder, meaning, undefined, loops) };
  const bound = meaning.bind(binder);
  if (bound.scalar === undefined) return bound;
  const { meaning: inner, into, then } = bound.scalar;
  const loop = bindLoop(binder, inner, into, loops);
  const lanes: LaneOp =
    then === undefined
      ? loop
      : (frame, mask) => {
          loop(frame, mask);
          then(frame, mask);
        };
  return { ...bound, lanes };
}

function bindLoop(binder: Binder, meaning: Scalar | WordMoves, into: Place | undefined, loops: LoopCache): LaneOp {
  const [written, ...read] = meaning.kind === "words" ? meaning.bits : [meaning.write, ...meaning.reads].map(bitsOf);
  const places = [
    into ?? binder.write(binder.operand(0), written!),
    ...read.map((bits, i) => binder.read(binder.operand(i + 1), bits)),
  ];
  return loops.factory(binder.opcode, meaning, places)(places);
}

function bitsOf(view: View): number {
  return view === "pred" ? 1 : Number(/\d+/.exec(view)![0]);
}

function stepOf(
  instruction: Instruction,
  register: (index: number) => Place,
  bound: Bound,
  prepared: readonly LaneOp[],
  asked: readonly BoundOperand[],
): Step {
  const { guard } = instruction;
  if (bound.lanes === undefined && bound.control === undefined)
    throw new InternalError(`${instruction.opcode.spelling}: bound to nothing`);
  const { lanes, control } = bound;
  const [first, ...rest] = prepared;
  const prepare: LaneOp | undefined =
    first === undefined || rest.length === 0
      ? first
      : (frame, mask) => {
          for (const op of prepared) op(frame, mask);
        };
  return {
    guard: guard === undefined ? -1 : register(guard.register).word,
    flip: guard?.negated === true ? -1 : 0,
    lanes:
      lanes === undefined || prepare === undefined
        ? lanes
        : (frame, mask) => {
            prepare(frame, mask);
            lanes(frame, mask);
          },
    quick: prepare === undefined ? bound.quick : undefined,
    control:
      control === undefined || prepare === undefined
        ? control
        : (warp, group, active) => {
            if (active !== 0) prepare(group.frame, active);
            return control(warp, group, active);
          },
    members: bound.members,
    // .aligned: the program guarantees that all lanes execute the same instruction.
    mergeKey:
      bound.members === undefined || bound.lanes === undefined || instruction.opcode.chosen.includes("aligned")
        ? undefined
        : { opcode: instruction.opcode, operands: asked },
    memory: bound.memory === true,
    spins: bound.spins === true,
    readsClock: instruction.operands.some((operand) => operand?.kind === "special" && isClock(operand.name)),
  };
}

// -------------------------------------------------------------------------------------------------------------- loops

/** Compiled loops of one process: one for each opcode and strides of its operands. */
interface LoopCache {
  factory(opcode: Opcode, meaning: Scalar | WordMoves, places: readonly Place[]): LoopFactory;
  readonly compile: CompileText;
}

export function createLoopCache(): LoopCache {
  const compiler: LoopCompiler = createLoopCompiler();
  const cache = new Map<Opcode, Map<string, LoopFactory>>();
  const texts = new Map<string, ReturnType<CompileText>>();
  return {
    compile(parameters, body) {
      const key = `${parameters.length}:${body}`;
      let made = texts.get(key);
      if (made === undefined) texts.set(key, (made = new Function(...parameters, body) as ReturnType<CompileText>));
      return made;
    },
    factory(opcode, meaning, places) {
      let byStrides = cache.get(opcode);
      if (byStrides === undefined) cache.set(opcode, (byStrides = new Map<string, LoopFactory>()));
      const strides = places.map((place) => place.stride);
      const key = strides.join();
      let factory = byStrides.get(key);
      if (factory === undefined) byStrides.set(key, (factory = compiler.compile(meaning, strides)));
      return factory;
    },
  };
}
