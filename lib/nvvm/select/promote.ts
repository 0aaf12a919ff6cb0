// Allocas that need no memory: those that are only loaded and stored, at constant offsets, in pieces that are equal or
// disjoint. Each piece becomes a variable, whose value the walk over the dominator tree tracks (select.ts); where values meet,
// it gets phis.

import type { Body } from "../ir/global.js";
import type { AllocaInstruction, ElementPointerInstruction, Instruction } from "../ir/instruction.js";
import type { DataLayout } from "../ir/layout.js";
import type { Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import type { Flow } from "../lower/flow.js";
import type { Leaf, Part, RegisterClass, Shape } from "../lower/parts.js";

export interface Promotion {
  readonly allocas: ReadonlySet<Instruction>;
  /** For each load and store of promoted memory: the variable of each part. */
  readonly accesses: ReadonlyMap<Instruction, readonly number[]>;
  /** The part of each variable. */
  readonly variables: readonly Part[];
  /** By block: the variables with different incoming values. */
  readonly phis: ReadonlyMap<number, readonly number[]>;
}

interface Access {
  readonly instruction: Instruction;
  readonly block: number;
  readonly offset: number;
  readonly type: Type;
  readonly isStore: boolean;
}

interface Candidate {
  readonly accesses: Access[];
  fails: boolean;
}

/** Allocas with more pieces stay in memory. */
const mostPieces = 256;

/** Calls that only mark memory. */
const isMarker = (callee: Value): boolean =>
  callee.kind === "function" && /^llvm\.(lifetime|invariant|dbg|assume|var\.annotation)/.test(callee.name);

/** Byte offset of constant indices; undefined if one is not constant. */
function constantOffset(
  { sourceType, operands }: Pick<ElementPointerInstruction, "sourceType" | "operands">,
  layout: DataLayout,
): number | undefined {
  let offset = 0;
  let type: Type | undefined = sourceType;
  for (const [i, index] of operands.slice(1).entries()) {
    const number =
      index.kind === "integer"
        ? Number(BigInt.asIntN(index.type.bits, index.value))
        : index.kind === "zero"
          ? 0
          : undefined;
    if (number === undefined || type === undefined) return undefined;
    if (i === 0) offset += number * (layout.allocSize(type) ?? 0);
    else if (type.kind === "struct") {
      offset += layout.offsets(type)[number] ?? 0;
      type = type.fields?.[number];
    } else if (type.kind === "array" || type.kind === "vector") {
      type = type.element;
      offset += number * (layout.allocSize(type) ?? 0);
    } else return undefined;
  }
  return offset;
}

export function promote(body: Body, flow: Flow, layout: DataLayout, shapeOf: (type: Type) => Shape): Promotion {
  const candidates = findCandidates(body, flow, layout);
  const allocas = new Set<Instruction>();
  const accesses = new Map<Instruction, readonly number[]>();
  const variables: Part[] = [];
  const phis = new Map<number, number[]>();
  for (const [alloca, { accesses: list, fails }] of candidates) {
    if (fails) continue;
    const pieces = piecesOf(list, shapeOf);
    if (pieces === undefined) continue;
    allocas.add(alloca);
    const numbers = new Map<string, number>();
    const writers = new Map<number, Set<number>>();
    for (const access of list) {
      const shape = shapeOf(access.type);
      const touched = shape.leaves.flatMap((leaf) =>
        Array.from({ length: leaf.count }, (_, i) => {
          const key = `${access.offset + leaf.offset}+${i}`;
          let number = numbers.get(key);
          if (number === undefined) {
            numbers.set(key, (number = variables.length));
            variables.push(shape.parts[leaf.first + i]!);
            writers.set(number, new Set());
          }
          if (access.isStore) writers.get(number)!.add(access.block);
          return number;
        }),
      );
      accesses.set(access.instruction, touched);
    }
    for (const [number, blocks] of writers) {
      for (const block of flow.meets(blocks)) {
        const there = phis.get(block);
        if (there === undefined) phis.set(block, [number]);
        else there.push(number);
      }
    }
  }
  return { allocas, accesses, variables, phis };
}

function findCandidates(body: Body, flow: Flow, layout: DataLayout): ReadonlyMap<AllocaInstruction, Candidate> {
  const candidates = new Map<AllocaInstruction, Candidate>();
  const pointers = new Map<Value, { readonly candidate: Candidate; readonly offset: number }>();
  for (const block of flow.order) {
    for (const instruction of body.blocks[block]!.instructions) {
      if (instruction.opcode === "alloca") {
        const count = instruction.operands[0];
        if (count !== undefined && !(count.kind === "integer" && count.value === 1n)) continue;
        const candidate: Candidate = { accesses: [], fails: false };
        candidates.set(instruction, candidate);
        pointers.set(instruction, { candidate, offset: 0 });
        continue;
      }
      if (pointers.size === 0) continue;
      instruction.operands.forEach((operand, i) => {
        const pointer = pointers.get(operand);
        if (pointer === undefined) return;
        const { candidate, offset } = pointer;
        if (isAccess(instruction, i)) {
          const type = instruction.opcode === "load" ? instruction.type : instruction.operands[0]!.type;
          const isStore = instruction.opcode === "store";
          candidate.accesses.push({ instruction, block, offset, type, isStore });
          return;
        }
        const moved = movedBy(instruction, i, layout);
        if (moved !== undefined) pointers.set(instruction, { candidate, offset: offset + moved });
        else if (!(instruction.opcode === "call" && isMarker(instruction.callee))) candidate.fails = true;
      });
    }
  }
  return candidates;
}

/** A plain load, or a plain store to the pointer. */
function isAccess(instruction: Instruction, operand: number): boolean {
  if (instruction.opcode === "load") return !instruction.volatile && instruction.ordering === undefined;
  return instruction.opcode === "store" && operand === 1 && !instruction.volatile && instruction.ordering === undefined;
}

/** Bytes from an instruction's operand to the pointer that it makes; undefined if it does not make one. */
function movedBy(instruction: Instruction, operand: number, layout: DataLayout): number | undefined {
  if (instruction.type.kind !== "pointer" || operand !== 0) return undefined;
  if (instruction.opcode === "getelementptr") return constantOffset(instruction, layout);
  return instruction.opcode === "bitcast" || instruction.opcode === "addrspacecast" ? 0 : undefined;
}

/** The leaves of all accesses together, if no two overlap without being equal. */
function piecesOf(accesses: readonly Access[], shapeOf: (type: Type) => Shape): readonly Leaf[] | undefined {
  const pieces = new Map<number, { readonly leaf: Leaf; readonly class: RegisterClass }>();
  for (const { offset, type } of accesses) {
    const shape = shapeOf(type);
    for (const leaf of shape.leaves) {
      const at = offset + leaf.offset;
      const known = pieces.get(at);
      if (known === undefined) pieces.set(at, { leaf, class: shape.parts[leaf.first]!.class });
      else if (known.leaf.bits !== leaf.bits || known.leaf.elementBits !== leaf.elementBits) return undefined;
      // A short pointer and an i32 are registers of different classes.
      else if (known.class !== shape.parts[leaf.first]!.class) return undefined;
    }
  }
  if (pieces.size > mostPieces) return undefined;
  let end = -Infinity;
  for (const [at, { leaf }] of [...pieces].sort(([a], [b]) => a - b)) {
    if (at < end) return undefined;
    end = at + Math.ceil(leaf.bits / 8);
  }
  return [...pieces.values()].map(({ leaf }) => leaf);
}
