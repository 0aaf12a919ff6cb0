// List scheduling of a region, approximating ptxas: of the instructions that can issue, the one on the longest chain of
// latencies goes first. So loads come early, which affects a kernel's time more than anything else that the scheduler decides.
// Latencies are those a compiler assumes, not those of the memory system.

import type { MicroOp, Program } from "../lowering/lowered.js";
import { pipeIndex } from "../lowering/lowering.js";
import { pipeNames } from "../gpus/model.js";
import { crossings } from "../lowering/pipe-costs.js";
import { isPredicated, type MachineDraft } from "./step.js";

/** Latency in cycles that the compiler assumes for a load of global or local memory, and of shared memory or constants. */
const FAR_LOAD = 200;
const NEAR_LOAD = 30;

const fma = pipeIndex("fma");
const lsu = pipeIndex("lsu");
const xu = pipeIndex("xu");

/**
 * Maximum number of registers written by volatile and coherent loads and not yet read. A thread has 32 if an SM is full. For
 * loops of such loads, however many, ptxas 13.0 reports 28 to 30, of which some ten hold addresses, sums and counters (ldg_*,
 * lds_*).
 */
export const MAX_UNREAD = 18;

/** Limit of registers written by plain loads of global memory and not yet read. */
export interface FarBound {
  readonly registers: number;
  /** Each read makes room for the next load; otherwise all are read before more follow. */
  readonly slides: boolean;
}

/** A draft that issues, with its pipe. */
export interface Issue {
  readonly at: number;
  readonly op: MicroOp | undefined;
  /** See Step.gap and Step.yields. */
  gap: number;
  yields: boolean;
}

/** The machine instruction has four bits for it. */
const MAX_GAP = 15;

interface Edge {
  readonly to: number;
  readonly cycles: number;
  /** The result of an instruction of fixed latency, for which the compiler counts the cycles. */
  readonly isCounted: boolean;
  /** Its operand may come from another pipe. */
  readonly crosses: boolean;
}

interface Node {
  readonly successors: Edge[];
  waitsFor: number;
  /** Length of the longest chain to the end. */
  priority: number;
  /** When its operands are there; those alone for which the compiler counts cycles. */
  ready: number;
  counted: number;
  /** For a load under the register limit: number of drafts that will read it. */
  unread: number;
  /** The loads under the limit that it reads. */
  readonly loads: number[];
}

/**
 * The order of issue. The last one stays last if it ends the region. `far` limits the registers that loads of global memory
 * have written and nothing has read.
 */
export function listSchedule(
  drafts: readonly MachineDraft[],
  program: Program,
  endsRegion: boolean,
  far: FarBound,
): readonly Issue[] {
  const nodes = drafts.map((): Node => ({
    successors: [],
    waitsFor: 0,
    priority: 0,
    ready: 0,
    counted: 0,
    unread: 0,
    loads: [],
  }));
  const mostOf = (draft: MachineDraft): number => mostUnreadOf(draft, far.registers);
  addRegisterEdges(drafts, program, nodes, mostOf);
  addMemoryEdges(drafts, nodes);
  drafts.forEach(({ follows }, i) => {
    if (follows) addEdge(nodes, i - 1, i, 0);
  });
  const last = drafts.length - 1;
  if (endsRegion) for (let i = 0; i < last; i++) addEdge(nodes, i, last, 0);
  for (let i = last; i >= 0; i--) {
    const node = nodes[i]!;
    const least = drafts[i]!.kind === "free" ? 0 : 1;
    for (const { to, cycles } of node.successors)
      node.priority = Math.max(node.priority, nodes[to]!.priority + Math.max(cycles, least));
  }
  return take(drafts, nodes, mostOf, far.slides, crossings(program.model));
}

function addEdge(
  nodes: readonly Node[],
  from: number,
  to: number,
  cycles: number,
  isCounted = false,
  crosses = false,
): void {
  if (from === to) return;
  nodes[from]!.successors.push({ to, cycles, isCounted, crosses });
  nodes[to]!.waitsFor++;
}

function addRegisterEdges(
  drafts: readonly MachineDraft[],
  program: Program,
  nodes: readonly Node[],
  mostOf: (draft: MachineDraft) => number,
): void {
  const writers = new Map<number, number>();
  const readers = new Map<number, number[]>();
  const read = (slot: number, at: number, more: number): void => {
    const writer = writers.get(slot);
    if (writer !== undefined) {
      addEdge(nodes, writer, at, scheduledLatency(drafts[writer]!) + more, isCounted(drafts[writer]!), more === 0);
      if (mostOf(drafts[writer]!) < Infinity && !nodes[at]!.loads.includes(writer)) {
        nodes[writer]!.unread++;
        nodes[at]!.loads.push(writer);
      }
    }
    const list = readers.get(slot);
    if (list === undefined) readers.set(slot, [at]);
    else list.push(at);
  };
  drafts.forEach((draft, i) => {
    for (const slot of draft.sources) read(slot, i, 0);
    for (const slot of draft.guards) read(slot, i, program.model.guardCycles);
    for (const slot of draft.results) {
      const writer = writers.get(slot);
      if (isPredicated(draft) && writer !== undefined) addEdge(nodes, writer, i, scheduledLatency(drafts[writer]!));
      else if (writer !== undefined) addEdge(nodes, writer, i, 1);
      for (const reader of readers.get(slot) ?? []) addEdge(nodes, reader, i, 0);
      readers.delete(slot);
      writers.set(slot, i);
    }
  });
}

/** Limit for registers that loads like this one have written and nothing has read. */
function mostUnreadOf({ kind, instruction: { order } }: MachineDraft, mostFar: number): number {
  if (kind !== "load") return Infinity;
  const isNear = order.space === "shared" || order.space === "const";
  return Math.min(order.keeps === "fixed" ? MAX_UNREAD : Infinity, isNear ? Infinity : mostFar);
}

function scheduledLatency({ kind, op, instruction }: MachineDraft): number {
  switch (kind) {
    case "free":
      return 0;
    case "load":
    case "atomic":
      return instruction.order.space === "shared" || instruction.order.space === "const" ? NEAR_LOAD : FAR_LOAD;
    default:
      if (op === undefined) return 0;
      return op.scoreboard ? Math.max(4, op.reckoned) : op.latency;
  }
}

/** Whether its latency is fixed: then the compiler puts the cycles until its result is there into the instructions between. */
const isCounted = ({ kind, op }: MachineDraft): boolean => kind === "math" && op?.scoreboard === false;

/** Loads may move past loads, and past stores to other spaces; other accesses keep their order. */
function addMemoryEdges(drafts: readonly MachineDraft[], nodes: readonly Node[]): void {
  const touched: { readonly at: number; readonly space: string; readonly isFree: boolean }[] = [];
  drafts.forEach(({ instruction: { order }, kind }, at) => {
    if (order.space === "none" || kind === "free") return;
    const isFree = order.keeps === "free";
    for (let k = touched.length - 1; k >= 0; k--) {
      const other = touched[k]!;
      if (isFree && other.isFree) continue;
      if (other.space !== order.space && other.space !== "any" && order.space !== "any") continue;
      if (order.space === "const" || other.space === "const") continue;
      addEdge(nodes, other.at, at, other.isFree ? 0 : 1);
      // Everything before a fixed access of the same space precedes this one already.
      if (!other.isFree && other.space === order.space && other.space !== "any") break;
    }
    touched.push({ at, space: order.space, isFree });
  });
}

/** The state of list scheduling. */
interface Listing {
  readonly drafts: readonly MachineDraft[];
  readonly nodes: readonly Node[];
  readonly mostOf: (draft: MachineDraft) => number;
  readonly slides: boolean;
  readonly order: Issue[];
  readonly available: number[];
  /** Cycle at which each pipe accepts the next instruction. */
  readonly free: Float64Array;
  /** Cycles more from pipe to pipe: crossings(). */
  readonly crossing: Float64Array;
  /** The region's cycles on each of the two pipes: an addition goes to the less loaded one. */
  readonly load: Float64Array;
  /** Registers that loads have written and nothing has read yet. */
  unread: number;
  /** When the limit is reached, all are read before more follow: they share a scoreboard. */
  isFull: boolean;
  cycle: number;
  /** The last issue, and its cycle. */
  last: Issue | undefined;
  lastCycle: number;
}

function take(
  drafts: readonly MachineDraft[],
  nodes: readonly Node[],
  mostOf: (draft: MachineDraft) => number,
  slides: boolean,
  crossing: Float64Array,
): readonly Issue[] {
  const listing: Listing = {
    drafts,
    nodes,
    mostOf,
    slides,
    order: [],
    available: nodes.flatMap(({ waitsFor }, i) => (waitsFor === 0 ? [i] : [])),
    free: new Float64Array(pipeNames.length),
    crossing,
    load: new Float64Array(pipeNames.length),
    unread: 0,
    isFull: false,
    cycle: 0,
    last: undefined,
    lastCycle: 0,
  };
  for (const { op } of drafts) if (op?.either === false) listing.load[op.pipe]! += op.interval;
  while (listing.available.length > 0) {
    const place = choose(listing);
    if (place >= 0) issueNext(listing, listing.available.splice(place, 1)[0]!);
  }
  markYields(listing.order);
  return listing.order;
}

/** Cycles without a yield after which a warp yields at the next gap of two cycles or more. */
const MAX_GREEDY = 10;

/**
 * Marks the issues after which the sub-core prefers other warps: those with a gap for a result, and those with any gap if the
 * warp has not yielded for some cycles. Found in the control bits that ptxas 13.0 writes. Gaps for the memory path or the
 * transcendental unit do not count, because other warps wait for these as well.
 */
function markYields(order: readonly Issue[]): void {
  let cycle = 0;
  let since = 0;
  for (const issue of order) {
    const { op, gap } = issue;
    if (op === undefined) continue;
    issue.yields =
      gap > 1 && op.pipe !== lsu && op.pipe !== xu && (gap > 2 || cycle - since >= MAX_GREEDY) && !op.holds;
    cycle += gap;
    if (issue.yields) since = cycle;
  }
}

const pipeOf = ({ load }: Listing, op: MicroOp): number => (op.either && load[fma]! < load[op.pipe]! ? fma : op.pipe);

/** Whether a load's results would exceed the limit. */
function exceeds(listing: Listing, i: number): boolean {
  const { nodes, drafts, unread } = listing;
  if (nodes[i]!.unread === 0 || unread === 0) return false;
  const isOver = unread + drafts[i]!.results.length > listing.mostOf(drafts[i]!);
  if (listing.slides && drafts[i]!.instruction.order.keeps === "free") return isOver;
  listing.isFull ||= isOver;
  return listing.isFull;
}

/**
 * Index in the list of available drafts of the next one to issue. -1: none in this cycle; time has advanced to the next
 * possible one.
 */
function choose(listing: Listing): number {
  const { available, nodes, drafts, free, cycle } = listing;
  let best = -1;
  let soonest = Infinity;
  let exceeding = -1;
  for (let k = 0; k < available.length; k++) {
    const i = available[k]!;
    const { ready, priority } = nodes[i]!;
    const { kind, op } = drafts[i]!;
    if (exceeds(listing, i)) {
      if (exceeding < 0 || i < available[exceeding]!) exceeding = k;
      continue;
    }
    const from = op === undefined ? ready : Math.max(ready, free[pipeOf(listing, op)]!);
    if (from > cycle) {
      if (from < soonest) soonest = from;
      continue;
    }
    if (kind === "free") return k;
    const held = best < 0 ? undefined : nodes[available[best]!]!;
    if (held === undefined || priority > held.priority || (priority === held.priority && i < available[best]!))
      best = k;
  }
  if (best >= 0) return best;
  if (soonest < Infinity) {
    listing.cycle = Math.ceil(soonest);
    return -1;
  }
  // Drafts that would free registers wait for more loads.
  listing.isFull = false;
  return exceeding;
}

function issueNext(listing: Listing, i: number): void {
  const { drafts, nodes, order, available, free, cycle, last } = listing;
  const { kind, op, results } = drafts[i]!;
  if (nodes[i]!.unread > 0) listing.unread += results.length;
  for (const load of nodes[i]!.loads) if (--nodes[load]!.unread === 0) listing.unread -= drafts[load]!.results.length;
  if (listing.unread === 0) listing.isFull = false;
  const pipe = op === undefined ? 0 : pipeOf(listing, op);
  const issue = {
    at: i,
    op: op === undefined || pipe === op.pipe ? op : { ...op, pipe, from: pipe },
    gap: 1,
    yields: false,
  };
  order.push(issue);
  if (op !== undefined) {
    if (last !== undefined) {
      // The memory path has a queue.
      const counted = Math.max(nodes[i]!.counted, pipe === lsu ? 0 : free[pipe]!);
      last.gap = Math.min(MAX_GAP, Math.max(1, Math.min(cycle, Math.ceil(counted)) - listing.lastCycle));
    }
    // Fractions of an interval carry over, as in a pipe that is never idle.
    free[pipe] = (free[pipe]! > cycle - 1 ? free[pipe]! : cycle) + op.interval;
    if (op.either) listing.load[pipe]! += op.interval;
    listing.last = issue;
    listing.lastCycle = cycle;
  }
  const from = issue.op?.from ?? 0;
  for (const { to, cycles, isCounted: counts, crosses } of nodes[i]!.successors) {
    const node = nodes[to]!;
    const next = drafts[to]!.op;
    const more = crosses && next !== undefined ? listing.crossing[from * pipeNames.length + pipeOf(listing, next)]! : 0;
    node.ready = Math.max(node.ready, cycle + cycles + more);
    if (counts) node.counted = Math.max(node.counted, cycle + cycles + more);
    if (--node.waitsFor === 0) available.push(to);
  }
  if (kind !== "free") listing.cycle++;
}
