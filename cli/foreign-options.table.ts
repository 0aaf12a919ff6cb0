// Options of other linkers (GNU ld, gold, lld, mold, nvlink) that ptxkit link has under another name, or has not: for the message
// about an option that nobody knows, and for docs/linking.md, "In other linkers' words", which is held to this table.

export interface ForeignOption {
  /** As the other tools have it. */
  readonly there: readonly string[];
  /** Of which tool, where that is no linker of ELF files. */
  readonly of?: string;
  /** What to write here; undefined where it is done anyway, or not at all. */
  readonly here?: readonly string[];
  /** What it asks for is done without an option. */
  readonly isDone?: true;
  readonly why?: string;
}

export const FOREIGN_OPTIONS: readonly ForeignOption[] = [
  { there: ["-Map FILE"], here: ["--map FILE"] },
  { there: ["--print-map"], here: ["--map -"] },
  { there: ["--reproduce", "--repro"], here: ["--save-repro DIR"] },
  { there: ["--fatal-warnings"], here: ["--werror"] },
  { there: ["--no-fatal-warnings"], here: ["-Wno-error"] },
  { there: ["--no-undefined", "-z defs"], isDone: true },
  { there: ["--demangle", "--warn-once"], isDone: true, why: "both names, and one message for each name" },
  { there: ["-dump-callgraph"], of: "nvlink", here: ["--print-call-graph"] },
  { there: ["-preserve-relocs"], of: "nvlink", here: ["--emit-relocs"] },
  { there: ["-suppress-stack-size-warning"], of: "nvlink", here: ["-Wno-unknown-stack"] },
  { there: ["-kernels-used=part"], of: "nvlink", here: ["--gc-sections --kernels-used='*part*'"] },
  { there: ["-dynamic-list", "--dynamic-list", "--version-script", "--retain-symbols-file"], here: ["--export", "--localize"] }, // prettier-ignore
  {
    there: ["--noinhibit-exec"],
    why: "a failed link leaves nothing; --warn-unresolved-symbols and --allow-multiple-definition make warnings of what may be one",
  },
  { there: ["--icf", "--incremental"] },
  {
    there: ["-shared", "-pie", "-rdynamic", "-Bdynamic"],
    why: "a device loads no libraries; an image is whole without an option, -r makes an object for later links",
  },
  { there: ["-static", "-Bstatic", "-no-pie"], isDone: true, why: "an image is whole" },
];

/** ": " and the reason, if there is one. */
const reason = ({ why }: ForeignOption): string => (why === undefined ? "" : `: ${why}`);

/** "--map FILE", or why there is none. */
export const wordsHere = (row: ForeignOption): string =>
  row.here?.join(", ") ?? `${row.isDone === true ? "what is done anyway" : "none"}${reason(row)}`;

/** The option's name without what stands behind it: "-Map" of "-Map=out.map". */
const nameOf = (word: string): string => word.split(/[ =]/)[0]!;

/** What to say to who gave another linker's option; undefined for a word that none has. */
export function foreignHint(word: string): string | undefined {
  const name = nameOf(word);
  const row = FOREIGN_OPTIONS.find(({ there }) => there.some((each) => nameOf(each) === name));
  if (row === undefined) return undefined;
  const theirs = `${name} of ${row.of ?? "other linkers"}`;
  if (row.here !== undefined) return `${theirs} is here ${wordsHere(row)}`;
  return row.isDone === true
    ? `what ${theirs} asks for is done anyway${reason(row)}`
    : `there is nothing like ${theirs}${reason(row)}`;
}
