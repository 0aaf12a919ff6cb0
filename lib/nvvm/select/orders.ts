// Memory orders and scopes of LLVM in PTX (PTX ISA, "Memory Consistency Model").

import type { Ordering } from "../ir/instruction.js";
import type { Selection } from "./selection.js";

const scopes: ReadonlyMap<string, string> = new Map([
  ["", "sys"],
  ["system", "sys"],
  ["device", "gpu"],
  ["agent", "gpu"],
  ["gpu", "gpu"],
  ["block", "cta"],
  ["cta", "cta"],
  ["workgroup", "cta"],
  ["cluster", "cluster"],
  ["singlethread", ""],
]);

/** "sys", "gpu", "cluster", "cta"; "" for the thread itself. An unknown scope is the widest. */
export const scopeOf = (name: string): string => scopes.get(name) ?? "sys";

const orders: Readonly<Record<Ordering, string>> = {
  unordered: "relaxed",
  monotonic: "relaxed",
  acquire: "acquire",
  release: "release",
  acq_rel: "acq_rel",
  seq_cst: "acq_rel",
};

/** `.acq_rel.gpu` of an atomic instruction; before sm_70 PTX has none. */
export function orderText(selection: Selection, ordering: Ordering, scope: string): string {
  if (selection.context.arch < 70) return "";
  const within = scopeOf(scope) || "cta";
  return `.${orders[ordering]}.${within}`;
}

/** The fence before a sequentially consistent operation. */
export function fenceBefore(selection: Selection, ordering: Ordering, scope: string): void {
  if (ordering === "seq_cst") emitFence(selection, ordering, scope);
}

const membars: Readonly<Record<string, string>> = { cta: "cta", gpu: "gl", sys: "sys", cluster: "gl" };

export function emitFence({ emit, context }: Selection, ordering: Ordering, scope: string): void {
  const within = scopeOf(scope);
  if (within === "") return;
  if (within === "cluster") context.needVersion(78);
  if (context.arch < 70) emit.effect(`membar.${membars[within]}`, [], []);
  else emit.effect(`fence.${ordering === "seq_cst" ? "sc" : "acq_rel"}.${within}`, [], []);
}

/** The stronger of a cmpxchg's two orders. */
export function strongest(success: Ordering, failure: Ordering): Ordering {
  if (success === "seq_cst" || failure === "seq_cst") return "seq_cst";
  const acquires = [success, failure].some((one) => one === "acquire" || one === "acq_rel");
  const releases = [success, failure].some((one) => one === "release" || one === "acq_rel");
  if (acquires && releases) return "acq_rel";
  return acquires ? "acquire" : releases ? "release" : "monotonic";
}
