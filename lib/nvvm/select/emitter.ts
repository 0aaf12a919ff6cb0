// Writes machine blocks: instructions are appended to the current block, pure ones are shared with an equal one that
// dominates them (value numbering over the dominator tree), and parts of an IR block are joined by jumps.

import type { Instruction as IrInstruction } from "../ir/instruction.js";
import { type RegisterClass } from "../lower/parts.js";
import {
  operandKey,
  registersOf,
  widths,
  type Exit,
  type MachineBlock,
  type Operand,
  type Register,
  type Scalar,
  type Word,
} from "./machine.js";

export interface Emitter {
  readonly blocks: readonly MachineBlock[];
  /** The blocks in the order of their first entry. */
  readonly entered: ReadonlySet<MachineBlock>;
  /** The block to which instructions are appended. */
  readonly block: MachineBlock;
  /** Number of registers. */
  readonly registers: number;
  /** The IR instruction of the following code. */
  from: IrInstruction | undefined;
  register(kind: RegisterClass, mutable?: boolean): Register;
  /** The result of an instruction that depends on its operands only. */
  pure(op: string, kind: RegisterClass, ...operands: readonly Operand[]): Register;
  /** Several results. */
  pureMany(op: string, kinds: readonly RegisterClass[], ...operands: readonly Operand[]): readonly Register[];
  /** Results that are not shared with equal ones; dropped if unused. */
  unshared(op: string, kinds: readonly RegisterClass[], ...operands: readonly Operand[]): readonly Register[];
  /** The result of a load that may be combined with its neighbours. */
  load(op: string, kind: RegisterClass, address: Operand, align: number): Register;
  /** An instruction that stays in place, with a result. */
  read(op: string, kind: RegisterClass, ...operands: readonly Operand[]): Register;
  effect(
    op: string,
    results: readonly Register[],
    operands: readonly Operand[],
    guard?: Register,
    negated?: boolean,
  ): void;
  /** Lines as one instruction, each with its own location; dropped if its results are unused, unless it stays. */
  text(
    lines: readonly string[],
    results: readonly Register[],
    operands: readonly Operand[],
    places: (line: number) => number,
    stays: boolean,
    tied: readonly (readonly [result: number, operand: number])[],
  ): void;
  /** Gives a mutable register a value. */
  assign(target: Register, value: Scalar): void;
  /** The value in a register: a literal or symbol is moved by `mov`. */
  inRegister(value: Scalar | Word, kind: RegisterClass): Register;
  /** A block of the IR block `origin`, not yet current. */
  newBlock(origin: number): MachineBlock;
  /** Makes the block current. */
  enter(block: MachineBlock): void;
  /** Ends the current block. */
  leave(exits: readonly Exit[], table?: Scalar): void;
  /** Ends the current block with a jump if the predicate is true, and another if not. */
  branch(guard: Register, yes: MachineBlock, no: MachineBlock, negated?: boolean): void;
  jump(target: MachineBlock): void;
  /** Returns the current number; `restore` drops everything numbered since. */
  mark(): number;
  restore(mark: number): void;
}

/** The state of an emitter. */
interface State {
  readonly blocks: MachineBlock[];
  readonly entered: Set<MachineBlock>;
  /** Results by the key of their computation, and those keys in order. */
  readonly numbered: Map<string, readonly Register[]>;
  readonly log: string[];
  /** Undefined until the first is entered. */
  block: MachineBlock | undefined;
  registers: number;
  from: IrInstruction | undefined;
}

export function createEmitter(): Emitter {
  const state: State = {
    blocks: [],
    entered: new Set(),
    numbered: new Map(),
    log: [],
    block: undefined,
    registers: 0,
    from: undefined,
  };
  return {
    blocks: state.blocks,
    entered: state.entered,
    get block() {
      return state.block!;
    },
    get registers() {
      return state.registers;
    },
    get from() {
      return state.from;
    },
    set from(instruction) {
      state.from = instruction;
    },
    register: (kind, mutable) => newRegister(state, kind, mutable),
    pure: (op, kind, ...operands) => pureMany(state, op, [kind], operands)[0]!,
    pureMany: (op, kinds, ...operands) => pureMany(state, op, kinds, operands),
    unshared: (op, kinds, ...operands) => add(state, op, newRegisters(state, kinds), operands, false),
    load: (op, kind, address, align) => addLoad(state, op, newRegister(state, kind), address, align),
    read: (op, kind, ...operands) => add(state, op, [newRegister(state, kind)], operands, true)[0]!,
    effect: (op, results, operands, guard, negated) => void add(state, op, results, operands, true, guard, negated),
    text: (...parts) => addText(state, ...parts),
    assign: (target, value) => void add(state, moveTo(target.class), [target], [value], true),
    inRegister: (value, kind) => inRegister(state, value, kind),
    newBlock: (origin) => newBlock(state, origin),
    enter(block) {
      state.entered.add(block);
      state.block = block;
    },
    leave: (exits, table) => leave(state, exits, table),
    branch: (guard, yes, no, negated = false) =>
      leave(state, [
        { guard, negated, target: yes },
        { guard: undefined, negated: false, target: no },
      ]),
    jump: (target) => leave(state, [{ guard: undefined, negated: false, target }]),
    mark: () => state.log.length,
    restore: (mark) => restore(state, mark),
  };
}

const newRegister = (state: State, kind: RegisterClass, mutable = false): Register => ({
  kind: "register",
  class: kind,
  id: state.registers++,
  mutable,
  zero: widths[kind],
  sign: widths[kind],
});

const newRegisters = (state: State, kinds: readonly RegisterClass[]): readonly Register[] =>
  kinds.map((kind) => newRegister(state, kind));

const moveTo = (kind: RegisterClass): string => (kind === "p" ? "mov.pred" : `mov.${kind}`);

/** Appends an instruction to the current block; its results. */
function add(
  state: State,
  op: string,
  results: readonly Register[],
  operands: readonly Operand[],
  effect: boolean,
  guard?: Register,
  negated = false,
): readonly Register[] {
  state.block!.instructions.push({ op, results, operands, guard, negated, effect, from: state.from });
  return results;
}

function addLoad(state: State, op: string, result: Register, address: Operand, align: number): Register {
  const rest = { guard: undefined, negated: false, effect: false, from: state.from, align };
  state.block!.instructions.push({ op, results: [result], operands: [address], ...rest });
  return result;
}

function addText(state: State, ...[lines, results, operands, places, stays, tied]: Parameters<Emitter["text"]>): void {
  const instruction = { op: lines.join("\n"), results, operands, guard: undefined, negated: false, effect: stays };
  state.block!.instructions.push({ ...instruction, from: state.from, places, tied });
}

function pureMany(
  state: State,
  op: string,
  kinds: readonly RegisterClass[],
  given: readonly Operand[],
): readonly Register[] {
  const operands = withRegister(state, op, given);
  let key = op;
  let shared = true;
  for (const operand of operands) {
    key += `|${operandKey(operand)}`;
    if (operand.kind === "register" ? operand.mutable : registersOf(operand).some(({ mutable }) => mutable))
      shared = false;
  }
  const known = shared ? state.numbered.get(key) : undefined;
  if (known !== undefined) return known;
  const results = add(state, op, newRegisters(state, kinds), operands, false);
  if (shared) {
    state.numbered.set(key, results);
    state.log.push(key);
  }
  return results;
}

/** The only PTX instruction with constant operands alone is mov: the first operand becomes a register. */
function withRegister(state: State, op: string, operands: readonly Operand[]): readonly Operand[] {
  const [first, ...others] = operands;
  if (first?.kind !== "literal" || op.startsWith("mov") || others.some(({ kind }) => kind !== "literal"))
    return operands;
  return [inRegister(state, first, first.class), ...others];
}

function inRegister(state: State, value: Scalar | Word, kind: RegisterClass): Register {
  return value.kind === "register" ? value : pureMany(state, moveTo(kind), [kind], [value])[0]!;
}

function newBlock({ blocks }: State, origin: number): MachineBlock {
  const block: MachineBlock = {
    id: blocks.length,
    origin,
    instructions: [],
    phis: [],
    exits: [],
    table: undefined,
    from: undefined,
  };
  blocks.push(block);
  return block;
}

/** Ends the current block. */
function leave(state: State, exits: readonly Exit[], table?: Scalar): void {
  const block = state.block!;
  block.exits = exits;
  block.table = table;
  block.from = state.from;
}

/** Drops everything numbered since. */
function restore({ log, numbered }: State, mark: number): void {
  while (log.length > mark) numbered.delete(log.pop()!);
}
