// Entry file of the thread in which ptxkit debug runs kernels and answers the client's requests. It has a bundle of its own
// (.ci/bundle.mjs).

import { workerData } from "node:worker_threads";
import { ExpressionError } from "../../lib/debug/expression.js";
import * as breakpoints from "./breakpoints.js";
import { openChannel, type ChannelEnds, type Request } from "./channel.js";
import * as control from "./control.js";
import { disassemble } from "./instructions.js";
import { RequestError, type Handler } from "./request.js";
import * as stack from "./stack.js";
import { createState, output } from "./state.js";
import { threads } from "./threads.js";
import * as values from "./values.js";

/** Handlers by the name of the protocol's request. */
const handlers: Readonly<Record<string, Handler | undefined>> = {
  initialize: control.initialize,
  launch: control.launch,
  configurationDone: control.configurationDone,
  continue: control.continueRun,
  next: control.next,
  stepIn: control.stepIn,
  stepOut: control.stepOut,
  stepBack: control.stepBack,
  reverseContinue: control.reverseContinue,
  pause: control.pause,
  restart: control.restart,
  terminate: control.terminate,
  disconnect: control.disconnect,
  setBreakpoints: breakpoints.setBreakpoints,
  setFunctionBreakpoints: breakpoints.setFunctionBreakpoints,
  setInstructionBreakpoints: breakpoints.setInstructionBreakpoints,
  setExceptionBreakpoints: breakpoints.setExceptionBreakpoints,
  breakpointLocations: breakpoints.breakpointLocations,
  dataBreakpointInfo: breakpoints.dataBreakpointInfo,
  setDataBreakpoints: breakpoints.setDataBreakpoints,
  threads,
  stackTrace: stack.stackTrace,
  scopes: stack.scopes,
  variables: stack.variables,
  setVariable: stack.setVariable,
  exceptionInfo: stack.exceptionInfo,
  source: stack.source,
  loadedSources: stack.loadedSources,
  evaluate: values.evaluate,
  setExpression: values.setExpression,
  completions: values.completions,
  readMemory: values.readMemory,
  writeMemory: values.writeMemory,
  disassemble,
};

const channel = openChannel(workerData as ChannelEnds, serve);
const state = createState(channel);

function serve({ seq, command, arguments: given }: Request): void {
  const handler = Object.hasOwn(handlers, command) ? handlers[command] : undefined;
  const answer = (body: unknown): void => channel.send({ kind: "response", seq, command, body });
  const refuse = (error: unknown): void => {
    const { message, stack } = error as Error;
    // Malformed arguments or an internal error: respond with a failure and keep serving other requests.
    if (!(error instanceof RequestError || error instanceof ExpressionError))
      output(state, "stderr", `ptxkit: '${command}' failed: ${stack ?? message}\n`);
    channel.send({ kind: "response", seq, command, error: message });
  };
  if (handler === undefined) {
    refuse(new RequestError(`ptxkit debug has no '${command}'`));
    return;
  }
  try {
    const body = handler(state, (given ?? {}) as never);
    if (body instanceof Promise) body.then(answer, refuse);
    else answer(body);
  } catch (error) {
    refuse(error);
  }
}
