// Values that the user set while a run was stopped, as data, so that a repeated run sets them again.

import type { Cluster } from "../exec/state/block.js";
import type { Frame } from "../exec/state/frame.js";
import type { Process } from "../load/process.js";
import { bytesAtAddress } from "./memory.js";
import type { ValueResult } from "./result.js";
import { setRegister, storeIn, typeBytes, valueIn, type Value } from "./values.js";
import { contextOf } from "./view.js";

export interface Edit {
  /** Number of the instruction before which the edit was made. */
  readonly count: number;
  readonly block: number;
  readonly warp: number;
  readonly lane: number;
  readonly target:
    | { readonly kind: "register"; readonly depth: number; readonly register: number; readonly element?: string }
    | { readonly kind: "memory"; readonly address: number };
  readonly bytes: Uint8Array;
  readonly type: Value["type"];
}

/** The edit of a value that was just set; undefined for a value without a place. */
export function editOf(count: number, { value, place }: ValueResult): Edit | undefined {
  if (place === undefined) return undefined;
  const bytes = new Uint8Array(Math.max(1, typeBytes(value.type)));
  storeIn(value, bytes);
  if (place.kind === "register") {
    const { frame, register, lane, element } = place;
    const { warp, depth } = frame;
    return {
      count,
      block: warp.block.index,
      warp: warp.index,
      lane,
      target: { kind: "register", depth, register, ...(element === undefined ? {} : { element }) },
      bytes,
      type: value.type,
    };
  }
  const { context, address } = place;
  return {
    count,
    block: context.block?.index ?? 0,
    warp: context.warp?.index ?? 0,
    lane: context.lane ?? 0,
    target: { kind: "memory", address },
    bytes,
    type: value.type,
  };
}

export function applyEdit(process: Process, clusters: Iterable<Cluster>, edit: Edit): void {
  const { block, warp: number, lane, target, bytes, type } = edit;
  for (const { blocks } of clusters)
    for (const each of blocks) {
      const warp = each.index === block ? each.warps[number] : undefined;
      if (warp === undefined) continue;
      if (target.kind === "memory") {
        bytesAtAddress(contextOf(process, warp, lane), target.address, bytes.length)?.set(bytes);
        continue;
      }
      const group = warp.groups.find(({ mask }) => ((mask >>> lane) & 1) !== 0);
      let frame: Frame | undefined = group?.frame;
      while (frame !== undefined && frame.depth > target.depth) frame = frame.parent;
      if (frame !== undefined) setRegister(frame, target.register, lane, valueIn(type, bytes).bits, target.element);
    }
}
