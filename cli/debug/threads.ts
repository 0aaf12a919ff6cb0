// Groups of lanes as the protocol's threads. The number of a group belongs to its block, warp and lowest lane. It stays the same
// while the group is stepped; when a group diverges, the part with the lowest lane keeps it.

import type { DebugProtocol } from "@vscode/debugprotocol";
import path from "node:path";
import { groupText, pcOf, type GroupView } from "../../lib/debug/view.js";
import { firstLane } from "../../lib/exec/machine/warp.js";
import type { State } from "./state.js";

export function threadsAt(state: State, groups: readonly GroupView[]): ReadonlyMap<number, GroupView> {
  const { threadIds } = state;
  const threads = new Map<number, GroupView>();
  for (const view of groups) {
    const { warp, group } = view;
    const key = `${warp.block.index}:${warp.index}:${firstLane(group.mask)}`;
    let id = threadIds.get(key);
    if (id === undefined) threadIds.set(key, (id = threadIds.size + 1));
    threads.set(id, view);
  }
  state.lastThreads = [...threads].map(([id, view]) => ({ id, name: nameOf(state, view) }));
  return threads;
}

/** The name of a group: "block (0,0,0) warp 1: lanes 0-15 at k.ptx:12". */
function nameOf({ debuggee }: State, view: GroupView): string {
  const { frame } = view.group;
  const place = debuggee?.sources.placeOf(frame.program.fn, pcOf(view.group));
  const file = place?.source.path === undefined ? place?.source.name : path.basename(place.source.path);
  return place === undefined ? groupText(view) : `${groupText(view)} at ${file}:${place.line}`;
}

/** All threads of the last stop; before the first stop, one placeholder. */
export const threads = (state: State): DebugProtocol.ThreadsResponse["body"] => ({
  threads: state.lastThreads.length > 0 ? [...state.lastThreads] : [{ id: 1, name: "kernel" }],
});
