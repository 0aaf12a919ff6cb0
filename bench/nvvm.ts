// Measures NVVM IR: the speed of reading, verifying and compiling text, and the cost of linking libdevice, in CPU time. For
// comparison, llc 14 on the same file if it is installed.
//
//   node dist/bench/nvvm.js [MEGABYTES] [LIBDEVICE.bc]
//   node dist/bench/nvvm.js FILE.ll...      each file read and verified, in this order

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSink } from "../lib/diag/sink.js";
import { readModule } from "../lib/nvvm/compile-source.js";
import { compileModule } from "../lib/nvvm/compile.js";
import { verifyBody, verifyModule } from "../lib/nvvm/verify/verify.js";
import type { Source } from "../lib/ptx/source-text.js";

const isText = (word: string): boolean => word.endsWith(".ll");
const [
  megabytes = "4",
  library = join(process.env["CUDA_HOME"] ?? "/usr/local/cuda", "nvvm/libdevice/libdevice.10.bc"),
] = process.argv.slice(2).filter((word) => !isText(word));
const files = process.argv.slice(2).filter(isText);
const kernels = new URL("../../testdata/nvvm/kernels/", import.meta.url);
const program = fileURLToPath(new URL("../cli/main.js", import.meta.url));

/** One module with ten kernels as clang -O2 writes them, repeated under different names. */
function manyKernels(bytes: number): string {
  const texts = readdirSync(kernels).map((name) => readFileSync(new URL(name, kernels), "utf8"));
  const head = new Set<string>();
  const body: string[] = [];
  const nodes: string[] = [];
  let length = 0;
  for (let i = 0; length < bytes; i++) {
    let text = texts[i % texts.length]!;
    for (const line of text.match(/^(?:target|declare|%).*$/gm) ?? []) head.add(line);
    text = text.replace(/^(?:target|declare|%|!nvvm|;).*\n/gm, "").replace(/@(k|ta|tb|buffer|bins)\b/g, `@$1${i}`);
    const node = /^!0 = (.*)$/m.exec(text)![1]!;
    nodes.push(`!${i} = ${node}`);
    text = text.replace(/^!0.*\n/gm, "");
    body.push(text);
    length += text.length + node.length + 10;
  }
  const all = `!nvvm.annotations = !{${nodes.map((_, i) => `!${i}`).join(", ")}}`;
  return [...head, ...body, all, ...nodes, ""].join("\n");
}

interface Times {
  readonly first: number;
  readonly median: number;
  readonly best: number;
}

/** Milliseconds of CPU time of the first of that many runs, of the median and of the best. */
function measure(rounds: number, work: () => void): Times {
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  const sorted = times.toSorted((a, b) => a - b);
  return { first: times[0]!, median: sorted[rounds >> 1]!, best: sorted[0]! };
}

function verified(source: Source): void {
  const sink = createSink();
  const module = readModule(source, sink);
  if (module === undefined || !verifyModule(module, {}, sink)) throw new Error(sink.all[0]?.message);
  for (const fn of module.functions) {
    const body = fn.body?.read(sink);
    if (body !== undefined) verifyBody(fn, body, { module }, sink);
  }
  if (sink.errorCount > 0) throw new Error(sink.all[0]!.message);
}

function compiled(source: Source): void {
  const sink = createSink();
  const module = readModule(source, sink);
  if (module === undefined || compileModule(module, {}, sink) === undefined) throw new Error(sink.all[0]?.message);
}

/** Milliseconds of CPU time of a process, the least of that many runs. */
function processTime(rounds: number, words: readonly string[]): number | undefined {
  const times = Array.from({ length: rounds }, () => {
    const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null';
    const { status, stderr } = spawnSync("bash", ["-c", script, "time", ...words], { encoding: "utf8" });
    const [user, system] = stderr.trim().split("\n").at(-1)!.split(" ").map(Number) as [number, number];
    return status === 0 ? (user + system) * 1000 : NaN;
  });
  const least = Math.min(...times);
  return Number.isNaN(least) ? undefined : least;
}

const rate = ({ bytes }: Source, milliseconds: number): string => (bytes.length / 1000 / milliseconds).toFixed(1);
const ratesText = (source: Source, { first, median, best }: Times): string =>
  `${rate(source, first)} MB/s first, ${rate(source, median)} in the median, ${rate(source, best)} at best`;

if (files.length > 0) {
  for (const name of files) {
    const source: Source = { name, bytes: readFileSync(name) };
    console.log(
      `${name}: ${ratesText(
        source,
        measure(15, () => verified(source)),
      )}`,
    );
  }
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), "ptxkit-nvvm-"));
const text = manyKernels(Number(megabytes) * 1e6);
const large = join(folder, "large.ll");
writeFileSync(large, text);
const source: Source = { name: "large.ll", bytes: Buffer.from(text) };
for (const [what, work] of [
  ["read and verified", verified],
  ["compiled to PTX", compiled],
] as const) {
  const times = measure(4, () => work(source));
  console.log(`${(source.bytes.length / 1e6).toFixed(1)} MB of text ${what}: ${ratesText(source, times)}`);
}

const llc = ["llc-14", "-march=nvptx64", "-mcpu=sm_80", "-mattr=+ptx74", "-O0", "-o", "/dev/null"];
const report = (what: string, milliseconds: number | undefined): void =>
  console.log(`${what}: ${milliseconds === undefined ? "no answer" : `${milliseconds.toFixed(0)} ms of CPU`}`);
report(
  "as of the same text, from start of the process",
  processTime(1, [process.execPath, program, "as", large, "-o", join(folder, "large.o")]),
);
report("llc-14 -O0 of the same text", processTime(1, [...llc, large]));
if (existsSync(library)) {
  const caller = join(folder, "caller.ptx");
  writeFileSync(
    caller,
    `.version 7.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) __nv_sinf (.param .b32 x);
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<2>; .reg .b64 %d<2>;
  ld.param.u64 %d0, [p];
  ld.global.b32 %r0, [%d0];
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %r0; call (y), __nv_sinf, (x); ld.param.b32 %r1, [y]; }
  st.global.b32 [%d0], %r1;
  ret;
}
`,
  );
  const image = join(folder, "out.img");
  report("node -e 0", processTime(3, [process.execPath, "-e", "0"]));
  report(
    "link with sinf of libdevice",
    processTime(3, [process.execPath, program, "link", caller, library, "-o", image]),
  );
  report(
    "as of all of libdevice",
    processTime(1, [process.execPath, program, "as", library, "-o", join(folder, "all.o")]),
  );
  report("llc-14 -O0 of libdevice", processTime(1, [...llc, library]));
}
rmSync(folder, { recursive: true });
