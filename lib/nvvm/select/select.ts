// Function bodies to PTX. Blocks are lowered in the order of the dominator tree, so that every operand is available when it is
// used. Then phis get their values and become copies, dead code is dropped, and lines are printed.

import type { Body, Function } from "../ir/global.js";
import type { Instruction } from "../ir/instruction.js";
import { lowerBinary, lowerCompare, lowerSelect, lowerUnary } from "./arithmetic.js";
import { lowerAtomic, lowerCompareExchange } from "./atomics.js";
import { lowerCall } from "./calls.js";
import { lowerAggregate, lowerCast, lowerShuffle, lowerVector } from "./casts.js";
import { dropUnreached, dropUnused } from "./clean-up.js";
import { lowerBranch, lowerReturn, lowerSwitch, openPhi } from "./control.js";
import { leaveSsa } from "./leave-ssa.js";
import { literal, type MachineBlock, type Phi, type Scalar } from "./machine.js";
import { lowerFence, lowerLoad, lowerStore } from "./memory.js";
import { openArguments } from "./parameters.js";
import { depotName, lowerAlloca, lowerElementPointer } from "./pointers.js";
import { printBlocks } from "./print.js";
import type { PtxBody, SelectContext } from "./ptx-body.js";
import { lowerNextArgument } from "./varargs.js";
import { joinLoads } from "./vectorize.js";
import { createSelection, type Lowering, type Selection, type Variables } from "./selection.js";

type Rows = { readonly [O in Instruction["opcode"]]?: Lowering<Extract<Instruction, { readonly opcode: O }>> };

const binaryOpcodes = [
  "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
  "fadd", "fsub", "fmul", "fdiv", "frem",
] as const; // prettier-ignore
const castOpcodes = [
  "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "ptrtoint", "inttoptr", "bitcast",
  "addrspacecast",
] as const; // prettier-ignore

const rows: Rows = {
  ...Object.fromEntries(binaryOpcodes.map((opcode) => [opcode, lowerBinary])),
  ...Object.fromEntries(castOpcodes.map((opcode) => [opcode, lowerCast])),
  icmp: lowerCompare,
  fcmp: lowerCompare,
  select: lowerSelect,
  fneg: lowerUnary,
  freeze: lowerUnary,
  phi: openPhi,
  call: lowerCall,
  load: lowerLoad,
  store: lowerStore,
  alloca: lowerAlloca,
  getelementptr: lowerElementPointer,
  cmpxchg: lowerCompareExchange,
  atomicrmw: lowerAtomic,
  fence: lowerFence,
  extractelement: lowerVector,
  insertelement: lowerVector,
  shufflevector: lowerShuffle,
  extractvalue: lowerAggregate,
  insertvalue: lowerAggregate,
  br: lowerBranch,
  switch: lowerSwitch,
  ret: lowerReturn,
  unreachable: lowerReturn,
  va_arg: lowerNextArgument,
};

const lower: Lowering = (selection, instruction) => {
  const row = rows[instruction.opcode] as Lowering | undefined;
  return row?.(selection, instruction);
};

export function selectFunction(fn: Function, body: Body, context: SelectContext): PtxBody {
  const selection = createSelection(fn, body, context, lower, createVariables);
  const { emit, later } = selection;
  walk(selection);
  for (const work of later) work();
  const layout = dropUnreached([...emit.entered].sort((a, b) => a.origin - b.origin));
  dropUnused(layout, emit.registers);
  layout.forEach(joinLoads);
  const blocks = leaveSsa(layout, emit);
  const { frame, declarations } = selection;
  const depot = frame.size === 0 ? [] : [`.local .align ${frame.align} .b8 ${depotName}[${frame.size}];`];
  return { lines: printBlocks(blocks, [...declarations, ...depot]) };
}

/** Values of promoted memory along the walk; a block's changes are undone after the blocks that it dominates. */
function createVariables(selection: Selection): Variables {
  const { promotion } = selection;
  const values: (Scalar | undefined)[] = promotion.variables.map(() => undefined);
  const log: [number, Scalar | undefined][] = [];
  const phis = new Map<number, ReadonlyMap<number, Phi>>();
  const read = (number: number): Scalar => values[number] ?? literal(promotion.variables[number]!.class, 0n);
  const write = (number: number, value: Scalar): void => {
    log.push([number, values[number]]);
    values[number] = value;
  };
  const phisOf = (block: number): ReadonlyMap<number, Phi> => {
    let known = phis.get(block);
    if (known === undefined) {
      const made = (promotion.phis.get(block) ?? []).map((number): readonly [number, Phi] => {
        const result = selection.emit.register(promotion.variables[number]!.class);
        return [number, { result, incoming: new Map() }];
      });
      phis.set(block, (known = new Map(made)));
    }
    return known;
  };
  return {
    read: (numbers) => numbers.map(read),
    write: (numbers, parts) => numbers.forEach((number, i) => write(number, parts[i]!)),
    open(block) {
      for (const [number, phi] of phisOf(block)) {
        selection.emit.block.phis.push(phi);
        write(number, phi.result);
      }
    },
    close(block, successors) {
      for (const target of successors) {
        for (const [number, phi] of phisOf(target)) phi.incoming.set(block, read(number));
      }
    },
    mark: () => log.length,
    restore(mark) {
      while (log.length > mark) {
        const [number, value] = log.pop()!;
        values[number] = value;
      }
    },
  };
}

interface Visit {
  readonly block: number;
  readonly emitMark: number;
  readonly variableMark: number;
  next: number;
}

function walk(selection: Selection): void {
  const { flow, emit, variables } = selection;
  const open = (block: number): Visit => {
    const visit = { block, emitMark: emit.mark(), variableMark: variables.mark(), next: 0 };
    lowerBlock(selection, block);
    return visit;
  };
  const stack = [open(0)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = flow.dominated[top.block]![top.next++];
    if (child !== undefined) {
      stack.push(open(child));
      continue;
    }
    emit.restore(top.emitMark);
    variables.restore(top.variableMark);
    stack.pop();
  }
}

function lowerBlock(selection: Selection, index: number): void {
  const { body, emit, heads, tails, values, flow, variables } = selection;
  const head: MachineBlock = heads.get(index)!;
  emit.enter(head);
  emit.from = undefined;
  if (index === 0) openArguments(selection);
  variables.open(index);
  const { instructions } = body.blocks[index]!;
  const last = instructions.length - 1;
  instructions.forEach((instruction, i) => {
    emit.from = instruction;
    if (i === last) {
      tails.set(index, emit.block);
      variables.close(index, flow.successors[index]!);
    }
    const parts = lower(selection, instruction);
    if (parts !== undefined) values.set(instruction, parts);
  });
}
