// Where the registers that phis and tied operands read and write are live. Positions inside a block:
// -1 is its head, where phis are written; n, after its n instructions, has the copies for its successors' phis; n + 1 is its
// exits. An instruction reads before it writes. One of several lines writes results before it has read everything, so its
// operands live half a step longer; operands that results are tied to are copied before it starts.

import { registersOf, type MachineBlock, type Operand, type Register } from "./machine.js";

/**
 * The part of a block in which a register is live: after position `start`, -Infinity if from the head, up to `end`, Infinity if to
 * the end. A value that nothing reads ends before it starts.
 */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

export interface Liveness {
  /** By the ids of blocks; undefined for registers that no phi or tied operand names. */
  intervalsOf(register: Register): ReadonlyMap<number, Interval> | undefined;
}

interface Range {
  /** Where it is written. */
  block: number;
  position: number;
  /** Blocks at whose head, and at whose end, it is live. */
  readonly into: Set<number>;
  readonly outOf: Set<number>;
  /** By block: the last position that reads it. */
  readonly last: Map<number, number>;
}

/** Machine predecessors of each block, by its id; each once. */
export function predecessorsOf(blocks: readonly MachineBlock[]): ReadonlyMap<number, readonly MachineBlock[]> {
  const found = new Map<number, MachineBlock[]>();
  for (const block of blocks) {
    for (const target of new Set(block.exits.map((exit) => exit.target))) {
      const list = found.get(target.id);
      if (list === undefined) found.set(target.id, [block]);
      else list.push(block);
    }
  }
  return found;
}

/** Ranges by the ids of their registers, and the blocks that read each. */
interface State {
  readonly ranges: ReadonlyMap<number, Range>;
  readonly uses: { readonly range: Range; readonly block: number }[];
}

export function livenessOf(
  blocks: readonly MachineBlock[],
  predecessors: ReadonlyMap<number, readonly MachineBlock[]>,
): Liveness {
  const state: State = { ranges: followed(blocks), uses: [] };
  for (const block of blocks) {
    noteBlock(state, block);
    for (const before of predecessors.get(block.id) ?? []) noteCopies(state, block, before);
  }
  spread(state, predecessors);
  return {
    intervalsOf({ id }) {
      const range = state.ranges.get(id);
      return range === undefined ? undefined : intervalsIn(range);
    },
  };
}

function intervalsIn({ block: home, position, into, outOf, last }: Range): ReadonlyMap<number, Interval> {
  const intervals = new Map<number, Interval>();
  const add = (block: number, start: number): void =>
    void intervals.set(block, { start, end: outOf.has(block) ? Infinity : (last.get(block) ?? -Infinity) });
  add(home, position);
  for (const block of into) add(block, -Infinity);
  return intervals;
}

/** Empty ranges for the registers of phis and tied operands. */
function followed(blocks: readonly MachineBlock[]): Map<number, Range> {
  const ranges = new Map<number, Range>();
  const follow = (value: Operand): void => {
    if (value.kind === "register" && !value.mutable && !ranges.has(value.id))
      ranges.set(value.id, { block: -1, position: -1, into: new Set(), outOf: new Set(), last: new Map() });
  };
  for (const { phis } of blocks) {
    for (const { result, incoming } of phis) {
      follow(result);
      for (const value of incoming.values()) follow(value);
    }
  }
  for (const { instructions } of blocks)
    for (const { tied = [], results, operands } of instructions)
      for (const [result, operand] of tied) for (const one of [results[result]!, operands[operand]!]) follow(one);
  return ranges;
}

function noteRead({ ranges, uses }: State, { id }: Register, block: MachineBlock, position: number): void {
  const range = ranges.get(id);
  if (range === undefined) return;
  const last = range.last.get(block.id);
  if (last === undefined) uses.push({ range, block: block.id });
  if (last === undefined || last < position) range.last.set(block.id, position);
}

/** Records the reads and writes of a block. */
function noteBlock(state: State, block: MachineBlock): void {
  const { ranges } = state;
  const end = block.instructions.length;
  for (const { result } of block.phis) Object.assign(ranges.get(result.id)!, { block: block.id, position: -1 });
  block.instructions.forEach(({ results, operands, guard, op, tied = [] }, position) => {
    const late = op.includes("\n") || tied.length > 0 ? 0.5 : 0;
    operands.forEach((operand, i) => {
      const here = tied.some(([, at]) => at === i) ? position : position + late;
      for (const one of registersOf(operand)) noteRead(state, one, block, here);
    });
    if (guard !== undefined) noteRead(state, guard, block, position);
    for (const { id } of results) {
      const range = ranges.get(id);
      if (range !== undefined) Object.assign(range, { block: block.id, position });
    }
  });
  for (const { guard } of block.exits) if (guard !== undefined) noteRead(state, guard, block, end + 1);
  if (block.table?.kind === "register") noteRead(state, block.table, block, end + 1);
}

/** Records the reads of the copies for a block's phis, at the end of a predecessor. */
function noteCopies(state: State, { phis }: MachineBlock, before: MachineBlock): void {
  for (const { incoming } of phis) {
    const value = incoming.get(before.origin);
    if (value?.kind === "register") noteRead(state, value, before, before.instructions.length);
  }
}

/** Propagates backwards from each block that reads a register to the one that writes it. */
function spread({ uses }: State, predecessors: ReadonlyMap<number, readonly MachineBlock[]>): void {
  for (const { range, block } of uses) {
    const work = [block];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (at === range.block || range.into.has(at)) continue;
      range.into.add(at);
      for (const { id } of predecessors.get(at) ?? []) {
        range.outOf.add(id);
        work.push(id);
      }
    }
  }
}
