// Requests that set breakpoints. Places are resolved in the debuggee's code at once, so that the client shows the actual place.

import path from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { DataAccess, CodeBreakpoint, DataBreakpoint, PlaceName } from "../../lib/debug/stops.js";
import { arm } from "../../lib/debug/stops.js";
import type { CodePlace } from "../../lib/debug/lines.js";
import { memoryAt, evaluateText } from "../../lib/debug/evaluate.js";
import { ExpressionError } from "../../lib/debug/expression.js";
import { typeBytes } from "../../lib/debug/values.js";
import { scopeOf } from "../../lib/debug/view.js";
import type { NamedMemory } from "../../lib/debug/memory.js";
import { declaredName, isMangled, plainName, qualifiedName } from "../../lib/base/source-name.js";
import { dataType } from "../../lib/isa/types.table.js";
import { instructionAt } from "./instructions.js";
import { readReference } from "./memory-reference.js";
import { frameIn, RequestError, stoppedIn, type Handler } from "./request.js";
import { rearm, type Debuggee, type State } from "./state.js";

/** A requested breakpoint, and the response for it. */
interface Made<B> {
  readonly breakpoint: B | undefined;
  readonly answer: DebugProtocol.Breakpoint;
}

const nameOf = ({ fn, pc }: CodePlace): PlaceName => ({ function: fn.name, file: fn.file, pc });

/** Sets the breakpoints that could be resolved, and returns the responses for all. */
function keep<B>(state: State, made: readonly Made<B>[], set: (breakpoints: readonly B[]) => void) {
  set(made.flatMap(({ breakpoint }) => breakpoint ?? []));
  rearm(state);
  return { breakpoints: made.map(({ answer }) => answer) };
}

function make<B extends CodeBreakpoint | DataBreakpoint>(of: B, shown: Partial<DebugProtocol.Breakpoint>): Made<B> {
  try {
    arm(of);
    return { breakpoint: of, answer: { id: of.id, verified: true, ...shown } };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { breakpoint: undefined, answer: { id: of.id, verified: false, message: error.message } };
  }
}

const refused = (state: State, message: string): Made<never> => ({
  breakpoint: undefined,
  answer: { id: ++state.lastId, verified: false, message },
});

function debuggeeIn({ debuggee }: State): Debuggee {
  if (debuggee === undefined) throw new RequestError("no program is being debugged yet");
  return debuggee;
}

export const setBreakpoints: Handler<DebugProtocol.SetBreakpointsArguments> = (state, { source, breakpoints = [] }) => {
  const { lines, sources } = debuggeeIn(state);
  const listed = sources.functionOf(source);
  const files = listed === undefined ? sources.filesOf(source) : [];
  const made = breakpoints.map((wanted): Made<CodeBreakpoint> => {
    const line = wanted.line + 1 - state.linesStartAt;
    const found =
      listed === undefined
        ? files.map((file) => lines.find(file, line)).find((each) => each !== undefined)
        : { line, places: [{ fn: listed, pc: Math.min(Math.max(0, line - 2), listed.code.instructions.length - 1) }] };
    if (found === undefined) {
      const name = path.basename(source.path ?? source.name ?? "the file");
      return refused(
        state,
        files.length === 0 ? `no code of the program comes from ${name}` : "no code is at or after this line",
      );
    }
    return make(
      { id: ++state.lastId, kind: "line", places: found.places.map(nameOf), ...conditionsOf(wanted) },
      { line: found.line - 1 + state.linesStartAt, source },
    );
  });
  const key = source.path ?? `reference ${source.sourceReference ?? source.name ?? ""}`;
  return keep(state, made, (all) => void state.code.set(`source ${key}`, all));
};

const conditionsOf = ({ condition, hitCondition, logMessage }: DebugProtocol.SourceBreakpoint) => ({
  condition,
  hitCondition,
  logMessage,
});

export const setFunctionBreakpoints: Handler<DebugProtocol.SetFunctionBreakpointsArguments> = (
  state,
  { breakpoints },
) => {
  const { lines, sources } = debuggeeIn(state);
  const made = breakpoints.map(({ name, condition, hitCondition }): Made<CodeBreakpoint> => {
    const places = lines.functions
      .filter((fn) => fn.name === name || isNamed(fn.name, name))
      .map((fn): CodePlace => ({ fn, pc: 0 }));
    const [first] = places;
    if (first === undefined) return refused(state, `there is no function '${name}'`);
    const { source, line } = sources.placeOf(first.fn, 0);
    return make(
      { id: ++state.lastId, kind: "function", places: places.map(nameOf), condition, hitCondition },
      { source, line: line - 1 + state.linesStartAt },
    );
  });
  return keep(state, made, (all) => void state.code.set("function", all));
};

/** Whether a symbol is the C++ function of that name, with or without parameters: `_Z5scalePf` is scale. */
const isNamed = (symbol: string, name: string): boolean =>
  isMangled(symbol) && (plainName(symbol) === name || qualifiedName(symbol) === name || declaredName(symbol) === name);

export const setInstructionBreakpoints: Handler<DebugProtocol.SetInstructionBreakpointsArguments> = (
  state,
  { breakpoints },
) => {
  const { lines } = debuggeeIn(state);
  const made = breakpoints.map(({ instructionReference, offset, condition, hitCondition }): Made<CodeBreakpoint> => {
    const at = instructionAt(lines, instructionReference, offset);
    if (at === undefined || at.fn.code.instructions[at.pc] === undefined)
      return refused(state, "there is no instruction at that address");
    return make(
      { id: ++state.lastId, kind: "instruction", places: [nameOf(at)], condition, hitCondition },
      { instructionReference },
    );
  });
  return keep(state, made, (all) => void state.code.set("instruction", all));
};

export const breakpointLocations: Handler<DebugProtocol.BreakpointLocationsArguments> = (
  state,
  { source, line, endLine = line },
) => {
  const { lines, sources } = debuggeeIn(state);
  const [from, to] = [line + 1 - state.linesStartAt, endLine + 1 - state.linesStartAt];
  const found = new Set(sources.filesOf(source).flatMap((file) => lines.linesOf(file)));
  return {
    breakpoints: [...found]
      .filter((each) => each >= from && each <= to)
      .map((each) => ({ line: each - 1 + state.linesStartAt })),
  };
};

export const setExceptionBreakpoints: Handler<DebugProtocol.SetExceptionBreakpointsArguments> = (
  { filters: set },
  { filters },
) => {
  set.clear();
  for (const filter of filters) set.add(filter);
  return {};
};

// ---------------------------------------------------------------------------------------------------------------- data

/** The memory of a data breakpoint, as data that the client sends back. */
interface DataName {
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  readonly type: string;
  readonly space: NamedMemory["space"];
  /** Block number, for shared memory. */
  readonly block?: number;
}

/** Limit of the bytes that one breakpoint compares after each instruction. */
const MAX_BYTES = 65_536;

export const dataBreakpointInfo: Handler<DebugProtocol.DataBreakpointInfoArguments> = (state, given) => {
  const { name, variablesReference, frameId, bytes, asAddress } = given;
  const found =
    asAddress === true
      ? atAddress(state, name, bytes ?? 4)
      : variablesReference
        ? inVariables(state, variablesReference, name)
        : evaluated(state, name, frameId);
  if (typeof found === "string") return { dataId: null, description: found };
  if (found.bytes > MAX_BYTES)
    return { dataId: null, description: `${found.bytes} bytes are too many: name an element` };
  if (found.space === "local" || found.space === "param")
    return {
      dataId: null,
      description: `${name} is in each thread's own memory, which is not watched: use a condition`,
    };
  const shared = found.block === undefined ? "" : `, block ${found.block}`;
  return {
    dataId: JSON.stringify(found),
    description: `${found.name} (${found.bytes} bytes of ${found.space} memory${shared})`,
    accessTypes: ["write", "read", "readWrite"],
    canPersist: false,
  };
};

function inVariables(state: State, reference: number, name: string): DataName | string {
  const found = stoppedIn(state).variables[reference - 1];
  const node = found?.children(0, MAX_BYTES).find((each) => each.name === name);
  if (node?.expression === undefined) return `${name} cannot be watched`;
  return evaluated(state, node.expression, undefined);
}

function evaluated(state: State, text: string, frameId: number | undefined): DataName | string {
  const { process, names } = stoppedIn(state);
  const { call, lane, view } = frameIn(state, frameId);
  const result = evaluateText(text, scopeOf(process, names, call, lane));
  if (result.kind === "memory") {
    const { name, address, size, type, space } = result.memory;
    return { name, address, bytes: size, type: type.name, space, ...blockOf(space, view.warp.block.index) };
  }
  if (result.kind === "object") {
    const { place, type } = result.object;
    if (place.kind !== "memory") return `${text} is not a place in memory`;
    return memoryName(state, text, place.address, type.size, "b8");
  }
  if (result.place?.kind !== "memory")
    return `${text} is not a place in memory: registers are not watched, use a condition`;
  return memoryName(state, text, result.place.address, typeBytes(result.value.type), result.value.type.name);
}

const blockOf = (space: string, block: number) => (space === "shared" ? { block } : {});

function memoryName(state: State, name: string, address: number, bytes: number, type: string): DataName {
  const { process, names } = stoppedIn(state);
  const { call, lane, view } = frameIn(state, undefined);
  const memory = memoryAt(address, scopeOf(process, names, call, lane));
  const space = memory?.space ?? "global";
  return { name, address, bytes, type, space, ...blockOf(space, view.warp.block.index) };
}

function atAddress(state: State, reference: string, bytes: number): DataName {
  const { address } = readReference(state, reference);
  return memoryName(state, reference, address, bytes, "b8");
}

const accessOf: Readonly<Record<string, DataAccess>> = { write: "change", read: "read", readWrite: "access" };

export const setDataBreakpoints: Handler<DebugProtocol.SetDataBreakpointsArguments> = (state, { breakpoints }) => {
  const made = breakpoints.map(({ dataId, accessType = "write", condition, hitCondition }): Made<DataBreakpoint> => {
    const { name, address, bytes, type, space, block } = JSON.parse(dataId) as DataName;
    const memory: NamedMemory = {
      name,
      space,
      address,
      size: bytes,
      type: dataType(type) ?? dataType("b8")!,
      vector: 1,
      dimensions: [],
      isBuffer: false,
    };
    const access = accessOf[accessType] ?? "change";
    const of = { id: ++state.lastId, access, part: { memory, offset: 0, bytes }, block, condition, hitCondition };
    return make(of, { description: name } as Partial<DebugProtocol.Breakpoint>);
  });
  return keep(state, made, (all) => (state.data = all));
};
