// npm run oracle:wild -- FOLDER...: the checker against live ptxas on PTX that nobody here wrote: every PTX file under the
// folders, whoever made it. Nothing of such files is committed; docs/numbers.md says what was run against.
//
//   node dist/test/oracle/wild.js FOLDER... --cache DIR [--sample N] [--limit N] [--show N]
//
// A file is refused by ptxas when it is refused both with -c and without, for the module's own target, sm_75 at least.
// --sample N takes N of the accepted files through print, object, text and link as well (round-trip.ts); --limit N takes N
// files of each folder's sub-folders at most, by content hash, so that the same ones come every time. --cache remembers
// ptxas's verdicts. Prints what disagrees, grouped by what the refusing side says; fails below 99.5 % of agreement, and when
// a round trip fails.

import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { errorsOf, grouped } from "./ours.js";
import { openPtxas, type PtxasVerdict } from "./ptxas.js";
import { roundTrip } from "./round-trip.js";
import { filesUnder, type WildFile } from "./wild-files.js";

const wanted = 0.995;

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: "string", default: join(tmpdir(), "ptxkit-wild") },
    sample: { type: "string", default: "0" },
    limit: { type: "string", default: "Infinity" },
    show: { type: "string", default: "3" },
  },
});

/** Map.groupBy, which Node 20 lacks. */
function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Distinct files, at most `limit` of each source. */
function chosen(limit: number): readonly WildFile[] {
  const distinct = new Map(folders.flatMap(filesUnder).map((file) => [file.hash, file]));
  const bySource = groupBy([...distinct.values()], ({ source }) => source);
  return [...bySource.values()].flatMap((files) => files.sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, limit));
}

/** Errors, or the defect that the checker ran into. */
function askOurs({ text }: WildFile): readonly Diagnostic[] | Error {
  try {
    return errorsOf(text);
  } catch (error) {
    return error as Error;
  }
}

interface Disagreement {
  readonly file: WildFile;
  readonly cause: string;
  readonly says: string;
  readonly line: number;
}

function disagreement(file: WildFile, theirs: PtxasVerdict): Disagreement | undefined {
  const ours = askOurs(file);
  if (ours instanceof Error)
    return { file, cause: `a defect: ${grouped(ours.message)}`, says: ours.stack ?? ours.message, line: 0 };
  if (theirs.accepted === (ours.length === 0)) return undefined;
  const [first] = ours;
  if (first === undefined) {
    const says = theirs.says ?? "";
    return { file, cause: `only ptxas refuses: ${grouped(says)}`, says, line: theirs.line ?? 0 };
  }
  const line = first.place?.kind === "text" ? first.place.line : 0;
  return { file, cause: `only we refuse: ${grouped(first.message)}`, says: first.message, line };
}

function showGroups(title: string, found: readonly Disagreement[]): void {
  const groups = groupBy(found, ({ cause }) => cause);
  for (const [cause, members] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${String(members.length).padStart(5)}  ${title}${cause}`);
    for (const { file, says, line } of members.slice(0, Number(options.show))) {
      console.log(`         ${file.path}:${line}: ${(file.text.split("\n")[line - 1] ?? "").trim().slice(0, 160)}`);
      console.log(`             ${says.split("\n").slice(0, 4).join("\n             ")}`);
    }
  }
}

if (folders.length === 0) throw new Error("name the folders of PTX files");
const ptxas = openPtxas(options.cache);
const files = chosen(Number(options.limit));
const perSource = new Map<string, { files: number; accepted: number; agree: number }>();
const found: Disagreement[] = [];
const both: { readonly file: WildFile; readonly mode: "separate" | "whole" }[] = [];
let crashes = 0;
for (const file of files) {
  const theirs = ptxas.ask(file.text);
  if (theirs === "crash") {
    crashes++;
    continue;
  }
  const differs = disagreement(file, theirs);
  const count = perSource.get(file.source) ?? { files: 0, accepted: 0, agree: 0 };
  perSource.set(file.source, count);
  count.files++;
  if (theirs.accepted) count.accepted++;
  if (differs === undefined) count.agree++;
  else found.push(differs);
  if (differs === undefined && theirs.accepted) both.push({ file, mode: theirs.mode! });
}

const trips = both.sort((a, b) => (a.file.hash < b.file.hash ? -1 : 1)).slice(0, Number(options.sample));
const failed = trips.flatMap(({ file, mode }) =>
  roundTrip(file.text, mode, ptxas).map(({ step, says }) => ({
    file,
    cause: `${step}: ${grouped(says)}`,
    says,
    line: 0,
  })),
);

ptxas.close();
showGroups("", found);
showGroups("round trip, ", failed);
console.log(`\n${"source".padEnd(40)}  files  accepted  agree`);
for (const [source, { files: n, accepted, agree }] of [...perSource].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(
    `${source.padEnd(40)}${String(n).padStart(7)}${String(accepted).padStart(10)}${String(agree).padStart(7)}`,
  );
const judged = files.length - crashes;
const agreement = judged === 0 ? 0 : (judged - found.length) / judged;
console.log(
  `${judged} files, ${both.length} accepted by both, ${found.length} judged otherwise: ${(100 * agreement).toFixed(2)} % agree; ` +
    `ptxas came to no end with ${crashes}`,
);
if (trips.length > 0)
  console.log(`${trips.length} accepted files through print, object, text and link: ${failed.length} faults`);
process.exitCode = agreement >= wanted && failed.length === 0 ? 0 : 1;
