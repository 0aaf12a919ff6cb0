// Rows of terminators, and phis.

import { append } from "../../base/lists.js";
import type { BranchInstruction, Instruction, ReturnInstruction, SwitchInstruction } from "../ir/instruction.js";
import type { Value } from "../ir/value.js";
import { functionSignature } from "../abi.js";
import { compare, resize } from "../lower/integer.js";
import { classOf, scalarBits } from "../lower/parts.js";
import { compareWords } from "../lower/wide.js";
import { storeResult } from "./call.js";
import { isLiteral, literal, widths, type MachineBlock, type Phi, type Scalar } from "./machine.js";
import type { Lowering, Selection } from "./selection.js";
import { partsOf, placeOf, pointerClass, specificBits } from "./values.js";

const headOf = ({ heads }: Selection, index: number): MachineBlock => heads.get(index)!;

/** Registers of a phi; its values are filled in when all blocks have been lowered. */
export function openPhi(selection: Selection, instruction: Instruction): readonly Scalar[] {
  const { emit, shapeOf, later, values, places, phiSpaces } = selection;
  const parts = shapeOf(instruction.type).parts;
  const phis = parts.map(({ class: kind }): Phi => ({ result: emit.register(kind), incoming: new Map() }));
  append(emit.block.phis, phis);
  const incoming = instruction.opcode === "phi" ? instruction.incoming : [];
  later.push(() => {
    incoming.forEach((block, i) => {
      if (!selection.flow.isReachable(block.index)) return;
      enterTail(selection, block.index);
      const from = partsOf(selection, instruction.operands[i]!);
      phis.forEach((phi, k) => phi.incoming.set(block.index, from[k]!));
    });
  });
  const space = phiSpaces.get(instruction);
  if (space !== undefined)
    openPlacePhi(
      selection,
      instruction,
      incoming.map(({ index }) => index),
      space,
    );
  else if (places.has(instruction)) places.delete(instruction);
  values.set(
    instruction,
    phis.map(({ result }) => result),
  );
  return phis.map(({ result }) => result);
}

/** A second phi, for the addresses in the one space that all pointers of a generic phi share. */
function openPlacePhi(selection: Selection, instruction: Instruction, blocks: readonly number[], space: string): void {
  const { emit, places, later } = selection;
  const phi: Phi = { result: emit.register(pointerClass(selection)), incoming: new Map() };
  emit.block.phis.push(phi);
  places.set(instruction, { base: phi.result, offset: 0, space });
  later.push(() => {
    blocks.forEach((block, i) => {
      if (!selection.flow.isReachable(block)) return;
      enterTail(selection, block);
      const place = placeOf(selection, instruction.operands[i]!);
      const isNothing = place.space !== space;
      phi.incoming.set(block, isNothing ? literal(phi.result.class, 0n) : specificBits(selection, place));
    });
  });
}

/** Moves the emitter to the end of a completed IR block. Nothing is shared there. */
function enterTail({ emit, tails }: Selection, block: number): void {
  emit.restore(0);
  emit.enter(tails.get(block)!);
  emit.from = emit.block.from;
}

export const lowerBranch: Lowering<BranchInstruction> = (selection, { operands, targets }) => {
  const { emit } = selection;
  const [yes, no] = targets.map(({ index }) => headOf(selection, index));
  const [condition] = operands;
  if (condition === undefined || no === undefined || yes === no) emit.jump(yes!);
  else {
    const { value, negated } = openNot(condition);
    const guard = partsOf(selection, value)[0]!;
    if (guard.kind === "literal") emit.jump((guard.bits === 1n) !== negated ? yes! : no);
    else emit.branch(guard, yes!, no, negated);
  }
  return undefined;
};

/** `xor i1 %x, true` swaps the branches. */
function openNot(condition: Value): { readonly value: Value; readonly negated: boolean } {
  if (condition.kind === "instruction" && condition.opcode === "xor") {
    const [value, mask] = condition.operands;
    if (mask!.kind === "integer" && mask!.value === 1n) return { value: value!, negated: true };
  }
  return { value: condition, negated: false };
}

interface Case {
  readonly value: bigint;
  readonly target: MachineBlock;
}

/** Largest number of cases that are tested one after another. */
const mostInChain = 4;
/** Smallest number of cases for a table; and the smallest share of its entries that are cases. */
const leastInTable = 8;
const leastDensity = 0.4;
const mostInTable = 4096;

export const lowerSwitch: Lowering<SwitchInstruction> = (selection, instruction) => {
  const { emit } = selection;
  const type = instruction.operands[0]!.type;
  const bits = scalarBits(type, selection.layout)!;
  const parts = partsOf(selection, instruction.operands[0]!);
  const otherwise = headOf(selection, instruction.defaultTarget.index);
  const cases = instruction.cases
    .map(({ value, target }): Case => ({ value: value.value, target: headOf(selection, target.index) }))
    .filter(({ target }) => target !== otherwise)
    .sort((a, b) => (a.value < b.value ? -1 : 1));
  if (cases.length === 0) emit.jump(otherwise);
  else if (bits > 64) lowerWideSwitch(selection, parts, bits, cases, otherwise);
  else {
    const value = bits === 1 ? resize(emit, parts[0]!, 1, 16, false) : parts[0]!;
    if (!lowerTable(selection, value, Math.max(bits, 2), cases, otherwise)) {
      lowerTree(selection, value, bits === 1 ? 16 : bits, cases, otherwise);
    }
  }
  return undefined;
};

function lowerWideSwitch(
  { emit }: Selection,
  parts: readonly Scalar[],
  bits: number,
  cases: readonly Case[],
  otherwise: MachineBlock,
): void {
  cases.forEach(({ value, target }, i) => {
    const words = parts.map((_, k) => literal("b64", value >> BigInt(64 * k)));
    const next = i === cases.length - 1 ? otherwise : emit.newBlock(emit.block.origin);
    const here = compareWords(emit, "eq", parts, words, bits);
    if (here.kind === "register") emit.branch(here, target, next);
    if (next !== otherwise) emit.enter(next);
  });
}

function lowerTable(
  { emit }: Selection,
  value: Scalar,
  bits: number,
  cases: readonly Case[],
  otherwise: MachineBlock,
): boolean {
  const least = cases[0]!.value;
  const size = cases.at(-1)!.value - least + 1n;
  if (cases.length < leastInTable || size > BigInt(mostInTable) || cases.length < Number(size) * leastDensity)
    return false;
  if (value.kind === "literal") return false;
  const kind = classOf(bits);
  const clean = resize(emit, value, bits, Math.max(widths[kind], 32), false);
  const wide = clean.class;
  const type = `${widths[wide]}`;
  const index = isLiteral(literal(wide, least), 0n)
    ? clean
    : emit.pure(`sub.s${type}`, wide, clean, literal(wide, least));
  const beyond = emit.pure(`setp.ge.u${type}`, "p", index, literal(wide, size));
  const inside = emit.newBlock(emit.block.origin);
  emit.branch(beyond, otherwise, inside);
  emit.enter(inside);
  const targets = Array.from({ length: Number(size) }, () => otherwise);
  for (const one of cases) targets[Number(one.value - least)] = one.target;
  emit.leave(
    targets.map((target) => ({ guard: undefined, negated: false, target })),
    emit.inRegister(resize(emit, index, widths[wide], 32, false), "b32"),
  );
  return true;
}

/** A binary search that ends in short chains. */
function lowerTree(
  selection: Selection,
  value: Scalar,
  bits: number,
  cases: readonly Case[],
  otherwise: MachineBlock,
): void {
  const { emit } = selection;
  const kind = classOf(bits);
  if (cases.length > mostInChain) {
    const middle = cases.length >> 1;
    const below = emit.newBlock(emit.block.origin);
    const above = emit.newBlock(emit.block.origin);
    const isBelow = compare(emit, "ult", value, literal(kind, cases[middle]!.value), bits);
    if (isBelow.kind === "register") emit.branch(isBelow, below, above);
    else emit.jump(isBelow.bits === 1n ? below : above);
    const mark = emit.mark();
    emit.enter(below);
    lowerTree(selection, value, bits, cases.slice(0, middle), otherwise);
    emit.restore(mark);
    emit.enter(above);
    lowerTree(selection, value, bits, cases.slice(middle), otherwise);
    emit.restore(mark);
    return;
  }
  cases.forEach((one, i) => {
    const next = i === cases.length - 1 ? otherwise : emit.newBlock(emit.block.origin);
    const here = compare(emit, "eq", value, literal(kind, one.value), bits);
    if (here.kind === "register") emit.branch(here, one.target, next);
    else emit.jump(here.bits === 1n ? one.target : next);
    if (next !== otherwise) emit.enter(next);
  });
}

export const lowerReturn: Lowering<ReturnInstruction> = (selection, { opcode, operands }) => {
  const { emit, fn, context, kernel } = selection;
  if (opcode === "unreachable") {
    emit.effect("trap", [], []);
    emit.effect("exit", [], []);
  } else {
    const [value] = operands;
    if (value !== undefined && !kernel) {
      const signature = functionSignature(fn, false, { ...context.abi, alignments: context.alignmentsOf(fn) });
      if (signature.result !== undefined) storeResult(selection, signature.result, partsOf(selection, value));
    }
    emit.effect("ret", [], []);
  }
  emit.leave([]);
  return undefined;
};
