// Requests about stopped threads: frames, scopes, variables, sources.

import type { DebugProtocol } from "@vscode/debugprotocol";
import { declaredName } from "../../lib/base/source-name.js";
import { editOf } from "../../lib/debug/edits.js";
import { resultNode, scopesOf } from "../../lib/debug/variables.js";
import type { VariableNode } from "../../lib/debug/variable-node.js";
import { callsOf, contextOf } from "../../lib/debug/view.js";
import { firstLane } from "../../lib/exec/machine/warp.js";
import { addressOfInstruction } from "./instructions.js";
import { memoryReference } from "./memory-reference.js";
import { frameIn, RequestError, stoppedIn, type Handler } from "./request.js";
import { explanation } from "./run-loop.js";
import type { Children, FrameRef, State } from "./state.js";

export const stackTrace: Handler<DebugProtocol.StackTraceArguments> = (
  state,
  { threadId, startFrame = 0, levels = 0 },
) => {
  const stopped = stoppedIn(state);
  const view = stopped.threads.get(threadId);
  if (view === undefined) return { stackFrames: [], totalFrames: 0 };
  const lane = laneOf(state, threadId);
  const { lines, sources } = state.debuggee!;
  const calls = callsOf(view.group);
  /** A call may be several frames: those of the functions inlined into it come first. */
  const frames = calls.flatMap((call, i) => {
    const { fn } = call.frame.program;
    const name = i === calls.length - 1 ? `${declaredName(fn.name)} (kernel)` : declaredName(fn.name);
    const places = [sources.placeOf(fn, call.pc), ...sources.inlinedAt(fn, call.pc)];
    return places.map((place, at) => ({ call, place, name: at === places.length - 1 ? name : `inlined into ${name}` }));
  });
  const shown = frames.slice(startFrame, levels > 0 ? startFrame + levels : undefined);
  const stackFrames = shown.map(({ call, place: { source, line, column }, name }): DebugProtocol.StackFrame => {
    const id = stopped.frames.push({ view, call, lane });
    return {
      id,
      name,
      source,
      line: line - 1 + state.linesStartAt,
      column: column - 1 + state.columnsStartAt,
      instructionPointerReference: addressOfInstruction(lines, call.frame.program.fn, call.pc),
    };
  });
  return { stackFrames, totalFrames: frames.length };
};

/** The inspected lane of a group: the lowest, unless another was requested. */
export function laneOf(state: State, threadId: number): number {
  const stopped = stoppedIn(state);
  const view = stopped.threads.get(threadId);
  const wanted = stopped.lanes.get(threadId);
  if (view === undefined) return 0;
  return wanted !== undefined && ((view.group.mask >>> wanted) & 1) !== 0 ? wanted : firstLane(view.group.mask);
}

export const scopes: Handler<DebugProtocol.ScopesArguments> = (state, { frameId }) => {
  const { process, names } = stoppedIn(state);
  const frame = frameIn(state, frameId);
  const { view, call, lane } = frame;
  const found = scopesOf(process, names, call, view.group.mask, lane, { hex: false });
  return {
    scopes: found.map(({ name, hint, isExpensive }, i): DebugProtocol.Scope => {
      // Makes the nodes for each format, because their text depends on it.
      const nodes = (hex: boolean): readonly VariableNode[] =>
        scopesOf(process, names, call, view.group.mask, lane, { hex })[i]!.nodes();
      return {
        name,
        ...(hint === undefined ? {} : { presentationHint: hint }),
        variablesReference: refer(state, (start, count) => nodes(isHex(state)).slice(start, start + count), frame, 0),
        expensive: isExpensive,
      };
    }),
  };
};

const isHex = (state: State): boolean => hexWanted.get(state) ?? false;
/** Whether the request that is being answered wants hexadecimal. */
const hexWanted = new WeakMap<State, boolean>();

function refer(state: State, children: Children, frame: FrameRef | undefined, total: number): number {
  return stoppedIn(state).variables.push({ children, frame, total });
}

/** Limit of the children that are listed if the client requests all. */
const MAX_CHILDREN = 10_000;

export const variables: Handler<DebugProtocol.VariablesArguments> = (
  state,
  { variablesReference, start = 0, count = 0, filter, format },
) => {
  const found = stoppedIn(state).variables[variablesReference - 1];
  if (found === undefined) throw new RequestError("the variables are those of an earlier stop");
  if (filter === "named" && found.total > 0) return { variables: [] };
  hexWanted.set(state, format?.hex === true);
  const nodes = found.children(start, count > 0 ? count : MAX_CHILDREN);
  hexWanted.delete(state);
  return { variables: nodes.map((node) => protocolVariable(state, node, found.frame)) };
};

export function protocolVariable(
  state: State,
  node: VariableNode,
  frame: FrameRef | undefined,
): DebugProtocol.Variable {
  const { name, value, type, expression, named, indexed, children, address, context } = node;
  return {
    name,
    value,
    type,
    ...(expression === undefined ? {} : { evaluateName: expression }),
    variablesReference: children === undefined ? 0 : refer(state, children, frame, indexed ?? 0),
    ...(named === undefined ? {} : { namedVariables: named }),
    ...(indexed === undefined ? {} : { indexedVariables: indexed }),
    ...(address === undefined
      ? {}
      : { memoryReference: memoryReference(address, context ?? contextOfFrame(state, frame)) }),
  };
}

const contextOfFrame = (state: State, frame: FrameRef | undefined) =>
  frame === undefined ? undefined : contextOf(stoppedIn(state).process, frame.view.warp, frame.lane);

export const setVariable: Handler<DebugProtocol.SetVariableArguments> = (
  state,
  { variablesReference, name, value, format },
) => {
  const { variables: known, session } = stoppedIn(state);
  const found = known[variablesReference - 1];
  const node = found?.children(0, MAX_CHILDREN).find((each) => each.name === name);
  if (node?.set === undefined) throw new RequestError(`'${name}' cannot be set`);
  const result = node.set(value);
  const edit = editOf(session.count, result);
  if (edit !== undefined) state.edits.push(edit);
  const shown = resultNode(
    result,
    { context: contextOfFrame(state, found?.frame) ?? { process: stoppedIn(state).process } },
    format?.hex === true,
    name,
  );
  return { value: shown.value, type: shown.type };
};

export const exceptionInfo: Handler<DebugProtocol.ExceptionInfoArguments> = (state) => {
  const { stop } = stoppedIn(state);
  const text = explanation(stop);
  if (text === undefined) throw new RequestError("the thread stopped for another reason");
  const kind = stop.fault?.kind ?? stop.finding!.kind;
  return {
    exceptionId: kind,
    description: stop.text,
    breakMode: "always",
    details: {
      message: text,
      typeName: kind,
      stackTrace: (stop.fault?.callers ?? stop.finding?.callers ?? []).join("\n"),
    },
  };
};

export const source: Handler<DebugProtocol.SourceArguments> = ({ debuggee }, { sourceReference, source: of }) => {
  const text = debuggee?.sources.textOf(of?.sourceReference ?? sourceReference, debuggee.process);
  if (text === undefined) throw new RequestError("there is no such source");
  return { content: text, mimeType: "text/x-ptx" };
};

export const loadedSources: Handler<unknown> = ({ debuggee }) => ({ sources: debuggee?.sources.loaded ?? [] });
