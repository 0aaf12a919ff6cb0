// Breakpoints in code: which of them a group hits, and the output of log points.

import type { Group } from "../exec/state/warp.js";
import type { LoadedFunction, Process } from "../load/process.js";
import { codeAddress } from "../load/address-space.js";
import { firstLane } from "../exec/machine/warp.js";
import { evaluate } from "./evaluate.js";
import { ExpressionError } from "./expression.js";
import type { MemoryNames } from "./names.js";
import type { Result, Scope } from "./result.js";
import { declaredText, objectNode } from "./source/nodes.js";
import { lanesWhere, type Armed, type CodeBreakpoint } from "./stops.js";
import { briefText } from "./values.js";
import { scopeOf } from "./view.js";

export interface CodeHit {
  readonly kind: CodeBreakpoint["kind"];
  readonly lane: number;
  readonly breakpoints: readonly number[];
  readonly text?: string;
}

export interface CodeStops {
  readonly process: Process;
  readonly names: MemoryNames;
  /** Breakpoints by function and pc. */
  byPlace: ReadonlyMap<LoadedFunction, ReadonlyMap<number, readonly Armed<CodeBreakpoint>[]>>;
}

export const createCodeStops = (process: Process, names: MemoryNames): CodeStops => ({
  process,
  names,
  byPlace: new Map(),
});

export function rearmCode(stops: CodeStops, breakpoints: readonly Armed<CodeBreakpoint>[]): void {
  const byPlace = new Map<LoadedFunction, Map<number, Armed<CodeBreakpoint>[]>>();
  const functions = new Map<string, LoadedFunction>();
  for (const armed of breakpoints)
    for (const at of armed.of.places) {
      const key = `${at.file}\n${at.function}`;
      const fn = functions.get(key) ?? findFunction(stops.process, at.function, at.file);
      if (fn === undefined) continue;
      functions.set(key, fn);
      const pcs = byPlace.get(fn) ?? new Map<number, Armed<CodeBreakpoint>[]>();
      byPlace.set(fn, pcs);
      pcs.set(at.pc, [...(pcs.get(at.pc) ?? []), armed]);
    }
  stops.byPlace = byPlace;
}

interface Hit {
  readonly of: CodeBreakpoint;
  readonly lane: number;
  readonly text: string | undefined;
}

/** The stop at the group's instruction, if any. `log`, if given, prints log points. */
export function codeStopAt(
  stops: CodeStops,
  group: Group,
  log: ((text: string) => void) | undefined,
): CodeHit | undefined {
  const here = stops.byPlace.get(group.frame.program.fn)?.get(group.pc);
  if (here === undefined) return undefined;
  const hits = here.flatMap((armed) => hitOf(stops, armed, group, log) ?? []);
  const [first] = hits;
  return (
    first && {
      kind: first.of.kind,
      lane: first.lane,
      breakpoints: hits.map(({ of }) => of.id),
      ...(first.text === undefined ? {} : { text: first.text }),
    }
  );
}

/** Counts a hit if the condition holds for a lane. Undefined if the breakpoint does not stop there. */
function hitOf(
  { process, names }: CodeStops,
  armed: Armed<CodeBreakpoint>,
  group: Group,
  log: ((text: string) => void) | undefined,
): Hit | undefined {
  const { lanes, error } =
    armed.condition === undefined
      ? { lanes: group.mask }
      : lanesWhere(armed, group.mask, scopeOf(process, names, group, firstLane(group.mask)));
  if (lanes === 0) return undefined;
  armed.hits++;
  if (error === undefined && armed.counts?.(armed.hits) === false) return undefined;
  const lane = firstLane(lanes);
  if (armed.log === undefined || error !== undefined)
    return { of: armed.of, lane, text: error && `the condition cannot be evaluated: ${error}` };
  log?.(logText(armed.log, scopeOf(process, names, group, lane)));
  return undefined;
}

function logText(parts: NonNullable<Armed["log"]>, scope: Scope): string {
  const texts = parts.map((part) => {
    if (typeof part === "string") return part;
    try {
      return shortText(evaluate(part, scope), scope);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return `<${error.message}>`;
    }
  });
  return `${texts.join("")}\n`;
}

function findFunction(process: Process, name: string, file: string): LoadedFunction | undefined {
  for (const kernel of process.kernels.values())
    if (kernel.function.name === name && kernel.function.file === file) return kernel.function;
  return process.image.symbols.flatMap((symbol, i) => {
    const fn =
      symbol.kind === "function" && symbol.name === name
        ? process.functionAt(codeAddress(i, process.space))
        : undefined;
    return fn !== undefined && fn.file === file ? [fn] : [];
  })[0];
}

/** A result as part of a log point's text. */
function shortText(result: Result, { context }: Scope): string {
  if (result.kind === "object") return objectNode(result.object, false).value;
  if (result.kind === "memory") return `${result.memory.name} at 0x${result.memory.address.toString(16)}`;
  return result.declared === undefined ? briefText(result.value) : declaredText(result, { context }, false);
}
