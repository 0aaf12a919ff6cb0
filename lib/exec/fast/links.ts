// The data about a call for generated code: the function, and the bytes to copy between frames (context.table.ts, LINK).

import type { Arena } from "../../load/arena.js";
import type { Actual, Linkage, Passed } from "../state/generated-code.js";
import { COPY, COPY_BYTES, LINK } from "./context.table.js";

/** One side of a copy (context.table.ts, COPY). */
interface Side {
  readonly from: number;
  readonly lane: number;
  readonly bytes: number;
}

/** Undefined for predicates, vectors, and values computed just before the call. */
function sideOf(actual: Actual): Side | undefined {
  if (actual.kind === "memory") return { from: actual.offset, lane: 0, bytes: actual.bytes };
  if (actual.kind === "elements") return undefined;
  const { stride, word } = actual.place;
  if (stride === 0 || actual.isPrepared) return undefined;
  return { from: 4 * word, lane: 4 * stride, bytes: 4 * stride };
}

/** Creates the record of a call and returns its address; 0 if the interpreter has to make the call. */
export function createLink(arena: Arena, fn: number, { passed, openBytes }: Linkage): number {
  if (openBytes > 0) return 0;
  const copies = [...passed.arguments, ...passed.results].map(({ from, to }: Passed) => [sideOf(from), sideOf(to)]);
  const storage = arena.take(LINK.copies + COPY_BYTES * copies.length);
  if (storage === undefined) return 0;
  const { view, offset } = storage;
  view.setInt32(LINK.fn, fn, true);
  view.setInt32(LINK.argumentCount, passed.arguments.length, true);
  view.setInt32(LINK.resultCount, passed.results.length, true);
  for (const [i, [from, to]] of copies.entries()) {
    if (from === undefined || to === undefined) {
      arena.giveBack(storage);
      return 0;
    }
    const at = LINK.copies + COPY_BYTES * i;
    view.setInt32(at + COPY.from, from.from, true);
    view.setInt32(at + COPY.fromLane, from.lane, true);
    view.setInt32(at + COPY.to, to.from, true);
    view.setInt32(at + COPY.toLane, to.lane, true);
    view.setInt32(at + COPY.bytes, Math.min(from.bytes, to.bytes), true);
  }
  return offset;
}
