// Requests about values: expressions, memory, completion.

import type { DebugProtocol } from "@vscode/debugprotocol";
import { editOf } from "../../lib/debug/edits.js";
import { assign } from "../../lib/debug/assign.js";
import { evaluateText, valueOf } from "../../lib/debug/evaluate.js";
import { bytesAtAddress } from "../../lib/debug/memory.js";
import type { Result } from "../../lib/debug/result.js";
import { resultNode } from "../../lib/debug/variables.js";
import { lanesText, scopeOf } from "../../lib/debug/view.js";
import { dataType } from "../../lib/isa/types.table.js";
import { memoryReference, readReference } from "./memory-reference.js";
import { frameIn, RequestError, stoppedIn, type Handler } from "./request.js";
import { protocolVariable } from "./stack.js";
import { event, type FrameRef, type State } from "./state.js";

const HELP = `expressions: %r1, %tid.x, tile[3], counter, *(f32*)%rd1, ((f32*)%rd1)[2], &tile, %r1@5 (lane 5), %r2 = 7, x,h (hexadecimal)
lane N: look at lane N of the group
`;

/** The suffix of an expression that requests hexadecimal, as in other debuggers. */
const HEX_SUFFIX = /,\s*[xh]\s*$/;

export const evaluate: Handler<DebugProtocol.EvaluateArguments> = (state, { expression, frameId, context, format }) => {
  const command = context === "repl" ? replCommand(state, expression.trim(), frameId) : undefined;
  if (command !== undefined) return { result: command, variablesReference: 0 };
  const hex = format?.hex === true || HEX_SUFFIX.test(expression);
  return shown(state, frameIn(state, frameId), expression.replace(HEX_SUFFIX, ""), hex);
};

function shown(state: State, frame: FrameRef, text: string, hex: boolean) {
  const { process, names, session } = stoppedIn(state);
  const scope = scopeOf(process, names, frame.call, frame.lane);
  const isAssignment = /(?<![=!<>])=(?!=)/.test(text);
  const result = evaluateText(text, scope);
  if (isAssignment) noteEdit(state, session.count, result);
  const {
    value,
    type,
    variablesReference,
    memoryReference: reference,
    namedVariables,
    indexedVariables,
  } = protocolVariable(state, resultNode(result, scope, hex, text), frame);
  const counts = {
    ...(namedVariables === undefined ? {} : { namedVariables }),
    ...(indexedVariables === undefined ? {} : { indexedVariables }),
  };
  return {
    result: value,
    type,
    variablesReference,
    ...counts,
    ...(reference === undefined ? {} : { memoryReference: reference }),
  };
}

function noteEdit(state: State, count: number, result: Result): void {
  const edit = result.kind === "value" ? editOf(count, result) : undefined;
  if (edit === undefined) return;
  state.edits.push(edit);
  event(state, "invalidated", { areas: ["variables"] });
}

function replCommand(state: State, text: string, frameId: number | undefined): string | undefined {
  if (text === "help") return HELP;
  const lane = /^lane\s+(\d{1,2})$/.exec(text)?.[1];
  if (lane === undefined) return undefined;
  const { view } = frameIn(state, frameId);
  const wanted = Number(lane);
  if (wanted > 31 || ((view.group.mask >>> wanted) & 1) === 0)
    throw new RequestError(`the group has ${lanesText(view.group.mask)}, and no lane ${wanted}`);
  const stopped = stoppedIn(state);
  for (const [id, each] of stopped.threads) if (each.group === view.group) stopped.lanes.set(id, wanted);
  event(state, "invalidated", { areas: ["stacks", "variables"] });
  return `looking at lane ${wanted}`;
}

export const setExpression: Handler<DebugProtocol.SetExpressionArguments> = (
  state,
  { expression, value, frameId, format },
) => {
  const frame = frameIn(state, frameId);
  const { process, names, session } = stoppedIn(state);
  const scope = scopeOf(process, names, frame.call, frame.lane);
  const right = evaluateText(value, scope);
  const result = assign(evaluateText(expression, scope), valueOf(right));
  noteEdit(state, session.count, result);
  const { value: text, type } = resultNode(result, scope, format?.hex === true, expression);
  return { value: text, type };
};

export const completions: Handler<DebugProtocol.CompletionsArguments> = (state, { text, column, frameId }) => {
  const { process, names } = stoppedIn(state);
  const { call, lane } = frameIn(state, frameId);
  const before = text.slice(0, Math.max(0, column - state.columnsStartAt));
  const begun = /[%\w$.]*$/.exec(before)![0];
  const { memories, registerVariables, source } = scopeOf(process, names, call, lane);
  const registers = call.frame.program.fn.code.registers.map(({ name }) => name);
  const specials = [
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%ntid.x",
    "%nctaid.x",
    "%laneid",
    "%warpid",
  ];
  const all = [
    ...new Set([
      ...source.locals().map(({ name }) => name),
      ...memories.map(({ name }) => name),
      ...registerVariables(),
      ...registers,
      ...specials,
    ]),
  ];
  const targets = all
    .filter((name) => name.startsWith(begun))
    .slice(0, 200)
    .map((label): DebugProtocol.CompletionItem => ({
      label,
      start: before.length - begun.length,
      length: begun.length,
      type: label.startsWith("%") ? "value" : "variable",
    }));
  return { targets };
};

// -------------------------------------------------------------------------------------------------------------- memory

/** Limit of the bytes that one request reads. */
const MAX_BYTES = 2 ** 20;

export const readMemory: Handler<DebugProtocol.ReadMemoryArguments> = (
  state,
  { memoryReference: reference, offset = 0, count },
) => {
  const { address, context } = readReference(state, reference);
  const start = address + offset;
  const wanted = Math.max(0, Math.min(count, MAX_BYTES));
  const bytes = bytesAtAddress(context, start, wanted) ?? new Uint8Array();
  return {
    address: memoryReference(start, undefined),
    ...(bytes.length < wanted ? { unreadableBytes: wanted - bytes.length } : {}),
    data: Buffer.from(bytes).toString("base64"),
  };
};

export const writeMemory: Handler<DebugProtocol.WriteMemoryArguments> = (
  state,
  { memoryReference: reference, offset = 0, data, allowPartial = false },
) => {
  const { address, context } = readReference(state, reference);
  const given = new Uint8Array(Buffer.from(data, "base64"));
  const bytes = bytesAtAddress(context, address + offset, given.length);
  if (bytes === undefined || (bytes.length < given.length && !allowPartial))
    throw new RequestError("no memory is there for so many bytes");
  bytes.set(given.subarray(0, bytes.length));
  const { session } = stoppedIn(state);
  state.edits.push({
    count: session.count,
    block: context.block?.index ?? 0,
    warp: context.warp?.index ?? 0,
    lane: context.lane ?? 0,
    target: { kind: "memory", address: address + offset },
    bytes: given.slice(0, bytes.length),
    type: dataType("b8")!,
  });
  event(state, "invalidated", { areas: ["variables"] });
  return { bytesWritten: bytes.length };
};
