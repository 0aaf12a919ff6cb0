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
  /** The blocks in the order in which they were first entered. */
  readonly entered: ReadonlySet<MachineBlock>;
  /** Where instructions go. */
  readonly block: MachineBlock;
  /** How many registers there are. */
  readonly registers: number;
  /** The IR instruction that what follows comes from. */
  from: IrInstruction | undefined;
  register(kind: RegisterClass, mutable?: boolean): Register;
  /** The result of an instruction that depends on its operands alone. */
  pure(op: string, kind: RegisterClass, ...operands: readonly Operand[]): Register;
  /** Several results. */
  pureMany(op: string, kinds: readonly RegisterClass[], ...operands: readonly Operand[]): readonly Register[];
  /** Results that are not shared with equal ones; dropped if unused. */
  unshared(op: string, kinds: readonly RegisterClass[], ...operands: readonly Operand[]): readonly Register[];
  /** The result of a load that may be joined with its neighbours. */
  load(op: string, kind: RegisterClass, address: Operand, align: number): Register;
  /** An instruction that stays in its place, with a result. */
  read(op: string, kind: RegisterClass, ...operands: readonly Operand[]): Register;
  effect(
    op: string,
    results: readonly Register[],
    operands: readonly Operand[],
    guard?: Register,
    negated?: boolean,
  ): void;
  /** Lines as one instruction, each with its own place; dropped where nothing uses its results, unless it stays. */
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
  /** The value in a register: a literal or symbol by `mov`. */
  inRegister(value: Scalar | Word, kind: RegisterClass): Register;
  /** A block of the IR block `origin`, not yet current. */
  newBlock(origin: number): MachineBlock;
  /** Makes the block current. */
  enter(block: MachineBlock): void;
  /** Ends the current block. */
  leave(exits: readonly Exit[], table?: Scalar): void;
  /** Ends the current block with a jump where the predicate is true, and another where not. */
  branch(guard: Register, yes: MachineBlock, no: MachineBlock, negated?: boolean): void;
  jump(target: MachineBlock): void;
  /** Returns the current number; `restore` drops everything numbered since. */
  mark(): number;
  restore(mark: number): void;
}

export function createEmitter(): Emitter {
  const blocks: MachineBlock[] = [];
  const entered = new Set<MachineBlock>();
  const numbered = new Map<string, readonly Register[]>();
  const log: string[] = [];
  let current: MachineBlock | undefined;
  let registers = 0;

  function register(kind: RegisterClass, mutable = false): Register {
    return { kind: "register", class: kind, id: registers++, mutable, zero: widths[kind], sign: widths[kind] };
  }

  function append(
    op: string,
    results: readonly Register[],
    operands: readonly Operand[],
    effect: boolean,
    guard?: Register,
    negated = false,
  ): void {
    current!.instructions.push({ op, results, operands, guard, negated, effect, from: emitter.from });
  }

  function pureMany(op: string, kinds: readonly RegisterClass[], ...given: readonly Operand[]): readonly Register[] {
    let operands = given;
    // PTX has no instruction of constants alone but mov.
    const [first, ...others] = given;
    if (first?.kind === "literal" && !op.startsWith("mov") && others.every(({ kind }) => kind === "literal")) {
      operands = [emitter.inRegister(first, first.class), ...others];
    }
    let key = op;
    let shared = true;
    for (const operand of operands) {
      key += `|${operandKey(operand)}`;
      if (operand.kind === "register" ? operand.mutable : registersOf(operand).some(({ mutable }) => mutable))
        shared = false;
    }
    const known = shared ? numbered.get(key) : undefined;
    if (known !== undefined) return known;
    const results = kinds.map((kind) => register(kind));
    append(op, results, operands, false);
    if (shared) {
      numbered.set(key, results);
      log.push(key);
    }
    return results;
  }

  const emitter: Emitter = {
    blocks,
    entered,
    get block() {
      return current!;
    },
    get registers() {
      return registers;
    },
    from: undefined,
    register,
    pure: (op, kind, ...operands) => pureMany(op, [kind], ...operands)[0]!,
    pureMany,
    unshared(op, kinds, ...operands) {
      const results = kinds.map((kind) => register(kind));
      append(op, results, operands, false);
      return results;
    },
    load(op, kind, address, align) {
      const result = register(kind);
      const rest = { guard: undefined, negated: false, effect: false, from: emitter.from, align };
      current!.instructions.push({ op, results: [result], operands: [address], ...rest });
      return result;
    },
    read(op, kind, ...operands) {
      const result = register(kind);
      append(op, [result], operands, true);
      return result;
    },
    effect: (op, results, operands, guard, negated) => append(op, results, operands, true, guard, negated),
    text(lines, results, operands, places, stays, tied) {
      const instruction = { op: lines.join("\n"), results, operands, guard: undefined, negated: false, effect: stays };
      current!.instructions.push({ ...instruction, from: emitter.from, places, tied });
    },
    assign(target, value) {
      append(target.class === "p" ? "mov.pred" : `mov.${target.class}`, [target], [value], true);
    },
    inRegister(value, kind) {
      if (value.kind === "register") return value;
      return emitter.pure(kind === "p" ? "mov.pred" : `mov.${kind}`, kind, value);
    },
    newBlock(origin) {
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
    },
    enter(block) {
      entered.add(block);
      current = block;
    },
    leave(exits, table) {
      current!.exits = exits;
      current!.table = table;
      current!.from = emitter.from;
    },
    branch(guard, yes, no, negated = false) {
      emitter.leave([
        { guard, negated, target: yes },
        { guard: undefined, negated: false, target: no },
      ]);
    },
    jump(target) {
      emitter.leave([{ guard: undefined, negated: false, target }]);
    },
    mark: () => log.length,
    restore(mark) {
      while (log.length > mark) numbered.delete(log.pop()!);
    },
  };
  return emitter;
}
