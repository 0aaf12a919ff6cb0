// Calls and returns in generated code: the same as ../meanings/call.ts and ../meanings/control.ts, for functions that it knows.
// Frames come from a list of free ones in memory; if it is empty, or a warp needs more local memory, the interpreter makes the
// call and adds a frame. The scheduler (scheduler.ts) determines the groups that result.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { HEADER, HEADER_BYTES } from "../frame-header.table.js";
import { CONTEXT, COPY, COPY_BYTES, FUNCTION, LINK } from "./context.table.js";
import { wordFunction } from "./word-function.js";

/**
 * copy(context, copies, count, the frame from which, the one to which, lanes, whether others of that frame have nothing in it that
 * has to stay)
 */
export function copyFunction(): CodeWriter {
  const { code, local, load, add } = wordFunction(
    ["context", "copies", "count", "source", "target", "lanes", "isFree"],
    ["end", "from", "fromLane", "to", "toLane", "bytes", "rest", "lane", "at", "put", "last"],
    [],
  );
  const { context, copies, count, source, target, lanes, end, from, fromLane, to, toLane } = local;
  const { bytes, rest, lane, at, put, last, isFree } = local;
  const locate = (frame: Local, place: Local, stride: Local, offset: number, strideAt: number): void => {
    load(copies, offset).set(place);
    load(copies, strideAt).tee(stride).if();
    code.get(place).get(frame).op("i32.add").set(place).op("else");
    load(context, CONTEXT.localStride).set(stride);
    code.get(place);
    load(context, CONTEXT.local);
    load(frame, HEADER.localBase).op("i32.add", "i32.add").set(place).op("end");
  };
  /** Repeats `body`, which finds in `at` where a lane's bytes are, and in `put` where they go. */
  const eachLane = (body: () => void): void => {
    code.get(lanes).set(rest).loop();
    code.get(from).get(rest).op("i32.ctz").tee(lane).get(fromLane).op("i32.mul", "i32.add").set(at);
    code.get(to).get(lane).get(toLane).op("i32.mul", "i32.add").set(put);
    body();
    code.get(rest).get(rest).i32(1).op("i32.sub", "i32.and").tee(rest).brIf(0).op("end");
  };
  /** Registers of that size, of all 32 lanes. */
  const rows = (size: 4 | 8): void => {
    for (const stride of [fromLane, toLane, bytes]) code.get(stride).i32(size).op("i32.eq");
    code.op("i32.and", "i32.and").get(isFree);
    code.get(lanes).i32(-1).op("i32.eq", "i32.or", "i32.and").if();
    for (let offset = 0; offset < 32 * size; offset += 16)
      code.get(to).get(from).memory("v128.load", offset).memory("v128.store", offset);
    code.br(1).op("end");
  };
  const whole = (size: number, loadName: "i32.load" | "i64.load", storeName: "i32.store" | "i64.store"): void => {
    code.get(bytes).i32(size).op("i32.eq").if();
    eachLane(() => code.get(put).get(at).memory(loadName, 0).memory(storeName, 0));
    code.br(1).op("end");
  };
  const parts = (size: number, loadName: "i32.load" | "i32.load8_u", storeName: "i32.store" | "i32.store8"): void => {
    code.block().loop();
    code.get(last).get(at).op("i32.sub").i32(size).op("i32.lt_u").brIf(1);
    code.get(put).get(at).memory(loadName, 0).memory(storeName, 0);
    add(at, size);
    add(put, size);
    code.br(0).op("end", "end");
  };

  code.get(copies).get(count).i32(COPY_BYTES).op("i32.mul", "i32.add").set(end);
  code.block().loop();
  code.get(copies).get(end).op("i32.ge_u").brIf(1);
  locate(source, from, fromLane, COPY.from, COPY.fromLane);
  locate(target, to, toLane, COPY.to, COPY.toLane);
  load(copies, COPY.bytes).set(bytes);
  code.block();
  rows(4);
  rows(8);
  whole(4, "i32.load", "i32.store");
  whole(8, "i64.load", "i64.store");
  eachLane(() => {
    code.get(at).get(bytes).op("i32.add").set(last);
    parts(4, "i32.load", "i32.store");
    parts(1, "i32.load8_u", "i32.store8");
  });
  code.op("end");
  add(copies, COPY_BYTES);
  code.br(0).op("end", "end");
  return code;
}

/** enter(context, the caller's frame, link, lanes, where they go on): the frame of the call; 0: nothing is done. */
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

/** leave(context, frame, lanes): the caller's frame; 0: nothing is done. */
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
