// membar and fence (PTX ISA 9.0 section 9.7.13.4), and nanosleep. The host's processor keeps all memory orders but one, which an
// atomic operation enforces. A thread that runs the launch alone needs none: it sees its own order.

import { CONTEXT } from "../context.table.js";
import type { Lowering, Lowerings } from "./lowering.js";

const fence: Lowering = () => (lanes) => {
  const { code, context } = lanes;
  code.get(context).memory("i32.load", CONTEXT.isAlone).op("i32.eqz").if();
  code.get(context).i32(0).memory("i32.atomic.rmw.add", CONTEXT.fenced).op("drop", "end");
};

/** nanosleep has no code: the cost of its block makes turns end sooner. */
const nothing: Lowering = () => () => undefined;

export const syncLowerings: Lowerings = { membar: fence, fence, nanosleep: nothing };
