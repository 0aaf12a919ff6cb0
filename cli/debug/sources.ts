// Files that code is of, as a client can open them: by path where there is a file, else as a text that the client asks for.

import path from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { inliningPlaces } from "../../lib/exec/bind.js";
import { createInstructionText } from "../../lib/exec/instruction-text.js";
import { locPlace, ptxPlace, type Lines } from "../../lib/debug/lines.js";
import type { Level } from "../../lib/debug/stepping.js";
import type { LoadedFunction, Process } from "../../lib/load/process.js";
import type { Configuration } from "./configuration.js";

export interface ShownPlace {
  readonly source: DebugProtocol.Source;
  readonly line: number;
  readonly column: number;
}

export interface Sources {
  readonly level: Level;
  /** Where an instruction is for the client. */
  placeOf(fn: LoadedFunction, pc: number): ShownPlace;
  /** Where its code was inlined, the nearest call first; none where lines are those of the PTX. */
  inlinedAt(fn: LoadedFunction, pc: number): readonly ShownPlace[];
  /** The names that code has for a client's source. */
  filesOf(source: DebugProtocol.Source): readonly string[];
  /** The text behind a reference; undefined where there is none. */
  textOf(reference: number, process: Process): string | undefined;
  /** A source for each file of code that can be opened. */
  readonly loaded: readonly DebugProtocol.Source[];
  /** The function whose listing a source is. */
  functionOf(source: DebugProtocol.Source): LoadedFunction | undefined;
}

/** References of listings begin here. */
const FIRST_REFERENCE = 1;

export function createSources(lines: Lines, configuration: Configuration, exists: (file: string) => boolean): Sources {
  const { cwd, sourceFolders, inputs } = configuration;
  const folders = [cwd, ...sourceFolders, ...new Set(inputs.map(({ name }) => path.dirname(name)))];
  const known = new Map<string, string | undefined>();
  /** Where a file is, by the name that code has for it. */
  const find = (file: string): string | undefined => {
    if (!known.has(file)) {
      const named = folders.map((folder) => path.resolve(folder, file));
      const bare = sourceFolders.map((folder) => path.join(folder, path.basename(file)));
      known.set(file, [...new Set([...named, ...bare])].find(exists));
    }
    return known.get(file);
  };
  const hasSources = lines.functions.some((fn) =>
    fn.code.instructions.some((_, pc) => {
      const place = locPlace(fn, pc);
      return place !== undefined && place.file !== fn.file && find(place.file) !== undefined;
    }),
  );
  const level: Level = configuration.level === "auto" ? (hasSources ? "source" : "ptx") : configuration.level;
  const sourceOf = (file: string): DebugProtocol.Source | undefined => {
    const found = find(file);
    return found === undefined ? undefined : { name: path.basename(found), path: found };
  };
  const listing = (fn: LoadedFunction): DebugProtocol.Source => ({
    name: `${fn.name}.ptx`,
    sourceReference: FIRST_REFERENCE + lines.functions.findIndex(({ address }) => address === fn.address),
    origin: `${fn.file}, from the object`,
  });
  return {
    level,
    placeOf(fn, pc) {
      const places = level === "source" ? [locPlace(fn, pc), ptxPlace(fn, pc)] : [ptxPlace(fn, pc)];
      for (const place of places) {
        const source = place && sourceOf(place.file);
        if (place !== undefined && source !== undefined) return { source, line: place.line, column: 1 };
      }
      return { source: listing(fn), line: pc + LISTING_HEAD + 1, column: 1 };
    },
    inlinedAt(fn, pc) {
      const instruction = level === "source" ? fn.code.instructions[pc] : undefined;
      if (instruction === undefined) return [];
      return inliningPlaces(fn, instruction).flatMap(({ file, line }) => {
        const source = sourceOf(file);
        return source === undefined ? [] : [{ source, line, column: 1 }];
      });
    },
    filesOf({ path: file, name }) {
      if (file === undefined) return name === undefined ? [] : lines.matching(name);
      const same = lines.files.filter((each) => find(each) === path.resolve(file));
      return same.length > 0 ? same : lines.matching(file);
    },
    textOf(reference, process) {
      const fn = lines.functions[reference - FIRST_REFERENCE];
      if (fn === undefined) return undefined;
      const textOf = createInstructionText(process);
      const body = fn.code.instructions.map((_, pc) => textOf(fn, pc));
      return [`// ${fn.name} of ${fn.file}`, ...body, ""].join("\n");
    },
    loaded: lines.files.flatMap((file) => sourceOf(file) ?? []),
    functionOf: ({ sourceReference = 0 }) => lines.functions[sourceReference - FIRST_REFERENCE],
  };
}

/** Lines of a listing in front of its first instruction. */
const LISTING_HEAD = 1;
