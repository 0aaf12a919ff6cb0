// The inputs of a command line in order, each with the state that the options before it set: -l NAME is an input, and
// --whole-archive, --start-lib and --push-state apply to the inputs after them. Commander separates operands from options, so
// this code walks the words again, by the same rules and with Commander's own table of options.

import path from "node:path";
import type { Option } from "commander";
import { splitSelectors } from "../../lib/link/inputs/select-name.js";
import type { LinkOptionValues } from "../options/link-options.table.js";
import { UsageError } from "../base/status.js";

export interface PlacedInput {
  /** FILE as given, or NAME of -l NAME. */
  readonly name: string;
  readonly isLibrary: boolean;
  /** The file that -l NAME means, if the search found one (locateLibraries). */
  readonly found?: string;
  /** Whether every member of an archive is linked. */
  readonly isWhole: boolean;
  /** Whether the file is linked only if it is needed, like a member of an archive. */
  readonly isLazy: boolean;
}

/** The file that -l NAME searches for. */
export const libraryFile = (name: string): string => (name.startsWith(":") ? name.slice(1) : `lib${name}.a`);

/** Resolves each -l NAME to the first folder of --library-path that contains it. A library named several times is searched once. */
export function locateLibraries(
  inputs: readonly PlacedInput[],
  { libraryPath = [] }: Pick<LinkOptionValues, "libraryPath">,
  exists: (file: string) => boolean,
): readonly PlacedInput[] {
  const known = new Map<string, string | undefined>();
  const locate = (name: string): string | undefined => {
    const file = libraryFile(name);
    if (!known.has(file)) known.set(file, firstOf(libraryPath, file, exists));
    return known.get(file);
  };
  return inputs.map((input) => {
    const found = input.isLibrary ? locate(input.name) : undefined;
    return found === undefined ? input : { ...input, found };
  });
}

function firstOf(folders: readonly string[], file: string, exists: (file: string) => boolean): string | undefined {
  for (const folder of folders) {
    const each = path.posix.join(folder, file);
    if (exists(each)) return each;
  }
  return undefined;
}

/** The file of a located input; undefined for a library that was not found. */
export const fileOf = ({ isLibrary, name, found }: PlacedInput): string | undefined => (isLibrary ? found : name);

/** Inputs that are linked on demand: archives, and files after --start-lib. */
export interface Waiting {
  /** Whether an input with such contents waits; records it if so. */
  readonly takes: (placed: PlacedInput, isArchive: boolean) => boolean;
  /** Whether the input already waits: naming it again adds nothing. */
  readonly has: (placed: PlacedInput) => boolean;
}

export function createWaiting(): Waiting {
  /** Whether a waiting file is an archive, by its name. */
  const files = new Map<string | undefined, boolean>();
  const waits = ({ isLazy, isWhole }: PlacedInput, isArchive: boolean): boolean => isLazy || (isArchive && !isWhole);
  return {
    takes(placed, isArchive) {
      const isWaiting = waits(placed, isArchive);
      if (isWaiting) files.set(fileOf(placed), isArchive);
      return isWaiting;
    },
    has(placed) {
      const isArchive = files.get(fileOf(placed));
      return isArchive !== undefined && waits(placed, isArchive);
    },
  };
}

/** The files of located inputs; for 'lib.a(scale.o)' also the archive. */
export function inputFiles(inputs: readonly PlacedInput[]): readonly string[] {
  return inputs.flatMap(({ name, isLibrary, found }) => {
    const file = isLibrary ? found : name;
    if (file === undefined) return [];
    return file.endsWith(")") ? [file, splitSelectors(file).file] : [file];
  });
}

interface State {
  readonly isWhole: boolean;
  readonly isLazy: boolean;
  /** The state that the last --push-state saved. */
  readonly pushed: State | undefined;
}

/** The effect of an option on the state for the inputs after it. */
const marks: Readonly<Record<string, (state: State) => State>> = {
  "--whole-archive": (state) => ({ ...state, isWhole: true }),
  "--no-whole-archive": (state) => ({ ...state, isWhole: false }),
  "--start-lib": (state) => {
    if (state.isLazy) throw new UsageError("--start-lib inside --start-lib: end the first with --end-lib");
    return { ...state, isLazy: true };
  },
  "--end-lib": (state) => {
    if (!state.isLazy)
      throw new UsageError(
        "--end-lib without --start-lib before it",
        "put --start-lib before the first file that is linked only if it is needed",
      );
    return { ...state, isLazy: false };
  },
  "--push-state": (state) => ({ ...state, pushed: state }),
  "--pop-state": (state) => {
    const { pushed: before } = state;
    if (before === undefined)
      throw new UsageError(
        "--pop-state without --push-state before it",
        "put --push-state before the options that --pop-state undoes",
      );
    return { ...state, isWhole: before.isWhole, pushed: before.pushed };
  },
};

const NAME_ONE =
  "name at least one module: PTX text, an object, an archive or a host object with PTX; --help shows examples";

/** The inputs among `words`, the command line after the command's name. Throws UsageError. */
export function placedInputs(words: readonly string[], options: readonly Option[]): readonly PlacedInput[] {
  let state: State = { isWhole: false, isLazy: false, pushed: undefined };
  const inputs: PlacedInput[] = [];
  for (const { flag, value } of walk(words, options)) {
    const isLibrary = flag === "--library";
    if (flag === undefined || isLibrary) {
      const { isWhole, isLazy } = state;
      inputs.push({ name: value, isLibrary, isWhole, isLazy });
    } else state = marks[flag]?.(state) ?? state;
  }
  if (inputs.length === 0) throw new UsageError("missing required argument 'input'", NAME_ONE);
  return inputs;
}

/** Approximate number of words in one part for Commander. */
const PART = 4096;

/**
 * The options among `words` with their values, unchanged, in parts: response files may have a million, and Commander copies its
 * input.
 */
export function* optionWords(words: readonly string[], options: readonly Option[]): Generator<readonly string[]> {
  let part: string[] = [];
  let next = 0;
  for (const { flag, start, end } of walk(words, options)) {
    if (flag === undefined) continue;
    // A group of short flags stays together with the value after it.
    if (start >= next && part.length >= PART) {
      yield part;
      part = [];
    }
    for (next = Math.max(next, start); next < end; next++) part.push(words[next]!);
  }
  yield part;
}

/** An operand, or an option by its long flag with its value. */
interface Word {
  readonly flag?: string;
  readonly value: string;
  /** Index of the word in which it begins, and of the word after it. */
  readonly start: number;
  readonly end: number;
}

function* walk(words: readonly string[], options: readonly Option[]): Generator<Word> {
  const byFlag = new Map(
    options.flatMap((option) => [option.long, option.short].map((flag) => [flag, option] as const)),
  );
  for (let end = 0; end < words.length;) {
    const start = end;
    const word = words[end++]!;
    const next = (): string => (end < words.length ? words[end++]! : "");
    if (word === "--") {
      while (end < words.length) yield { value: next(), start, end };
    } else if (!word.startsWith("-") || word === "-") yield { value: word, start, end };
    else if (word.startsWith("--")) {
      const [flag, ...values] = word.split("=");
      const takesNext = byFlag.get(flag)?.required === true && values.length === 0;
      const value = takesNext ? next() : values.join("=");
      yield { flag: flag!, value, start, end };
    } else {
      // Short flags may be grouped: "-rl m".
      for (let at = 1; at < word.length; at++) {
        const option = byFlag.get(`-${word[at]}`);
        const flag = option?.long ?? option?.short ?? "-";
        const attached = word.slice(at + 1);
        if (option?.required === true) {
          const value = attached === "" ? next() : attached;
          yield { flag, value, start, end };
          break;
        }
        yield { flag, value: "", start, end };
      }
    }
  }
}
