// --print-call-graph: the call graph, the bytes of variables in the deepest call chain of each kernel, and recursion, where the
// depth is unknown (nvlink's -dump-callgraph, and its warning that a stack size cannot be determined, which names no function). A
// call through a register may reach every function of its prototype whose address is taken. Bytes are those of .local and .param
// variables of PTX; ptxas's spills are not in PTX. Linear in functions and calls.

import { formatPrototype } from "../../../formats/cuda/index.js";
import { listOf, valuesOf } from "../../base/series.js";
import { prototypeSignature } from "../../object/attributes/signature.js";
import { frameBytes } from "../../object/code/skim.js";
import type { Linked, ReadObject } from "../model/linked.js";
import { joinFields, mapSymbol, type MapSymbol } from "./map-rows.js";

export interface Call {
  readonly name: string;
  readonly how: "direct" | "indirect";
}

export interface CallingFunction extends MapSymbol {
  readonly kind: "kernel" | "function";
  /** Bytes of the function's own .local and .param variables. */
  readonly frame: number;
  readonly calls: readonly Call[];
}

export interface KernelDepth extends MapSymbol {
  /** Bytes of the frames in the deepest chain, starting with the kernel's; undefined for recursion. */
  readonly deepest?: number;
  /** The names along that chain; for recursion, the way to the cycle. */
  readonly chain: readonly string[];
}

/** The call graph. Rows are made while they are read, again in each iteration. */
export interface CallGraph {
  readonly functions: Iterable<CallingFunction>;
  readonly kernels: Iterable<KernelDepth>;
  /**
   * A shortest cycle for each set of functions that call each other, ending where it begins. `circles` is its key in JSON, which is
   * stable.
   */
  readonly circles: readonly (readonly string[])[];
}

interface Node {
  readonly isKernel: boolean;
  readonly frame: number;
  /** The functions that it calls by name, followed by the fans that it calls through registers. */
  readonly callees: readonly number[];
}

/**
 * The call graph by numbers: merged symbols for functions, and negative numbers for fans. A fan is the set of functions that a
 * call of one prototype through a register may reach. Edges from each caller to each function would be quadratic.
 */
interface Graph {
  /** In the image's order; without undefined functions. */
  readonly nodes: ReadonlyMap<number, Node>;
  readonly fans: readonly (readonly number[])[];
}

const isFan = (at: number): boolean => at < 0;
const fanNumber = (index: number): number => -1 - index;
const inFan = ({ fans }: Graph, at: number): readonly number[] => fans[-1 - at]!;
const calleesOf = (graph: Graph, at: number): readonly number[] =>
  isFan(at) ? inFan(graph, at) : graph.nodes.get(at)!.callees;
const isThere = ({ nodes }: Graph, at: number): boolean => isFan(at) || nodes.has(at);

/** Calls that may return to a function that has not returned; all as merged symbols. */
export interface EndlessCalls {
  /** Kernels that reach such calls. */
  readonly kernels: readonly number[];
  /** A shortest cycle for each set of functions that they reach and that call each other. */
  readonly cycles: readonly Cycle[];
}

/** A cycle of calls; it ends where it begins. */
export type Cycle = readonly [first: EndlessStep, ...rest: readonly EndlessStep[]];

export interface EndlessStep {
  readonly at: number;
  /** How the previous function calls it; for the first, how the last one does. */
  readonly how: Call["how"];
}

export function findEndlessCalls(linked: Linked): EndlessCalls {
  const graph = graphOf(linked, () => 0);
  const groups = groupsOf(graph);
  const depths = depthsOf(graph, groups);
  const kernels = [...graph.nodes].flatMap(([at, { isKernel }]) =>
    isKernel && depths.get(at)!.bytes === undefined ? [at] : [],
  );
  const reached = new Set(kernels);
  for (const at of reached) for (const to of calleesOf(graph, at)) if (isThere(graph, to)) reached.add(to);
  return { kernels, cycles: cyclesOf(graph, groups, ([at]) => reached.has(at!)) };
}

export function findCallGraph(linked: Linked): CallGraph {
  const graph = graphOf(linked, frameBytes);
  const groups = groupsOf(graph);
  const depths = depthsOf(graph, groups);
  const { inputs, resolution } = linked;
  const name = (at: number): string => resolution.merged.at(at)!.name;
  const symbolOf = (at: number): MapSymbol => mapSymbol(inputs, resolution.merged.at(at)!.chosen);
  return {
    functions: listOf(function* () {
      for (const [at, { isKernel, frame }] of graph.nodes)
        yield joinFields(symbolOf(at), {
          kind: isKernel ? ("kernel" as const) : ("function" as const),
          frame,
          calls: callsOf(graph, at).map(({ at: to, how }) => ({ name: name(to), how })),
        });
    }),
    kernels: listOf(function* () {
      for (const [at, { isKernel }] of graph.nodes) {
        if (!isKernel) continue;
        const { bytes, next } = depths.get(at)!;
        const chain = [at];
        for (let to = next; to !== undefined; to = depths.get(to)?.next) if (!isFan(to)) chain.push(to);
        const depth = bytes === undefined ? {} : { deepest: bytes };
        yield joinFields(symbolOf(at), depth, { chain: chain.map(name) });
      }
    }),
    circles: cyclesOf(graph, groups, () => true).map((cycle) => cycle.map(({ at }) => name(at))),
  };
}

/** The callees of a function, each once. For one that is called both by name and through a register, the call by name. */
function callsOf(graph: Graph, at: number): readonly EndlessStep[] {
  const callees = calleesOf(graph, at);
  const direct = new Set(callees.filter((to) => !isFan(to)));
  const indirect = callees.filter(isFan).flatMap((fan) => inFan(graph, fan));
  return [...new Set([...direct, ...indirect])].map((to) => ({ at: to, how: direct.has(to) ? "direct" : "indirect" }));
}

/** `frameOf`: bytes of the variables that a function's code declares. */
function graphOf(
  { inputs, resolution: { merged, mergedOf }, texts }: Linked,
  frameOf: (code: Uint8Array) => number,
): Graph {
  const ownerOf = new Map<number, number>();
  // No object has that many sections.
  const keyOf = (object: number, section: number): number => object * 2 ** 24 + section;
  for (const { object, section, symbol } of valuesOf(texts)) ownerOf.set(keyOf(object, section), symbol);
  // For an alias, its function.
  const owner = (at: number): number => {
    const { object, symbol } = merged.at(at)!.chosen;
    return symbol.placement.kind === "section" ? (ownerOf.get(keyOf(object, symbol.placement.section)) ?? at) : at;
  };
  const taken = new Set<number>();
  for (let object = 0; object < inputs.length; object++)
    for (const f of valuesOf(inputs.at(object)!.addressTaken)) taken.add(owner(mergedOf.at(object)![f]!));
  const byPrototype = grouped(taken, (at) => {
    const { symbol } = merged.at(at)!.chosen;
    return symbol.kind === "function" && !symbol.entry ? formatPrototype(prototypeSignature(symbol.prototype)) : "";
  });
  const fanOf = new Map([...byPrototype.keys()].map((prototype, index) => [prototype, fanNumber(index)]));
  const nodes = new Map<number, Node>();
  // Calls of the current input.
  let facts: ({ readonly object: number } & ReturnType<typeof callFacts>) | undefined;
  for (const { object, section, symbol: at } of valuesOf(texts)) {
    const input = inputs.at(object)!;
    const { role, data } = input.sections.at(section)!;
    const { symbol } = merged.at(at)!.chosen;
    if (role.kind !== "text" || symbol.kind !== "function") continue;
    if (facts?.object !== object) facts = { object, ...callFacts(input) };
    const direct = new Set(
      (facts.calls.get(role.symbol) ?? []).map(({ callee }) => owner(mergedOf.at(object)![callee]!)),
    );
    const fans = new Set((facts.prototypes.get(role.symbol) ?? []).flatMap((of) => fanOf.get(of) ?? []));
    const frame = data === undefined ? 0 : frameOf(data);
    nodes.set(at, { isKernel: symbol.entry, frame, callees: [...direct, ...fans] });
  }
  return { nodes, fans: [...byPrototype.values()] };
}

/** For each function, its calls, and the prototypes of its calls through registers. */
function callFacts({ calls, codeProperties }: ReadObject) {
  const prototypes = new Map<number, readonly string[]>();
  for (const { symbol, indirectCalls } of valuesOf(codeProperties))
    prototypes.set(symbol, [...(prototypes.get(symbol) ?? []), ...indirectCalls]);
  return { calls: grouped(valuesOf(calls), ({ caller }) => caller), prototypes };
}

/** Strongly connected groups of functions, callees first (Tarjan 1972). */
function groupsOf(graph: Graph): readonly (readonly number[])[] {
  const groups: number[][] = [];
  const order = new Map<number, number>();
  const lowest = new Map<number, number>();
  const stack: number[] = [];
  const isOnStack = new Set<number>();
  const enter = (at: number): { readonly at: number; next: number } => {
    order.set(at, order.size);
    lowest.set(at, order.get(at)!);
    stack.push(at);
    isOnStack.add(at);
    return { at, next: 0 };
  };
  const lower = (at: number, to: number): void => void lowest.set(at, Math.min(lowest.get(at)!, to));
  for (const root of graph.nodes.keys()) {
    if (order.has(root)) continue;
    // An explicit stack, because a chain of calls may be longer than the engine's stack.
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const callee = calleesOf(graph, top.at)[top.next++];
      if (callee === undefined) {
        path.pop();
        const caller = path.at(-1);
        if (caller !== undefined) lower(caller.at, lowest.get(top.at)!);
        if (lowest.get(top.at) !== order.get(top.at)) continue;
        const group = stack.splice(stack.lastIndexOf(top.at));
        for (const each of group) isOnStack.delete(each);
        groups.push(group);
      } else if (!isThere(graph, callee)) continue;
      else if (!order.has(callee)) path.push(enter(callee));
      else if (isOnStack.has(callee)) lower(top.at, order.get(callee)!);
    }
  }
  return groups;
}

/**
 * Whether functions of the group call each other. A function that may call itself through a register is in a group with a fan.
 */
const isCycle = (graph: Graph, group: readonly number[]): boolean =>
  group.length > 1 || calleesOf(graph, group[0]!).includes(group[0]!);

interface Depth {
  /** Bytes of the deepest chain; undefined if it is endless. */
  readonly bytes?: number;
  /** The callee on the deepest chain. */
  readonly next?: number;
}

function depthsOf(graph: Graph, groups: readonly (readonly number[])[]): ReadonlyMap<number, Depth> {
  const depths = new Map<number, Depth>();
  const isEndless = (at: number): boolean => depths.has(at) && depths.get(at)!.bytes === undefined;
  for (const group of groups) {
    if (isCycle(graph, group)) {
      for (const at of group) depths.set(at, {});
      // Continue the chain through a fan, because it must end at a function.
      for (const at of group.filter(isFan)) depths.set(at, { next: inFan(graph, at).find(isEndless)! });
      continue;
    }
    const [at] = group as readonly [number];
    const frame = graph.nodes.get(at)?.frame ?? 0;
    const known = calleesOf(graph, at).flatMap((to) => (depths.has(to) ? [{ to, bytes: depths.get(to)!.bytes }] : []));
    const endless = known.find(({ bytes }) => bytes === undefined);
    const deepest = known.reduce<(typeof known)[number] | undefined>(
      (best, each) => (best === undefined || each.bytes! > best.bytes! ? each : best),
      undefined,
    );
    if (endless !== undefined) depths.set(at, { next: endless.to });
    else depths.set(at, { bytes: frame + (deepest?.bytes ?? 0), ...(deepest && { next: deepest.to }) });
  }
  return depths;
}

/** The shortest cycle from the first function of each selected recursive group, in the image's order. */
function cyclesOf(
  graph: Graph,
  groups: readonly (readonly number[])[],
  isWanted: (group: readonly number[]) => boolean,
): readonly Cycle[] {
  const places = new Map([...graph.nodes.keys()].map((at, place) => [at, place]));
  return groups.flatMap((group) => {
    if (!isWanted(group) || !isCycle(graph, group)) return [];
    const functions = group.filter((at) => !isFan(at));
    const first = functions.reduce((best, at) => (places.get(at)! < places.get(best)! ? at : best));
    return [shortestCycle(graph, new Set(group), first)];
  });
}

function shortestCycle(graph: Graph, members: ReadonlySet<number>, start: number): Cycle {
  const from = new Map<number, number>();
  const reached = [start];
  const visit = (to: number, by: number): void => {
    if (!members.has(to) || from.has(to)) return;
    from.set(to, by);
    // A fan is not a step of its own.
    if (isFan(to)) for (const function_ of inFan(graph, to)) visit(function_, to);
    else reached.push(to);
  };
  for (const at of reached) {
    for (const to of calleesOf(graph, at)) visit(to, at);
    if (from.has(start)) break;
  }
  const steps: EndlessStep[] = [];
  let at = start;
  do {
    const by = from.get(at)!;
    steps.unshift({ at, how: isFan(by) ? "indirect" : "direct" });
    at = isFan(by) ? from.get(by)! : by;
  } while (at !== start);
  return [steps.at(-1)!, ...steps];
}

function grouped<T, K>(items: Iterable<T>, key: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const own = key(item);
    const group = groups.get(own);
    if (group === undefined) groups.set(own, [item]);
    else group.push(item);
  }
  return groups;
}
