// Regions of shared memory: variables that several kernels reach may overlap if no kernel reaches two of them. A kernel's reach
// is characterised by its doors: the nodes at which its own path enters nodes that others reach too. Kernels with the same doors
// form one rival. A rival with a single door that another rival passes through adds no constraint.
// So if all kernels reach the same variables, there is one rival, regardless of their number and of their own variables. Linear
// in references, except for rivals with several doors, each of which takes a walk.

import { listIn } from "../../base/lists.js";
import { walkShared } from "./shared-graph.js";
import { type SharedUses } from "./shared-reach.js";

type Reach = Pick<SharedUses, "graph" | "kernels" | "firstKernel" | "secondKernel">;

/**
 * Puts each variable, in the given order, into the first region in which no other variable shares a kernel with it. Regions start
 * at index 0.
 */
export function fillRegions<Item extends { readonly symbol: number }>(
  items: readonly Item[],
  reach: Reach,
): readonly (readonly Item[])[] {
  const rivals = findRivals(reach);
  const rivalsOf = new Map<number, number[]>();
  rivals.forEach((reached, rival) => {
    for (const at of reached) listIn(rivalsOf, at).push(rival);
  });
  const regions: Item[][] = [];
  const used = rivals.map(() => new Set<number>());
  // For each rival, the number of leading regions without a gap that it uses.
  const free = rivals.map(() => 0);
  for (const item of items) {
    const own = rivalsOf.get(item.symbol) ?? [];
    let region = 0;
    for (const rival of own) {
      while (used[rival]!.has(free[rival]!)) free[rival]!++;
      region = Math.max(region, free[rival]!);
    }
    while (own.some((rival) => used[rival]!.has(region))) region++;
    for (const rival of own) used[rival]!.add(region);
    const others = regions[region];
    if (others === undefined) regions.push([item]);
    else others.push(item);
  }
  return regions;
}

/** The variables that each rival reaches. */
export function findRivals(reach: Reach): readonly (readonly number[])[] {
  const { graph } = reach;
  const doors = findDoors(reach);
  const isCovered = new Uint8Array(graph.nodes);
  const seen = new Int32Array(graph.nodes);
  let walks = 0;
  const reachedFrom = (starts: readonly number[]): readonly number[] => {
    walks++;
    return walkShared(graph, starts, (at) => {
      if (seen[at] === walks) return false;
      seen[at] = walks;
      isCovered[at] = 1;
      return true;
    });
  };
  const rivals = doors.filter(({ length }) => length > 1).map(reachedFrom);
  const single = new Set(doors.flatMap((each) => (each.length === 1 ? each : [])));
  for (const door of callersFirst(reach, [...single])) {
    if (isCovered[door] === 0 && single.has(door)) rivals.push(reachedFrom([door]));
  }
  return rivals;
}

/** The doors of each kernel that has any; each set of doors once. */
function findDoors({ graph, kernels, firstKernel, secondKernel }: Reach): readonly (readonly number[])[] {
  const sets = new Map<string, readonly number[]>();
  const seen = new Int32Array(graph.nodes).fill(-1);
  for (const kernel of kernels) {
    const doors: number[] = [];
    walkShared(graph, [kernel], (at) => {
      if (seen[at] === kernel) return false;
      seen[at] = kernel;
      if (secondKernel[at] === -1) return firstKernel[at] === kernel;
      doors.push(at);
      return false;
    });
    if (doors.length > 0) sets.set(doors.sort((a, b) => a - b).join(), doors);
  }
  return [...sets.values()];
}

/** The nodes reachable from the starts, callers before callees, except within cycles. */
function callersFirst({ graph: { first, next, nodes } }: Reach, starts: readonly number[]): readonly number[] {
  const done: number[] = [];
  const isSeen = new Uint8Array(nodes);
  const at = first.slice(0, nodes);
  for (const start of starts) {
    const open = isSeen[start] === 0 ? [start] : [];
    isSeen[start] = 1;
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      if (at[top] === first[top + 1]) done.push(open.pop()!);
      else {
        const to = next[at[top]!++]!;
        if (isSeen[to] === 0) open.push(to);
        isSeen[to] = 1;
      }
    }
  }
  return done.reverse();
}
