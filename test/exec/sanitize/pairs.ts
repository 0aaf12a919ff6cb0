// Reads the expectations in the planted programs of testdata/sanitize, and runs one of them with the sanitizer.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { shortLaunch } from "../../../cli/run/launch-arguments.js";
import { renderText } from "../../../lib/diag/render-text.js";
import { createSink } from "../../../lib/diag/sink.js";
import type { Finding } from "../../../lib/exec/sanitize/finding.js";
import type { EngineName } from "../../../lib/exec/state/launch.js";
import { assembleInput } from "../../../lib/link/inputs/open-input.js";
import { linkObjects } from "../../../lib/link/link-objects.js";
import type { LaunchSpec } from "../../../lib/load/launch-spec.js";
import { loadImage } from "../../../lib/load/load.js";
import { runSpec, type RunReport } from "../../../lib/report/run.js";

const folder = fileURLToPath(new URL("../../../../testdata/sanitize/", import.meta.url));

const filesIn = (inside: string): readonly string[] =>
  readdirSync(path.join(folder, inside))
    .filter((name) => name.endsWith(".cu"))
    .map((name) => `${inside}${name.slice(0, -3)}`);

export const pairFiles: readonly string[] = filesIn("");
/** Programs modelled on public reports, whose addresses are in their comments. */
export const reportFiles: readonly string[] = filesIn("reports/");

/** A finding that a line expects. */
export interface Expected {
  readonly kind: string;
  readonly space: string | undefined;
  readonly line: number;
}

export interface Pair {
  readonly file: string;
  readonly name: string;
  readonly grid: string;
  readonly block: string;
  readonly words: readonly string[];
  readonly expected: readonly Expected[];
  /** The comment above it: for a report its address and the error. */
  readonly about: readonly string[];
}

export function pairsOf(file: string): readonly Pair[] {
  const lines = readFileSync(path.join(folder, `${file}.cu`), "utf8").split("\n");
  const heads = lines.flatMap((line, i) => (line.startsWith("//@ ") ? [i] : []));
  return heads.map((start, k) => {
    const [name = "", grid = "1", block = "1", ...words] = lines[start]!.slice(4).split(" ");
    const expected = lines.slice(start, heads[k + 1]).flatMap((line, i) =>
      [...line.matchAll(/finds (\S+)(?: (\w+))?/g)].map(([, kind, space]): Expected => ({
        kind: kind!,
        space,
        line: start + i + 1,
      })),
    );
    const about: string[] = [];
    for (let at = start - 1; lines[at]?.startsWith("// ") === true; at--) about.unshift(lines[at]!.slice(3));
    return { file, name, grid, block, words, expected, about };
  });
}

const images = new Map<string, ReturnType<typeof linkObjects>>();

function imageOf(file: string) {
  const known = images.get(file);
  if (known !== undefined) return known;
  const sink = createSink();
  const input = assembleInput({ name: `${file}.ptx`, bytes: readFileSync(path.join(folder, `${file}.ptx`)) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], { wholeProgram: true }, sink) : undefined;
  if (image === undefined) throw new Error(renderText(sink.all));
  images.set(file, image);
  return image;
}

/** Whether the word is an argument, rather than an option of the launch. */
const isArgument = (word: string): boolean => /^[usbf]\d+[[=]/.test(word);

/** Runs the faulty kernel of a pair, or the correct one. */
export async function runPair(
  { file, name, grid, block, words }: Pair,
  isBad: boolean,
  engine: EngineName = "fast",
): Promise<RunReport<never>> {
  const process = loadImage(imageOf(file)!);
  const kernel = [...process.kernels.keys()].find((each) =>
    each.startsWith(`_Z${name.length}${name}ILb${isBad ? 1 : 0}E`),
  );
  const options = new Map(words.filter((word) => !isArgument(word)).map((word) => word.split("=") as [string, string]));
  const short = shortLaunch(
    {
      kernel: kernel!,
      grid,
      block,
      sharedBytes: Number(options.get("shared") ?? 0),
      cooperative: false,
      arguments: words.filter(isArgument),
    },
    () => new Uint8Array(),
  );
  const undefinedName = options.has("undefined") ? `arg${options.get("undefined")}` : undefined;
  const spec: LaunchSpec = {
    ...short,
    buffers: new Map(
      [...short.buffers].map(([key, data]) => [key, key === undefinedName ? { ...data, undefined: true } : data]),
    ),
    launches: short.launches.map((launch) => ({ ...launch, cluster: [Number(options.get("cluster") ?? 1), 1, 1] })),
  };
  const sink = createSink();
  const report = await runSpec<never>(process, spec, sink, { sanitize: {}, maxInstructions: 1_000_000, engine });
  if (report === undefined) throw new Error(renderText(sink.all));
  return report;
}

/** Lines of a finding: of both accesses, and of the calls at which their functions are inlined. */
export const linesOf = (finding: Finding): readonly number[] =>
  [finding, finding.other].flatMap((party) =>
    party === undefined ? [] : [party.line, ...(party.inlinedAt ?? []).map(({ line }) => line)],
  );
