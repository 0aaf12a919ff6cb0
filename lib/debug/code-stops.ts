// Breakpoints in code: which one holds where a group has come, and what log points print.

import type { LoadedFunction, Process } from "../load/process.js";
import { codeAddress } from "../load/address-space.js";
import { firstLane, type Group } from "../exec/warp.js";
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
  rearm(breakpoints: readonly Armed<CodeBreakpoint>[]): void;
  /** The stop at the group's place, if any; log points are printed by `log`, if that is given. */
  at(group: Group, log: ((text: string) => void) | undefined): CodeHit | undefined;
}

export function createCodeStops(process: Process, names: MemoryNames): CodeStops {
  let byPlace = new Map<LoadedFunction, Map<number, Armed<CodeBreakpoint>[]>>();
  return {
    rearm(breakpoints) {
      byPlace = new Map();
      const functions = new Map<string, LoadedFunction>();
      for (const armed of breakpoints)
        for (const at of armed.of.places) {
          const key = `${at.file}\n${at.function}`;
          let fn = functions.get(key);
          if (fn === undefined) {
            fn = findFunction(process, at.function, at.file);
            if (fn === undefined) continue;
            functions.set(key, fn);
          }
          const pcs = byPlace.get(fn) ?? new Map<number, Armed<CodeBreakpoint>[]>();
          byPlace.set(fn, pcs);
          pcs.set(at.pc, [...(pcs.get(at.pc) ?? []), armed]);
        }
    },
    at: (group, log) => breakpointsAt(group, log),
  };

  function breakpointsAt(group: Group, log: ((text: string) => void) | undefined): CodeHit | undefined {
    const here = byPlace.get(group.frame.program.fn)?.get(group.pc);
    if (here === undefined) return undefined;
    const hits: { readonly of: CodeBreakpoint; readonly lane: number; readonly text: string | undefined }[] = [];
    for (const armed of here) {
      const { lanes, error } =
        armed.condition === undefined
          ? { lanes: group.mask }
          : lanesWhere(armed, group.mask, scopeOf(process, names, group, firstLane(group.mask)));
      if (lanes === 0) continue;
      armed.hits++;
      if (error === undefined && armed.counts?.(armed.hits) === false) continue;
      const lane = firstLane(lanes);
      if (armed.log !== undefined && error === undefined) log?.(logText(armed.log, group, lane));
      else hits.push({ of: armed.of, lane, text: error && `the condition cannot be evaluated: ${error}` });
    }
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

  function logText(parts: NonNullable<Armed["log"]>, group: Group, lane: number): string {
    const scope = scopeOf(process, names, group, lane);
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

/** A result as a part of a text. */
function shortText(result: Result, { context }: Scope): string {
  if (result.kind === "object") return objectNode(result.object, false).value;
  if (result.kind === "memory") return `${result.memory.name} at 0x${result.memory.address.toString(16)}`;
  return result.declared === undefined ? briefText(result.value) : declaredText(result, { context }, false);
}
