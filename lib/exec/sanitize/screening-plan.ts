// Decides, from a kernel's instructions and a launch's arguments, whether the screening pass can check the launch, and what. It
// follows every register through all paths: whether it is written, and which object an address in it derives from. A kernel whose
// registers are written on every path and whose accesses stay with one object each needs no shadow of registers at run time.

import { hasTrait, typeOf } from "../../isa/opcode.js";
import type { Operand } from "../../isa/instruction.js";
import { isConstantBank } from "../../isa/state-spaces.table.js";
import { isBlockBarrier } from "../fast/records.js";
import { registersOf } from "../operands/registers.js";
import { transferred } from "../operands/promoted.js";
import type { Watched } from "../operands/watched.js";
import type { Program, Place } from "../state/frame.js";
import type { LaunchState } from "../state/launch.js";
import { summaryOf } from "./flow.js";
import { operandNamed, scopeOf } from "./instruction.js";
import { namedBy } from "./instrument.js";
import { elementsOf } from "./memory-watch.js";
import { type MemoryObject, objectAt, type Objects, slotObject } from "./objects.js";
import { MIXED, UNKNOWN } from "./register-shadow.js";
import type { BoundTarget } from "../operands/target.js";
import { pointerInParameters } from "./warp-access.js";

/** A load, store or atomic operation: the object that its address derives from in all threads. */
export interface PlannedAccess {
  readonly bound: BoundTarget;
  readonly object: MemoryObject;
  readonly access: "read" | "write" | "atomic";
  /** Reads 64-bit values, which may be pointers. */
  readonly isWide: boolean;
}

/** What the screening pass checks, by instruction. */
export type ScreeningPlan = ReadonlyMap<number, PlannedAccess>;

export interface PlannedLaunch {
  readonly launch: Pick<LaunchState, "kernel" | "sharedBytes" | "parameters" | "process">;
  readonly objects: Objects;
}

/** Thrown if the screening pass does not support the launch. */
class Unsupported extends Error {
  override readonly name = "Unsupported";
}

/** A register that is written on every path, and may derive from any object. */
const ANY = -3;

/** Limit for basic blocks times registers. */
const MAX_STATES = 2 ** 24;

/**
 * Opcodes that only compute, or synchronise in a way that the pass knows. Loads, stores and atomics are checked apart from these.
 */
const supported = new Set(
  `abs activemask add addc and bar barrier bfe bfi bfind bmsk bra brev brkpt brx clz cnot copysign cos cvt cvta div dp2a dp4a
  elect ex2 exit fence fma fns isspacep lg2 lop3 mad mad24 madc match max membar min mma mov movmatrix mul mul24 nanosleep neg not
  or pmevent popc prmt rcp redux rem ret rsqrt sad selp set setp shf shfl shl shr sin slct sqrt sub subc szext tanh testp trap vote
  xor`.split(/\s+/),
);

/** Written places and what they hold afterwards: an object, 0, MIXED, ANY or UNKNOWN. */
type Writes = readonly (readonly [Place, number])[];

/** The effect of an instruction on registers; `valueOf`: their values before. */
type Effect = (valueOf: (place: Place) => number) => Writes;

/** The plan, or undefined where the launch needs the reference engine. */
export function planScreening(
  watched: readonly Watched[],
  program: Program,
  planned: PlannedLaunch,
): ScreeningPlan | undefined {
  try {
    return analyse(watched, program, planned);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

function unsupported(reason: string): never {
  throw new Unsupported(reason);
}

/** Joins the values of a register from two paths. */
const join = (one: number, other: number): number =>
  one === other ? one : one === UNKNOWN || other === UNKNOWN ? UNKNOWN : ANY;

/** The analysis of register values at each basic block. */
interface RegisterFlow {
  readonly program: Program;
  readonly effects: readonly Effect[];
  readonly guards: readonly (Place | undefined)[];
  /** Numbers of registers, by their first word: indices in a state. */
  readonly numbers: Map<number, number>;
  readonly leaders: ReadonlySet<number>;
  /** By the first pc of a block. */
  readonly states: Map<number, Int32Array>;
  /** Blocks whose state has changed, and the same as a set. */
  readonly queue: number[];
  readonly queued: Set<number>;
}

function analyse(watched: readonly Watched[], program: Program, planned: PlannedLaunch): ScreeningPlan {
  const plan = new Map<number, PlannedAccess>();
  const effects = watched.map((each, pc) => effectOf(each, program, planned, (access) => void plan.set(pc, access)));
  const guards = program.fn.code.instructions.map(({ guard }) =>
    guard === undefined ? undefined : program.registerPlace(guard.register),
  );
  const flow: RegisterFlow = {
    program,
    effects,
    guards,
    numbers: numberRegisters(watched, program, guards),
    leaders: leadersOf(program),
    states: new Map(),
    queue: [],
    queued: new Set(),
  };
  if (flow.leaders.size * flow.numbers.size > MAX_STATES) unsupported("the kernel is too long");
  reachBlock(flow, 0, entryState(flow));
  for (let start = flow.queue.pop(); start !== undefined; start = flow.queue.pop()) runBlock(flow, start);
  return plan;
}

function numberRegisters(
  watched: readonly Watched[],
  program: Program,
  guards: readonly (Place | undefined)[],
): Map<number, number> {
  const numbers = new Map<number, number>();
  const add = ({ word }: Place): void => {
    if (!numbers.has(word)) numbers.set(word, numbers.size);
  };
  for (const { reads, writes } of watched) for (const place of [...reads, ...writes]) add(place);
  for (let i = 0; i < program.registerCount; i++) add(program.registerPlace(i));
  for (const guard of guards) if (guard !== undefined) add(guard);
  return numbers;
}

function entryState({ program, numbers }: RegisterFlow): Int32Array {
  const state = new Int32Array(numbers.size);
  for (const [word, number] of numbers) state[number] = program.undefinedImage![word] === 0 ? 0 : UNKNOWN;
  return state;
}

/** Joins a state into that of the block at `pc`, and queues the block if it has changed. */
function reachBlock({ program, states, queue, queued }: RegisterFlow, pc: number, state: Int32Array): void {
  if (pc >= program.fn.code.instructions.length) return;
  const known = states.get(pc);
  let isNew = known === undefined;
  if (known === undefined) states.set(pc, state.slice());
  else
    for (let i = 0; i < known.length; i++) {
      const both = join(known[i]!, state[i]!);
      if (both === known[i]) continue;
      known[i] = both;
      isNew = true;
    }
  if (!isNew || queued.has(pc)) return;
  queued.add(pc);
  queue.push(pc);
}

/** Applies the block's instructions to its state, and reaches the blocks that follow. */
function runBlock(flow: RegisterFlow, start: number): void {
  const { program, effects, guards, numbers, leaders, states, queued } = flow;
  queued.delete(start);
  const { length } = program.fn.code.instructions;
  const state = states.get(start)!.slice();
  const valueOf = ({ word }: Place): number => state[numbers.get(word)!]!;
  for (let pc = start; ; pc++) {
    const guard = guards[pc];
    if (guard !== undefined && valueOf(guard) === UNKNOWN) unsupported("a guard may have no value");
    for (const [place, value] of effects[pc]!(valueOf)) {
      const number = numbers.get(place.word)!;
      state[number] = guard === undefined ? value : join(state[number]!, value);
    }
    const next = successorsOf(program, pc);
    if (next.length === 1 && next[0] === pc + 1 && !leaders.has(pc + 1) && pc + 1 < length) continue;
    for (const target of next) reachBlock(flow, target, state);
    return;
  }
}

function successorsOf({ fn: { code } }: Program, pc: number): readonly number[] {
  const { opcode, operands, guard } = code.instructions[pc]!;
  const isEnd = hasTrait(opcode, "return") || hasTrait(opcode, "exit");
  const targets = operands.flatMap((operand) => {
    if (operand?.kind === "label") return [operand.target];
    return operand?.kind === "table" && operand.table === "branch-targets"
      ? code.branchTargets[operand.index]!.targets
      : [];
  });
  const isBranch = hasTrait(opcode, "branch") || hasTrait(opcode, "branch-table");
  return (isEnd || isBranch) && guard === undefined ? targets : [...targets, pc + 1];
}

/** First instructions of basic blocks. */
function leadersOf(program: Program): ReadonlySet<number> {
  const leaders = new Set([0]);
  program.fn.code.instructions.forEach((_, pc) => {
    const next = successorsOf(program, pc);
    if (next.length !== 1 || next[0] !== pc + 1) for (const target of [...next, pc + 1]) leaders.add(target);
  });
  return leaders;
}

// --------------------------------------------------------------------------------------------------------- instructions

function effectOf(
  watched: Watched,
  program: Program,
  planned: PlannedLaunch,
  plan: (access: PlannedAccess) => void,
): Effect {
  const { opcode, instruction, targets } = watched;
  const { form } = opcode;
  const refuse = (): Effect => () => unsupported(`${opcode.spelling} is not supported`);
  const access = ({ ld: "read", ldu: "read", st: "write", atom: "atomic", red: "atomic" } as const)[form.opcode];
  if (hasTrait(opcode, "asynchronous") || hasTrait(opcode, "call")) return refuse();
  if (access !== undefined) return accessEffect(watched, program, planned, access, plan);
  if (!supported.has(form.opcode) || targets.length > 0) return refuse();
  if (hasTrait(opcode, "barrier")) return isBlockBarrier(instruction) ? () => [] : refuse();
  const isOfWarp = form.id === "bar.warp.sync" || ["shfl", "vote", "match", "redux", "elect"].includes(form.opcode);
  if (isOfWarp) {
    const mask = form.id === "bar.warp.sync" ? instruction.operands[0] : operandNamed(watched, "mask");
    if (!namesAllLanes(mask, program)) return refuse();
  } else if (form.opcode === "bar" || form.opcode === "barrier") return refuse();
  return flowEffect(watched, planned);
}

const isAllLanes = (operand: Operand | undefined): boolean =>
  operand?.kind === "immediate" && BigInt.asUintN(32, operand.bits) === 0xffff_ffffn;

/** Whether a mask is 0xffffffff: a constant, or a register that one instruction sets to it. */
function namesAllLanes(mask: Operand | undefined, { fn: { code } }: Program): boolean {
  if (mask?.kind !== "register") return isAllLanes(mask);
  const writers = code.instructions.filter((each) => registersOf(each).writes.includes(mask.register));
  const [{ opcode, operands, guard } = {}] = writers;
  if (writers.length !== 1 || guard !== undefined || opcode?.form.id !== "mov") return false;
  return isAllLanes(operands?.[1]);
}

/** The rules of flow.ts, for all lanes of a warp at once. */
function flowEffect(watched: Watched, { objects, launch }: PlannedLaunch): Effect {
  const { reads, writes, opcode, places } = watched;
  const summary = summaryOf(opcode);
  const named = namedBy(watched).reduce((found, { base }) => {
    if (found !== 0 || base.kind === "register") return found;
    return base.kind === "symbol" ? slotObject(objects, launch, places.fn.slots[base.symbol]!) : ANY;
  }, 0);
  const isDecided = hasTrait(opcode, "branch-table");
  // The summary finds an object by a place's word: each operand gets its own index.
  const numbered = reads.map((place, i): Place => ({ ...place, word: i }));
  return (valueOf) => {
    const values = Int32Array.from(reads, valueOf);
    if (values.includes(UNKNOWN)) {
      if (isDecided) unsupported("a branch may be decided by no value");
      return writes.map((place) => [place, UNKNOWN]);
    }
    let result: number = ANY;
    if (named === 0 && values.every((value) => value === 0)) result = 0;
    else if (summary !== undefined && named !== ANY && !values.includes(ANY)) result = summary(numbered, values, named);
    return writes.map((place) => [place, result]);
  };
}

function accessEffect(
  watched: Watched,
  program: Program,
  planned: PlannedLaunch,
  access: PlannedAccess["access"],
  plan: (access: PlannedAccess) => void,
): Effect {
  const { instruction, opcode, targets, places } = watched;
  const type = typeOf(opcode)!;
  const isLoad = access === "read";
  const [address, value] = isLoad ? [1, 0] : [0, 1];
  const elements = access === "atomic" ? [] : elementsOf(watched, value, type);
  const promoted = access === "atomic" ? undefined : transferred(program.promoted, instruction.operands[address]);
  if (promoted !== undefined) {
    const inside = places.register(promoted);
    const outside = elements[0]?.place;
    return (valueOf) => {
      if (isLoad) return outside === undefined ? [] : [[outside, valueOf(inside)]];
      return [[inside, outside === undefined ? 0 : valueOf(outside)]];
    };
  }
  const [bound] = targets;
  if (bound === undefined || targets.length > 1 || bound.isRanked) return () => unsupported("an unknown access");
  const objectOf = objectOfAddress(watched, planned, bound);
  return (valueOf) => {
    const id = objectOf(valueOf);
    if (id !== PARAMETER) plan(planAccess(watched, planned, bound, id, access));
    for (const place of watched.reads) if (valueOf(place) === UNKNOWN) unsupported("an operand may have no value");
    if (access === "atomic") return watched.writes.map((place) => [place, 0]);
    return elements.flatMap(({ place, offset, bits }): Writes => {
      if (place === undefined) return [];
      if (isLoad) {
        const isPointer = id === PARAMETER && bits === 64;
        return [[place, isPointer ? pointerInParameters(planned, bound.shape.offset + offset) : 0]];
      }
      const stored = valueOf(place);
      if (stored === UNKNOWN || (stored !== 0 && bits >= 32)) unsupported("a pointer, or no value, may be stored");
      return [];
    });
  };
}

/** Takes the place of an object: the address is inside one of the kernel's parameters. */
const PARAMETER = -4;

function objectOfAddress(
  { instruction, opcode, places }: Watched,
  { objects, launch }: PlannedLaunch,
  { operand, shape, bytes, space }: BoundTarget,
): (valueOf: (place: Place) => number) => number {
  const address: Operand | undefined = instruction.operands[operand];
  const isBank = opcode.chosen.some((text) => text !== undefined && isConstantBank(text));
  if (address?.kind !== "address" || isBank) return () => unsupported("an unknown address");
  const { base, offset } = address;
  const { register } = shape;
  if (base.kind === "symbol") {
    const id = slotObject(objects, launch, places.fn.slots[base.symbol]!);
    return () => id;
  }
  if (base.kind === "register" && register !== undefined) return (valueOf) => valueOf(register);
  if (base.kind !== "variable" || space !== "param" || !places.isKernelParameter(base.variable))
    return () => unsupported("an unknown address");
  const { size } = places.fn.code.variables[base.variable]!.layout;
  const isInside = offset >= 0n && Number(offset) + bytes <= size && shape.offset % bytes === 0;
  return () => (isInside ? PARAMETER : unsupported("an address outside its parameter"));
}

function planAccess(
  { opcode }: Watched,
  { objects }: PlannedLaunch,
  bound: BoundTarget,
  id: number,
  access: PlannedAccess["access"],
): PlannedAccess {
  const object = id === UNKNOWN || id === ANY || id === MIXED || id === 0 ? undefined : objectAt(objects, id);
  if (object === undefined || object.dead !== 0) return unsupported("an address of no known object");
  const { space } = object;
  if (bound.space !== undefined && bound.space !== space) return unsupported("an address of another space");
  if (space !== "global" && space !== "shared" && (space !== "const" || access !== "read"))
    return unsupported("an access to another space");
  if (access === "atomic" && space === "global" && scopeOf(opcode) !== 2)
    return unsupported("an atomic of a small scope");
  const type = typeOf(opcode)!;
  return { bound, object, access, isWide: access === "read" && space === "global" && type.bits === 64 };
}
