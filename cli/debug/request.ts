// Common parts of all requests: the current stop, and errors that the client shows.

import type { FrameRef, Running, State, Stopped } from "./state.js";

/** The client requested something unavailable; the message gives the reason. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

export type Handler<Arguments = never> = (state: State, given: Arguments) => unknown;

export function stoppedIn(state: State): Stopped & Running {
  const { stopped, running } = state;
  if (stopped === undefined || running === undefined) throw new RequestError("the kernel is running: pause it first");
  return Object.assign(stopped, running);
}

export function frameIn(state: State, id: number | undefined): FrameRef {
  const stopped = stoppedIn(state);
  const frame = id === undefined ? undefined : stopped.frames[id - 1];
  if (frame !== undefined) return frame;
  if (id !== undefined) throw new RequestError("the frame is one of an earlier stop");
  const { stop } = stopped;
  const [threadId] = [...stopped.threads].find(([, view]) => view.group === stop.group) ?? [];
  const lane = stopped.lanes.get(threadId ?? 0) ?? stop.lane;
  return { view: stop, call: { frame: stop.group.frame, pc: stop.group.pc }, lane };
}
