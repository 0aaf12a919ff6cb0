// Pairs of PTX instructions for which ptxas makes one machine instruction. The first one's result must have no other reader.
// The pairs are those found in our microbenchmarks' machine code: sums of three, logic of three, shifted and multiplied
// addresses, minima of three.

import type { LoweredInstruction, Program } from "../lowering/lowered.js";
import { microOp, pipeIndex, unchangingRegister } from "../lowering/lowering.js";
import type { OpName } from "../gpus/model.js";
import { modifier } from "../../isa/opcode.js";
import { isPredicated, type Draft } from "./step.js";

type Tag = "add" | "logic" | "shift" | "wide" | "add64" | "least" | "most" | "other";

interface Pair {
  readonly first: Tag;
  readonly second: Tag;
  readonly ops: readonly OpName[];
  /** Maximum number of operands of the machine instruction. */
  readonly most: number;
}

const pairs: readonly Pair[] = [
  { first: "add", second: "add", ops: ["alu"], most: 3 },
  { first: "logic", second: "logic", ops: ["alu"], most: 3 },
  { first: "shift", second: "add", ops: ["imad"], most: 3 },
  { first: "add64", second: "add64", ops: ["alu", "upper"], most: 3 },
  { first: "wide", second: "add64", ops: ["madWide"], most: 3 },
  { first: "add", second: "least", ops: ["alu"], most: 3 },
  { first: "add", second: "most", ops: ["alu"], most: 3 },
  { first: "least", second: "least", ops: ["alu"], most: 3 },
  { first: "most", second: "most", ops: ["alu"], most: 3 },
];

const uniform = pipeIndex("uniform");

/**
 * Merges into each suitable draft those whose results it alone reads; the merged ones disappear. Registers are renamed before.
 */
export function fuse(drafts: readonly Draft[], program: Program): void {
  const tags = drafts.map(tagOf);
  const operands = drafts.map(({ instruction }) => instruction.instruction.operands.length - 1);
  const taken = new Uint8Array(drafts.length);
  for (let i = 0; i < drafts.length; i++) {
    if (tags[i] === "other" || taken[i] === 1) continue;
    const users = readersOf(drafts, i, program);
    if (users === undefined || users.length === 0) continue;
    // A product may be merged into each of the sums that read it; anything else has one reader.
    if (users.length > 1 && tags[i] !== "wide") continue;
    const fitting = users.map((user) => {
      const found = pairs.find(({ first, second }) => first === tags[i] && second === tags[user]);
      return found !== undefined && taken[user] === 0 && operands[i]! + operands[user]! - 1 <= found.most
        ? found
        : undefined;
    });
    if (fitting.includes(undefined)) continue;
    users.forEach((user, k) => {
      const into = drafts[user]!;
      into.sources = [...into.sources.filter((slot) => slot !== drafts[i]!.results[0]), ...drafts[i]!.sources];
      into.ops = fitting[k]!.ops.map((op) => microOp(program.model, op, true));
      taken[user] = 1;
    });
    const gone = drafts[i]!;
    gone.kind = "free";
    gone.ops = [];
    gone.sources = [];
    gone.results = [];
  }
}

/** One machine instruction converts two values to halves (`op_cvt_f32_f16`). The second moves to the place of the first. */
export function packConversions(drafts: readonly Draft[]): void {
  for (let i = 0; i < drafts.length; i++) {
    const first = drafts[i]!;
    if (!isPackable(first)) continue;
    const written = new Set<number>(first.results);
    const read = new Set<number>();
    for (let k = i + 1; k < drafts.length; k++) {
      const second = drafts[k]!;
      if (isPackable(second)) {
        const moves =
          !second.sources.some((slot) => written.has(slot)) &&
          !second.results.some((slot) => written.has(slot) || read.has(slot));
        if (moves) {
          first.sources.push(...second.sources);
          first.results.push(...second.results);
          second.kind = "free";
          second.ops = [];
          second.sources = [];
          second.results = [];
        }
        break;
      }
      for (const slot of second.results) written.add(slot);
      for (const slot of [...second.sources, ...second.guards]) read.add(slot);
    }
  }
}

function isPackable(draft: Draft): boolean {
  const { form, instruction } = draft.instruction;
  const typeOf = (slot: string): string => modifier(instruction.opcode, slot) ?? "";
  return (
    form === "cvt.float.narrow" &&
    typeOf("dtype") === "f16" &&
    typeOf("atype") === "f32" &&
    draft.results.length === 1 &&
    draft.ops.length > 0 &&
    !isPredicated(draft)
  );
}

/**
 * Values that are constant during a thread's life are read once: PTX ISA 9.0 chapter 10, and the active lanes in straight-line
 * code.
 */
export function dropRepeatedReads(drafts: readonly Draft[]): void {
  const known = new Map<string, readonly number[]>();
  for (const draft of drafts) {
    const key = unchangingRead(draft.instruction);
    const slots = key === undefined ? undefined : known.get(key);
    const isRepeated = slots !== undefined && slots.every((slot, i) => slot === draft.results[i]);
    if (!isRepeated)
      for (const [other, held] of known) if (draft.results.some((slot) => held.includes(slot))) known.delete(other);
    if (key === undefined || isPredicated(draft)) continue;
    if (!isRepeated) known.set(key, [...draft.results]);
    else {
      draft.kind = "free";
      draft.ops = [];
      draft.sources = [];
      draft.results = [];
    }
  }
}

function unchangingRead(one: LoweredInstruction): string | undefined {
  const { form, instruction } = one;
  if (form === "activemask") return form;
  const [, source] = instruction.operands;
  if (form === "elect" && source?.kind === "immediate") return `${form} ${source.bits}`;
  return unchangingRegister(one);
}

/** Drafts that read the result of `at`, if there are certainly no others; otherwise undefined. */
function readersOf(drafts: readonly Draft[], at: number, program: Program): readonly number[] | undefined {
  const draft = drafts[at]!;
  const [result] = draft.results;
  if (result === undefined || draft.results.length !== 1 || isPredicated(draft)) return undefined;
  const users: number[] = [];
  let uses = 0;
  let areSourcesGone = false;
  for (let i = at + 1; i < drafts.length; i++) {
    const other = drafts[i]!;
    const times = other.sources.filter((slot) => slot === result).length;
    if (other.guards.includes(result)) return undefined;
    if (times > 0) {
      // A source that was written again would have another value here.
      if (areSourcesGone) return undefined;
      users.push(i);
      uses += times;
    }
    if (times > 1) return undefined;
    if (other.results.includes(result)) return isPredicated(other) ? undefined : users;
    areSourcesGone ||= other.results.some((slot) => draft.sources.includes(slot));
  }
  return result >= program.slots || program.reads[result] === uses ? users : undefined;
}

function tagOf({ kind, ops, instruction: { form, instruction } }: Draft): Tag {
  if (kind !== "math" || ops[0]?.pipe === uniform) return "other";
  const type = modifier(instruction.opcode, "type") ?? "";
  const is32 = /[us](32|16)$/.test(type);
  if ((form === "add.int" || form === "sub.int") && is32) return "add";
  if (form === "add.int" && /64$/.test(type)) return "add64";
  if (/^(and|or|xor|not|lop3)$/.test(form) && type === "b32") return "logic";
  if (form === "shl" && type === "b32" && instruction.operands[2]?.kind === "immediate") return "shift";
  if (form === "mul.wide" && is32) return "wide";
  if (form === "min.int" && is32) return "least";
  if (form === "max.int" && is32) return "most";
  return "other";
}
