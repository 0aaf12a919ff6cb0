// Source files of code, as a client can open them: by path if the file exists, otherwise as a listing that the client requests.

import path from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { createInstructionText } from "../../lib/exec/machine/instruction-text.js";
import { locPlace, ptxPlace, type Lines } from "../../lib/debug/lines.js";
import type { Level } from "../../lib/debug/stepping.js";
import { inliningPlaces } from "../../lib/exec/machine/source-places.js";
import type { LoadedFunction, Process } from "../../lib/load/process.js";
import type { Configuration } from "./configuration.js";

export interface ShownPlace {
  readonly source: DebugProtocol.Source;
  readonly line: number;
  readonly column: number;
}

export interface Sources {
  readonly level: Level;
  /** The place of an instruction, for the client. */
  placeOf(fn: LoadedFunction, pc: number): ShownPlace;
  /** The call sites of inlined code, innermost first; empty if lines are those of the PTX. */
  inlinedAt(fn: LoadedFunction, pc: number): readonly ShownPlace[];
  /** The names under which the debug information knows a client's source. */
  filesOf(source: DebugProtocol.Source): readonly string[];
  /** The text of a source reference; undefined if there is none. */
  textOf(reference: number, process: Process): string | undefined;
  /** All source files of the code that can be opened. */
  readonly loaded: readonly DebugProtocol.Source[];
  /** The function whose listing a source is. */
  functionOf(source: DebugProtocol.Source): LoadedFunction | undefined;
}

/** The first source reference of a listing. */
const FIRST_REFERENCE = 1;

/** State of the search for source files. */
interface SourceSearch {
  readonly lines: Lines;
  /** Folders that paths may be relative to. `sourceFolders`: folders in which a bare file name is searched. */
  readonly folders: readonly string[];
  readonly sourceFolders: readonly string[];
  readonly exists: (file: string) => boolean;
  /** Path of each file by its name in the debug information; undefined if it was not found. */
  readonly known: Map<string, string | undefined>;
}

export function createSources(lines: Lines, configuration: Configuration, exists: (file: string) => boolean): Sources {
  const { cwd, sourceFolders, inputs } = configuration;
  const folders = [cwd, ...sourceFolders, ...new Set(inputs.map(({ name }) => path.dirname(name)))];
  const search: SourceSearch = { lines, folders, sourceFolders, exists, known: new Map() };
  const level: Level = configuration.level === "auto" ? (hasSources(search) ? "source" : "ptx") : configuration.level;
  return {
    level,
    placeOf(fn, pc) {
      const places = level === "source" ? [locPlace(fn, pc), ptxPlace(fn, pc)] : [ptxPlace(fn, pc)];
      for (const place of places) {
        const source = place && sourceOf(search, place.file);
        if (place !== undefined && source !== undefined) return { source, line: place.line, column: 1 };
      }
      return { source: listingOf(search, fn), line: pc + LISTING_HEAD + 1, column: 1 };
    },
    inlinedAt(fn, pc) {
      const instruction = level === "source" ? fn.code.instructions[pc] : undefined;
      if (instruction === undefined) return [];
      return inliningPlaces(fn, instruction).flatMap(({ file, line }) => {
        const source = sourceOf(search, file);
        return source === undefined ? [] : [{ source, line, column: 1 }];
      });
    },
    filesOf({ path: file, name }) {
      if (file === undefined) return name === undefined ? [] : lines.matching(name);
      const same = lines.files.filter((each) => findFile(search, each) === path.resolve(file));
      return same.length > 0 ? same : lines.matching(file);
    },
    textOf: (reference, process) => listingText(lines.functions[reference - FIRST_REFERENCE], process),
    loaded: lines.files.flatMap((file) => sourceOf(search, file) ?? []),
    functionOf: ({ sourceReference = 0 }) => lines.functions[sourceReference - FIRST_REFERENCE],
  };
}

function findFile({ folders, sourceFolders, exists, known }: SourceSearch, file: string): string | undefined {
  if (!known.has(file)) {
    const named = folders.map((folder) => path.resolve(folder, file));
    const bare = sourceFolders.map((folder) => path.join(folder, path.basename(file)));
    known.set(file, [...new Set([...named, ...bare])].find(exists));
  }
  return known.get(file);
}

/** Whether a source file of the code can be opened. */
const hasSources = (search: SourceSearch): boolean =>
  search.lines.functions.some((fn) =>
    fn.code.instructions.some((_, pc) => {
      const place = locPlace(fn, pc);
      return place !== undefined && place.file !== fn.file && findFile(search, place.file) !== undefined;
    }),
  );

function sourceOf(search: SourceSearch, file: string): DebugProtocol.Source | undefined {
  const found = findFile(search, file);
  return found === undefined ? undefined : { name: path.basename(found), path: found };
}

const listingOf = ({ lines }: SourceSearch, fn: LoadedFunction): DebugProtocol.Source => ({
  name: `${fn.name}.ptx`,
  sourceReference: FIRST_REFERENCE + lines.functions.findIndex(({ address }) => address === fn.address),
  origin: `${fn.file}, from the object`,
});

function listingText(fn: LoadedFunction | undefined, process: Process): string | undefined {
  if (fn === undefined) return undefined;
  const textOf = createInstructionText(process);
  const body = fn.code.instructions.map((_, pc) => textOf(fn, pc));
  return [`// ${fn.name} of ${fn.file}`, ...body, ""].join("\n");
}

/** Lines of a listing before its first instruction. */
const LISTING_HEAD = 1;
