// How fast PTX text becomes tokens and a tree, against the least that anybody must do: read the file. The text is every
// PTX module of testdata that parses, repeated; run with `node dist/bench/parse.js [MEGABYTES]`.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createSink } from "../lib/diag/sink.js";
import { tokenize } from "../lib/ptx/lexer.js";
import { parseModule } from "../lib/ptx/parse.js";

/** Modules of testdata without a syntax error, the longest first. */
function samples(): Uint8Array[] {
  const names = readdirSync("testdata", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx"));
  return names
    .map((name) => readFileSync(join("testdata", name)))
    .filter((bytes) => {
      const sink = createSink();
      parseModule({ name: "sample", bytes }, sink);
      return sink.errorCount === 0;
    })
    .sort((left, right) => right.length - left.length);
}

/** One module of about `size` bytes: the first sample's header, and the items of all samples over and over. */
function concatenate(parts: readonly Uint8Array[], size: number): Uint8Array {
  const header = Buffer.from(".version 9.0\n.target sm_90\n.address_size 64\n");
  const bodies = parts.map((bytes) => {
    const { items } = parseModule({ name: "sample", bytes }, createSink());
    const first = items.find(({ kind }) => kind !== "version" && kind !== "target" && kind !== "address-size");
    return first === undefined ? new Uint8Array(0) : bytes.subarray(first.start);
  });
  const chunks: Uint8Array[] = [header];
  let length = header.length;
  for (let i = 0; length < size; i++) {
    const body = bodies[i % bodies.length]!;
    chunks.push(body, Buffer.from("\n"));
    length += body.length + 1;
  }
  return Buffer.concat(chunks);
}

/** As many modules as make about `size` bytes: what a linker reads, one after another, keeping none. */
function modules(parts: readonly Uint8Array[], size: number): readonly Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    const part = parts[i % parts.length]!;
    list.push(part);
    length += part.length;
  }
  return list;
}

/** Best of several runs, in milliseconds. */
function best(runs: number, work: () => void): number {
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const before = performance.now();
    work();
    least = Math.min(least, performance.now() - before);
  }
  return least;
}

const megabytes = Number(process.argv[2] ?? 20);
const parts = samples();
const bytes = concatenate(parts, megabytes * 1e6);
const separate = modules(parts, megabytes * 1e6);
const folder = mkdtempSync(join(tmpdir(), "ptxkit-bench-"));
const file = join(folder, "all.ptx");
writeFileSync(file, bytes);
const { tokens, names } = tokenize(bytes);

const reading = best(7, () => readFileSync(file));
const lexing = best(7, () => tokenize(bytes));
const parse = (module: Uint8Array): void => {
  const sink = createSink();
  parseModule({ name: "bench", bytes: module }, sink);
  if (sink.errorCount > 0) throw new Error(sink.all[0]!.message);
};
const parsing = best(5, () => parse(bytes));
const parsingEach = best(5, () => separate.forEach(parse));
rmSync(folder, { recursive: true });

const row = (what: string, time: number): string =>
  `${what.padEnd(24)} ${time.toFixed(1).padStart(8)} ms ${(bytes.length / 1e3 / time).toFixed(0).padStart(6)} MB/s ` +
  `${(time / reading).toFixed(1).padStart(6)} x reading`;
console.log(`${(bytes.length / 1e6).toFixed(1)} MB, ${tokens.count} tokens, ${names.count} names`);
console.log(
  [
    row("reading", reading),
    row("lexing", lexing),
    row("parsing, one module", parsing),
    row(`parsing, ${separate.length} modules`, parsingEach),
  ].join("\n"),
);
