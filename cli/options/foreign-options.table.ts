// Options of other linkers (GNU ld, gold, lld, mold, nvlink) that ptxkit link spells differently or lacks. Exact equivalents are accepted,
// so existing build scripts work; for the others, the unknown-option error suggests a replacement. A test compares docs/linking.md,
// "Options of other linkers", with this table.

export interface ForeignOption {
  /** The spellings of other tools. */
  readonly there: readonly string[];
  /** The tool, if it is not a linker of ELF files. */
  readonly of?: string;
  /** The equivalent option here; undefined if it is the default, or unsupported. */
  readonly here?: readonly string[];
  /** Whether the option is accepted: `here` replaces it unchanged. */
  readonly isTaken?: true;
  /** Whether it is the default behaviour here, so that the option is ignored. */
  readonly isDone?: true;
  readonly why?: string;
}

export const FOREIGN_OPTIONS: readonly ForeignOption[] = [
  { there: ["-Map FILE", "--Map FILE"], here: ["--map FILE"], isTaken: true },
  { there: ["--print-map"], here: ["--map -"], isTaken: true },
  { there: ["--fatal-warnings"], here: ["--werror"], isTaken: true },
  { there: ["--no-fatal-warnings"], here: ["-Wno-error"], isTaken: true },
  { there: ["-arch sm_80"], of: "nvlink", here: ["--arch sm_80"], isTaken: true },
  { there: ["-suppress-debug-info"], of: "nvlink", here: ["--strip-debug"], isTaken: true },
  { there: ["-dump-callgraph"], of: "nvlink", here: ["--print-call-graph"], isTaken: true },
  { there: ["-preserve-relocs"], of: "nvlink", here: ["--emit-relocs"], isTaken: true },
  { there: ["-suppress-stack-size-warning"], of: "nvlink", here: ["-Wno-unknown-stack"], isTaken: true },
  { there: ["--no-undefined", "-z defs"], isDone: true },
  { there: ["--demangle", "--warn-once"], isDone: true, why: "messages show both names, and report each name once" },
  { there: ["-static", "-Bstatic", "-no-pie"], isDone: true, why: "images are always statically linked" },
  {
    there: ["--build-id=sha1", "--build-id=sha256", "--build-id=tree", "--build-id=fast", "--build-id=md5"],
    here: ["--build-id"],
    isTaken: true,
    why: "there is one kind of hash, of 20 bytes",
  },
  { there: ["--build-id=none"], here: ["--no-build-id"], isTaken: true },
  {
    there: ["--build-id=uuid", "--build-id=0x..."],
    why: "an ID is a hash of the contents, so that the same inputs make the same image",
  },
  // Response files are expanded before options are parsed (response-file.ts).
  { there: ["-optf FILE", "--options-file FILE"], of: "nvlink", here: ["@FILE"], isTaken: true },
  { there: ["--reproduce", "--repro"], here: ["--save-repro DIR"] },
  { there: ["-kernels-used=..."], of: "nvlink", here: ["--gc-sections --kernels-used='*part*'"] },
  { there: ["-variables-used=..."], of: "nvlink", here: ["--gc-sections --no-keep-exports --variables-used='*part*'"] },
  { there: ["-time FILE"], of: "nvlink", here: ["--time-trace FILE"] },
  { there: ["-w", "--disable-warnings"], of: "nvlink", here: ["-Wno-CODE"] },
  { there: ["-v", "-verbose", "--verbose"], here: ["--trace", "--print-memory-usage", "--stats"] },
  { there: ["-dynamic-list", "--dynamic-list", "--version-script", "--retain-symbols-file"], here: ["--export", "--localize"] }, // prettier-ignore
  {
    there: ["--noinhibit-exec"],
    why: "a failed link writes no output; --warn-unresolved-symbols and --allow-multiple-definition turn these errors into warnings",
  },
  { there: ["--icf", "--incremental"] },
  {
    there: ["-shared", "-pie", "-rdynamic", "-Bdynamic"],
    why: "a device loads no libraries; images are always statically linked, and -r writes an object for later links",
  },
];

/** ": " and the reason, if there is one. */
const reason = ({ why }: ForeignOption): string => (why === undefined ? "" : `: ${why}`);

/** "--map FILE", or the reason why there is no equivalent. */
export const wordsHere = (row: ForeignOption): string =>
  row.here?.join(", ") ?? `${row.isDone === true ? "the default" : "none"}${reason(row)}`;

/** The option's name without its value: "-Map" of "-Map=out.map". */
const nameOf = (word: string): string => /^[^ =]*/.exec(word)![0];

/**
 * Whether a word is that option: "-Map=out.map" matches "-Map FILE", and "--icf=all" matches "--icf"; dots after `=` match any
 * value.
 */
function matchesSpelling(there: string, word: string): boolean {
  if (there.endsWith("...")) return word.startsWith(there.slice(0, -3));
  return there.includes("=") ? there === word : nameOf(there) === nameOf(word);
}

/** The hint for another linker's option; undefined for other words. */
export function foreignHint(word: string): string | undefined {
  const name = nameOf(word);
  const row = FOREIGN_OPTIONS.find(({ there }) => there.some((each) => matchesSpelling(each, word)));
  if (row === undefined) return undefined;
  const theirs = `${name} of ${row.of ?? "other linkers"}`;
  return row.here === undefined ? `${theirs} has no equivalent${reason(row)}` : `use ${wordsHere(row)} for ${theirs}`;
}

/** Accepted options, each with its next word if that belongs to it ("-z defs"), and their replacements. */
const taken = FOREIGN_OPTIONS.filter(({ isTaken, isDone }) => isTaken === true || isDone === true).flatMap((row) =>
  row.there.map((there) => {
    const [name, next] = there.split(" ") as [string, string | undefined];
    const ours = row.here?.[0]!.split(" ") ?? [];
    const isValue = next !== undefined && ours[1] === next;
    return isValue ? { name, ours: ours.slice(0, 1) } : { name, next, ours };
  }),
);

const takenNames: ReadonlySet<string> = new Set(taken.map(({ name }) => nameOf(name)));

const mayBeTaken = (word: string): boolean => word.startsWith("-") && takenNames.has(nameOf(word));

/**
 * Replaces other linkers' options among the arguments of link. A value that looks like such an option has to be joined to its own
 * option (`--wrap=-static`).
 */
export function translateOptions(words: readonly string[]): readonly string[] {
  // Fast path: nearly all of a million words are files and ptxkit's own options.
  if (!words.some(mayBeTaken)) return words;
  const ours: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!mayBeTaken(word)) {
      ours.push(word);
      continue;
    }
    const found = taken.find(
      (each) => matchesSpelling(each.name, word) && (each.next === undefined || each.next === words[i + 1]),
    );
    const value = found === undefined || found.name === word ? [] : word.split(/(?==)/).slice(1);
    if (found === undefined || (value.length > 0 && found.ours.length !== 1)) ours.push(word);
    else {
      ours.push(...found.ours.map((each) => each + value.join("")));
      if (found.next !== undefined) i++;
    }
  }
  return ours;
}
