// Options of readelf and cuobjdump that ptxkit inspect spells differently, so that existing scripts work. Options that inspect
// spells the same way (-S -s -r -x of readelf) need no row. A test compares docs/cli.md, "Options of readelf and cuobjdump", with
// this table.

import { UsageError } from "../base/status.js";

export interface InspectWord {
  /** The spellings in readelf or cuobjdump. */
  readonly there: readonly string[];
  readonly of: "readelf" | "cuobjdump";
  /** Name of the option's argument: the next word, or the text after `=`. */
  readonly value?: string;
  /** The equivalent arguments of ptxkit inspect; VALUE is replaced by the argument. Undefined if there is no equivalent. */
  readonly here?: readonly string[];
  /** Why there is no equivalent, or how it differs. */
  readonly why?: string;
  /** The remedy. */
  readonly remedy?: string;
}

export const INSPECT_WORDS: readonly InspectWord[] = [
  { there: ["--file-header"], of: "readelf", here: ["--header"] },
  { there: ["-l", "--program-headers", "--segments"], of: "readelf", here: ["--header"] },
  { there: ["-e", "--headers"], of: "readelf", here: ["--header", "--sections"] },
  { there: ["--section-headers"], of: "readelf", here: ["--sections"] },
  { there: ["--syms"], of: "readelf", here: ["--symbols"] },
  { there: ["--relocs"], of: "readelf", here: ["--relocations"] },
  { there: ["-n", "--notes"], of: "readelf", here: ["--info"] },
  { there: ["--hex-dump"], of: "readelf", value: "SECTION", here: ["--hex", "VALUE"] },
  {
    there: ["-a", "--all"],
    of: "readelf",
    here: ["--header", "--sections", "--symbols", "--relocations", "--info"],
  },
  { there: ["-lelf", "--list-elf"], of: "cuobjdump", here: ["--list", "--kind", "cubin"] },
  { there: ["-lptx", "--list-ptx"], of: "cuobjdump", here: ["--list", "--kind", "ptx"] },
  {
    there: ["-xelf", "--extract-elf"],
    of: "cuobjdump",
    value: "PART",
    here: ["--extract", ".", "--kind", "cubin", "--match", "VALUE"],
    why: "of `all` without `--match`",
  },
  {
    there: ["-xptx", "--extract-ptx"],
    of: "cuobjdump",
    value: "PART",
    here: ["--extract", ".", "--kind", "ptx", "--match", "VALUE"],
    why: "of `all` without `--match`",
  },
  { there: ["-ptx", "--dump-ptx"], of: "cuobjdump", here: ["--kind", "ptx", "--disassemble"] },
  {
    there: ["-elf", "--dump-elf"],
    of: "cuobjdump",
    here: ["--kind", "cubin", "--header", "--sections", "--symbols", "--relocations", "--info"],
  },
  { there: ["-symbols", "--dump-elf-symbols"], of: "cuobjdump", here: ["--kind", "cubin", "--symbols"] },
  { there: ["-res-usage", "--dump-resource-usage"], of: "cuobjdump", here: ["--resource-usage"] },
  { there: ["-arch", "--gpu-architecture"], of: "cuobjdump", value: "sm_90", here: ["--arch", "VALUE"] },
  { there: ["-fun"], of: "cuobjdump", value: "NAME", here: ["--function", "VALUE"] },
  { there: ["-all", "--all-fatbin"], of: "cuobjdump", here: [], why: "the default" },
  {
    there: ["-sass", "--dump-sass"],
    of: "cuobjdump",
    why: "machine code (SASS) has no public encoding and is not disassembled",
    remedy: "use cuobjdump -sass or nvdisasm of the CUDA toolkit; -ptx here shows the PTX",
  },
];

const byWord: ReadonlyMap<string, InspectWord> = new Map(
  INSPECT_WORDS.flatMap((row) => row.there.map((word) => [word, row] as const)),
);

/** Splits a word at `=` into name and joined value: "-arch=sm_90". */
function splitWord(word: string): { readonly name: string; readonly joined?: string } {
  const at = word.indexOf("=");
  return at < 0 ? { name: word } : { name: word.slice(0, at), joined: word.slice(at + 1) };
}

/** Replaces options of readelf and cuobjdump by their equivalents. Throws UsageError for an option without one. */
export function translateInspectOptions(words: readonly string[]): readonly string[] {
  const ours: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") return [...ours, ...words.slice(i)];
    const { name, joined } = splitWord(word);
    const row = byWord.get(name);
    if (row === undefined || (joined !== undefined && row.value === undefined)) {
      ours.push(word);
      continue;
    }
    const { here, why, remedy } = row;
    if (here === undefined) throw new UsageError(`${word}: ${why}`, remedy);
    if (row.value === undefined) ours.push(...here);
    else {
      const value = joined ?? words[++i];
      if (value === undefined) throw new UsageError(`${word} needs a value: ${name} ${row.value}`);
      ours.push(...withValue(here, value));
    }
  }
  return withoutRepeats(ours);
}

/** Inserts the argument of an option; "all" selects everything. */
function withValue(here: readonly string[], value: string): readonly string[] {
  const isAll = value === "all" && here.includes("--match");
  const kept = isAll ? here.slice(0, here.indexOf("--match")) : here;
  return kept.map((word) => (word === "VALUE" ? value : word));
}

/** Drops --kind if the words select different kinds: two such options of cuobjdump select both. */
function withoutRepeats(words: readonly string[]): readonly string[] {
  const kinds = new Set(words.flatMap((word, i) => (words[i - 1] === "--kind" ? [word] : [])));
  if (kinds.size < 2) return words;
  return words.filter((word, i) => word !== "--kind" && words[i - 1] !== "--kind");
}

/** The equivalent as text, "`--list --kind cubin`", with the difference if there is one; or why there is none. */
export function wordsOf({ here, value, why }: InspectWord): string {
  if (here === undefined) return `none: ${why}`;
  const text = here.map((word) => (word === "VALUE" ? value! : word)).join(" ");
  return [text === "" ? "" : `\`${text}\``, ...(why === undefined ? [] : [why])].filter(Boolean).join("; ");
}

/** Width of a line of help, in characters. */
const HELP_WIDTH = 100;

/** The section of these options in the help of inspect. */
export function inspectWordsHelp(): string {
  const of = (tool: InspectWord["of"], first: readonly string[]): string => {
    const words = INSPECT_WORDS.filter((row) => row.of === tool && row.here !== undefined).map(
      ({ there, value }) => `${there[0]}${value === undefined ? "" : ` ${value}`}`,
    );
    return wrapped(`  ${tool}: `, [...first, ...words]);
  };
  return `\nOptions of other tools:\n${of("readelf", ["-S", "-s", "-r", "-x SECTION"])}\n${of("cuobjdump", [])}`;
}

/** `head`, then the words separated by commas; continuation lines are indented by the width of `head`. */
function wrapped(head: string, words: readonly string[]): string {
  const lines = [head];
  words.forEach((word, i) => {
    const next = `${word}${i + 1 < words.length ? ", " : ""}`;
    const isFull = lines.at(-1)!.length + next.trimEnd().length > HELP_WIDTH;
    if (isFull) lines.push(" ".repeat(head.length) + next);
    else lines[lines.length - 1] += next;
  });
  return lines.map((line) => line.trimEnd()).join("\n");
}
