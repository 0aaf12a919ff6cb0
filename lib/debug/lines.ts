// Maps lines to instructions and instructions to lines: of the PTX text, and of the sources that `.loc` names.

import { sourcePlace } from "../exec/machine/source-places.js";
import { codeAddress } from "../load/address-space.js";
import type { LoadedFunction, Process } from "../load/process.js";

export interface CodePlace {
  readonly fn: LoadedFunction;
  readonly pc: number;
}

export interface LinePlace {
  readonly file: string;
  readonly line: number;
}

export interface Lines {
  /** Functions with code, in the image's order. */
  readonly functions: readonly LoadedFunction[];
  /** Files that code came from: PTX and sources. */
  readonly files: readonly string[];
  /** The first code of the line or, if it has none, of the next line with code. Undefined if no code follows in the file. */
  find(
    file: string | undefined,
    line: number,
  ): { readonly line: number; readonly places: readonly CodePlace[] } | undefined;
  /** Lines of a file that have code, in increasing order. */
  linesOf(file: string): readonly number[];
  /** The files that a name may refer to: an equal name, or one with folders before it. */
  matching(name: string): readonly string[];
}

/** The line in the PTX text that was assembled. */
export const ptxPlace = (fn: LoadedFunction, pc: number): LinePlace => ({
  file: fn.file,
  line: fn.code.instructions[pc]?.line ?? fn.code.instructions.at(-1)?.line ?? 1,
});

/** The place of the `.loc` in force, if there is one. */
export function locPlace(fn: LoadedFunction, pc: number): LinePlace | undefined {
  const instruction = fn.code.instructions[pc];
  if (instruction === undefined || fn.code.locations[instruction.location] === undefined) return undefined;
  const place = sourcePlace(fn, instruction);
  return place.line > 0 ? place : undefined;
}

const forward = (name: string): string => name.replaceAll("\\", "/");
const baseName = (name: string): string => forward(name).split("/").at(-1)!;

export function createLines(process: Process): Lines {
  const functions = process.image.symbols.flatMap((symbol, i): LoadedFunction[] => {
    if (symbol.kind !== "function" || symbol.placement.kind !== "section") return [];
    const fn = process.functionAt(codeAddress(i, process.space));
    return fn === undefined || fn.code.instructions.length === 0 ? [] : [fn];
  });
  /** By file and line: the first instruction of each run of instructions of that line. */
  let index: Map<string, Map<number, CodePlace[]>> | undefined;
  const indexed = (): Map<string, Map<number, CodePlace[]>> => {
    if (index !== undefined) return index;
    index = new Map();
    for (const fn of functions) {
      let before: (LinePlace | undefined)[] = [];
      fn.code.instructions.forEach((_, pc) => {
        const places = [ptxPlace(fn, pc), locPlace(fn, pc)];
        places.forEach((place, kind) => {
          const last = before[kind];
          if (place === undefined || (last?.line === place.line && last.file === place.file)) return;
          let lines = index!.get(place.file);
          if (lines === undefined) index!.set(place.file, (lines = new Map<number, CodePlace[]>()));
          const known = lines.get(place.line);
          if (known === undefined) lines.set(place.line, [{ fn, pc }]);
          else known.push({ fn, pc });
        });
        before = places;
      });
    }
    return index;
  };
  const matching = (name: string): readonly string[] => {
    const files = [...indexed().keys()];
    const wanted = forward(name);
    const exact = files.filter((file) => forward(file) === wanted);
    if (exact.length > 0) return exact;
    const ends = files.filter((file) => forward(file).endsWith(`/${wanted}`) || wanted.endsWith(`/${forward(file)}`));
    return ends.length > 0 ? ends : files.filter((file) => baseName(file) === baseName(wanted));
  };
  const linesOf = (file: string): readonly number[] => [...(indexed().get(file)?.keys() ?? [])].sort((a, b) => a - b);
  return {
    functions,
    get files() {
      return [...indexed().keys()];
    },
    linesOf,
    matching,
    find(name, line) {
      const files = name === undefined ? [...new Set(functions.map(({ file }) => file))] : matching(name);
      for (const file of files) {
        const at = linesOf(file).find((each) => each >= line);
        if (at !== undefined) return { line: at, places: indexed().get(file)!.get(at)! };
      }
      return undefined;
    },
  };
}
