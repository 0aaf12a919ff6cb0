// Calls and returns in generated code: the same as ../meanings/call.ts and ../meanings/control.ts, for functions that have
// records (functions.ts). Frames come from a list of free ones in memory; if it is empty, or a warp needs more local memory, the
// interpreter makes the call and adds a frame. The scheduler (scheduler.ts) determines the groups that result.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { HEADER, HEADER_BYTES } from "../machine/frame-header.table.js";
import { CONTEXT, COPY, COPY_BYTES, FUNCTION, LINK } from "./context.table.js";
import { type WordFunction, wordFunction } from "./word-function.js";

const PARAMETERS = ["context", "copies", "count", "source", "target", "lanes", "isFree"] as const;
const LOCALS = ["end", "from", "fromLane", "to", "toLane", "bytes", "rest", "lane", "at", "put", "last"] as const;

type CopyCode = WordFunction<(typeof PARAMETERS)[number] | (typeof LOCALS)[number]>;

/**
 * copy(context, copies, count, source frame, target frame, lanes, isFree): copies arguments or results between frames. `isFree`:
 * no other lane of the target holds a value there.
 */
export function copyFunction(): CodeWriter {
  const copy = wordFunction(PARAMETERS, LOCALS, []);
  const { code, load, add } = copy;
  const { copies, count, source, target, end, from, fromLane, to, toLane, bytes, at, last } = copy.local;
  code.get(copies).get(count).i32(COPY_BYTES).op("i32.mul", "i32.add").set(end);
  code.block().loop();
  code.get(copies).get(end).op("i32.ge_u").brIf(1);
  locateValue(copy, source, from, fromLane, "from");
  locateValue(copy, target, to, toLane, "to");
  load(copies, COPY.bytes).set(bytes);
  // A block around one copy: the first form that fits leaves it.
  code.block();
  copyRows(copy, 4);
  copyRows(copy, 8);
  copyWhole(copy, 4, "i32.load", "i32.store");
  copyWhole(copy, 8, "i64.load", "i64.store");
  eachLane(copy, () => {
    code.get(at).get(bytes).op("i32.add").set(last);
    copyPieces(copy, 4, "i32.load", "i32.store");
    copyPieces(copy, 1, "i32.load8_u", "i32.store8");
  });
  code.op("end");
  add(copies, COPY_BYTES);
  code.br(0).op("end", "end");
  return code;
}

/**
 * Sets `place` to the address of lane 0's value, `stride` to the bytes from lane to lane. A stride of 0 in the record: local
 * memory.
 */
function locateValue(
  { code, local, load }: CopyCode,
  frame: Local,
  place: Local,
  stride: Local,
  end: "from" | "to",
): void {
  const { context, copies } = local;
  load(copies, COPY[end]).set(place);
  load(copies, COPY[`${end}Lane`]).tee(stride).if();
  code.get(place).get(frame).op("i32.add").set(place).op("else");
  load(context, CONTEXT.localStride).set(stride);
  code.get(place);
  load(context, CONTEXT.local);
  load(frame, HEADER.localBase).op("i32.add", "i32.add").set(place).op("end");
}

/** Repeats `body` for each lane; `at` is the address of its bytes, `put` that of their copy. */
function eachLane({ code, local }: CopyCode, body: () => void): void {
  const { lanes, rest, lane, from, fromLane, to, toLane, at, put } = local;
  code.get(lanes).set(rest).loop();
  code.get(from).get(rest).op("i32.ctz").tee(lane).get(fromLane).op("i32.mul", "i32.add").set(at);
  code.get(to).get(lane).get(toLane).op("i32.mul", "i32.add").set(put);
  body();
  code.get(rest).get(rest).i32(1).op("i32.sub", "i32.and").tee(rest).brIf(0).op("end");
}

/** Copies registers of that size for all 32 lanes at once, if other lanes' values may be overwritten. */
function copyRows({ code, local }: CopyCode, size: 4 | 8): void {
  const { lanes, from, fromLane, to, toLane, bytes, isFree } = local;
  for (const stride of [fromLane, toLane, bytes]) code.get(stride).i32(size).op("i32.eq");
  code.op("i32.and", "i32.and").get(isFree);
  code.get(lanes).i32(-1).op("i32.eq", "i32.or", "i32.and").if();
  for (let offset = 0; offset < 32 * size; offset += 16)
    code.get(to).get(from).memory("v128.load", offset).memory("v128.store", offset);
  code.br(1).op("end");
}

/** Copies values of that size lane by lane. */
function copyWhole(
  copy: CopyCode,
  size: number,
  load: "i32.load" | "i64.load",
  store: "i32.store" | "i64.store",
): void {
  const { code, local } = copy;
  const { bytes, at, put } = local;
  code.get(bytes).i32(size).op("i32.eq").if();
  eachLane(copy, () => code.get(put).get(at).memory(load, 0).memory(store, 0));
  code.br(1).op("end");
}

/** Copies pieces of that size of a lane's value, as many as fit before `last`. */
function copyPieces(
  { code, local, add }: CopyCode,
  size: number,
  load: "i32.load" | "i32.load8_u",
  store: "i32.store" | "i32.store8",
): void {
  const { last, at, put } = local;
  code.block().loop();
  code.get(last).get(at).op("i32.sub").i32(size).op("i32.lt_u").brIf(1);
  code.get(put).get(at).memory(load, 0).memory(store, 0);
  add(at, size);
  add(put, size);
  code.br(0).op("end", "end");
}

/** enter(context, caller's frame, link, lanes, return pc): makes the call and returns its frame; 0 if it has done nothing. */
export function enterFunction(copy: number): CodeWriter {
  const { code, local, load, store } = wordFunction(
    ["context", "frame", "link", "lanes", "returnPc"],
    ["fn", "inner", "base", "top"],
  );
  const { context, frame, link, lanes, returnPc, fn, inner, base, top } = local;
  load(link, LINK.fn).tee(fn);
  code.memory("i32.load", FUNCTION.pool).tee(inner).op("i32.eqz");
  load(frame, HEADER.localTop).tee(base);
  load(fn, FUNCTION.frameBytes).op("i32.add").tee(top);
  load(context, CONTEXT.localStride).op("i32.gt_u", "i32.or").if().i32(0).op("return", "end");
  store(fn, FUNCTION.pool, () => load(inner, HEADER.next));
  const put = (field: number, value: Local): void => store(inner, field, () => code.get(value));
  put(HEADER.live, lanes);
  put(HEADER.localBase, base);
  put(HEADER.localTop, top);
  put(HEADER.returnPc, returnPc);
  put(HEADER.parent, frame);
  put(HEADER.link, link);
  put(HEADER.fn, fn);
  store(inner, HEADER.depth, () => load(frame, HEADER.depth).i32(1).op("i32.add"));
  store(inner, HEADER.isNew, () => code.i32(1));
  load(fn, FUNCTION.imageBytes).if();
  code.get(inner).i32(HEADER_BYTES).op("i32.add");
  load(fn, FUNCTION.image);
  load(fn, FUNCTION.imageBytes).copyMemory().op("end");
  code.get(context).get(link).i32(LINK.copies).op("i32.add");
  load(link, LINK.argumentCount).get(frame).get(inner).get(lanes).i32(1).call(copy);
  return code.get(inner);
}

/** leave(context, frame, lanes): returns from the call and returns the caller's frame; 0 if it has done nothing. */
export function leaveFunction(copy: number): CodeWriter {
  const { code, local, load, store } = wordFunction(["context", "frame", "lanes"], ["fn", "parent", "link"]);
  const { context, frame, lanes, fn, parent, link } = local;
  load(frame, HEADER.parent).tee(parent).op("i32.eqz");
  load(frame, HEADER.link).tee(link).op("i32.eqz", "i32.or").if().i32(0).op("return", "end");
  load(parent, HEADER.fn).op("i32.eqz").if().i32(0).op("return", "end");
  code.get(context).get(link).i32(LINK.copies).op("i32.add");
  load(link, LINK.argumentCount).i32(COPY_BYTES).op("i32.mul", "i32.add");
  load(link, LINK.resultCount).get(frame).get(parent).get(lanes).i32(0).call(copy);
  store(frame, HEADER.live, () => load(frame, HEADER.live).get(lanes).i32(-1).op("i32.xor", "i32.and"));
  load(frame, HEADER.live).op("i32.eqz").if();
  load(frame, HEADER.fn).set(fn);
  store(frame, HEADER.next, () => load(fn, FUNCTION.pool));
  store(fn, FUNCTION.pool, () => code.get(frame));
  code.op("end");
  return code.get(parent);
}
