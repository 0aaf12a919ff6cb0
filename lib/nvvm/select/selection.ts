// The state of selecting one function: the location of each IR value, its uses, and the emitter of its code. The rows (opcode →
// function) are in the other files of this folder.

import type { DataLayout } from "../ir/layout.js";
import type { Body, Function } from "../ir/global.js";
import type { Instruction } from "../ir/instruction.js";
import type { Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { flowOf, type Flow } from "../lower/flow.js";
import { createShapes, type Shape } from "../lower/parts.js";
import { createEmitter, type Emitter } from "./emitter.js";
import type { MachineBlock, Register, Scalar, Word } from "./machine.js";
import { promote, type Promotion } from "./promote.js";
import type { SelectContext } from "./ptx-body.js";
import { inferPhiSpaces } from "./spaces.js";

/** An address that memory instructions take directly. */
export interface Place {
  readonly base: Register | Word;
  /** Bytes. */
  readonly offset: number;
  /** "global", "shared", "const", "local", "param"; "" is generic. */
  readonly space: string;
}

export interface Selection {
  readonly context: SelectContext;
  readonly fn: Function;
  readonly body: Body;
  readonly kernel: boolean;
  readonly layout: DataLayout;
  readonly flow: Flow;
  readonly emit: Emitter;
  readonly shapeOf: (type: Type) => Shape;
  /** Of arguments and instructions. */
  readonly values: Map<Value, readonly Scalar[]>;
  readonly places: Map<Value, Place>;
  /** Number of times that each instruction is an operand, and its last user. */
  readonly uses: ReadonlyMap<Value, { count: number; user: Instruction }>;
  /** State spaces of generic phis whose pointers are all in one space. */
  readonly phiSpaces: ReadonlyMap<Instruction, string>;
  /** Memory that was promoted to registers. */
  readonly promotion: Promotion;
  /** Loads whose only use extends them: they extend when loading. */
  readonly extended: Map<Instruction, Scalar>;
  /** The first machine block of each IR block, by index. */
  readonly heads: Map<number, MachineBlock>;
  /** The machine block that ends each IR block, by index. */
  readonly tails: Map<number, MachineBlock>;
  /** Bytes of `.local` memory, and its alignment. */
  readonly frame: { size: number; align: number };
  /** Lines before the registers: prototypes of indirect calls. */
  readonly declarations: string[];
  readonly variables: Variables;
  /** Lowers an instruction at the emitter's position, and returns the parts of its result. */
  readonly lower: Lowering;
  /** Deferred until all blocks are lowered: the values of phis. */
  readonly later: (() => void)[];
}

export function createSelection(
  fn: Function,
  body: Body,
  context: SelectContext,
  lower: Lowering,
  createVariables: (selection: Selection) => Variables,
): Selection {
  const flow = flowOf(body);
  const shapeOf = createShapes(context.abi.layout);
  const uses = new Map<Value, { count: number; user: Instruction }>();
  for (const index of flow.order) {
    for (const user of body.blocks[index]!.instructions) {
      for (const operand of user.operands) {
        const use = uses.get(operand);
        if (use === undefined) uses.set(operand, { count: 1, user });
        else {
          use.count++;
          use.user = user;
        }
      }
      if (user.opcode === "call" && user.callee.kind === "instruction") uses.set(user.callee, { count: 2, user });
    }
  }
  const emit = createEmitter();
  const heads = new Map<number, MachineBlock>();
  body.blocks.forEach((block, index) => {
    if (flow.isReachable(index)) heads.set(block.index, emit.newBlock(index));
  });
  const selection: Omit<Selection, "variables"> & { variables?: Variables } = {
    context,
    fn,
    body,
    kernel: context.isKernel(fn),
    layout: context.abi.layout,
    flow,
    emit,
    shapeOf,
    values: new Map(),
    places: new Map(),
    phiSpaces: inferPhiSpaces(body, flow, (variable) => context.spaceOf(variable)),
    promotion: promote(body, flow, context.abi.layout, shapeOf),
    uses,
    extended: new Map(),
    heads,
    tails: new Map(),
    frame: { size: 0, align: 1 },
    declarations: [],
    lower,
    later: [],
  };
  selection.variables = createVariables(selection as Selection);
  return selection as Selection;
}

/** Values of promoted memory. */
export interface Variables {
  read(numbers: readonly number[]): readonly Scalar[];
  write(numbers: readonly number[], parts: readonly Scalar[]): void;
  /** Makes the phis of a block that is entered. */
  open(block: number): void;
  /** Gives the phis of the successors their values. */
  close(block: number, successors: readonly number[]): void;
  mark(): number;
  restore(mark: number): void;
}

/** The only user of a value that is used once. */
export function onlyUser(selection: Selection, value: Value): Instruction | undefined {
  const use = selection.uses.get(value);
  return use?.count === 1 ? use.user : undefined;
}

/** Lowers an instruction; returns its parts, or undefined if it has no result. */
export type Lowering<T extends Instruction = Instruction> = (
  selection: Selection,
  instruction: T,
) => readonly Scalar[] | undefined;
