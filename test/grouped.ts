// Runs many files of tests in one process, so that the library and its tables are loaded once, where ava would start a
// process for each file. .ci/tests.mjs writes the groups. Titles begin with the name of their file.
//
// A file imports `test` from ava as usual. Declarations are recorded until the last file has been loaded, because ava
// starts with those that the first file has made. Hooks for each test would also run for tests of other files, so they
// are refused.

import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import v8 from "node:v8";
import threads from "node:worker_threads";
import type { ExecutionContext } from "ava";

const root = fileURLToPath(new URL("../../", import.meta.url));

type Body = (t: ExecutionContext, ...rest: readonly unknown[]) => unknown;
/** `test`, and the functions on it, such as `serial` and `after.always`. */
interface Chain {
  (...args: readonly unknown[]): void;
  readonly [name: string]: Chain;
}
interface Declared {
  readonly file: string;
  readonly words: readonly string[];
  readonly args: readonly unknown[];
}

/**
 * Log of times, with a line for each test: file, title and CPU seconds, including child processes; see .ci/tests.mjs.
 */
const times = process.env["PTXKIT_TEST_TIMES"];

/** User and system time of this process and its ended children, in seconds. Linux only: reads /proc. */
function cpuSeconds(): number {
  const text = readFileSync("/proc/self/stat", "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
}

function note(file: string, title: string, started: number): void {
  appendFileSync(times!, `${JSON.stringify({ file, title, seconds: cpuSeconds() - started })}\n`);
}

const timed =
  (file: string, title: string, body: Body): Body =>
  async (t, ...rest) => {
    const started = cpuSeconds();
    try {
      await body(t, ...rest);
    } finally {
      note(file, title, started);
    }
  };

/** The state that ava's entry point uses for files that import ava. */
function worker(): { readonly refs: { runnerChain: Chain } } {
  const require = createRequire(import.meta.url);
  const ava = path.join(path.dirname(require.resolve("ava")), "..");
  return require(path.join(ava, "lib/worker/state.cjs")) as ReturnType<typeof worker>;
}

const bundle = new URL("../bundle/", import.meta.url);
const changed = (file: URL): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Starts threads from their bundles, if those are up to date (.ci/bundle.mjs): a thread would otherwise load several
 * hundred modules in a second, and tests start hundreds of threads. Source maps are not read there either.
 */
function startThreadsSoon(): void {
  if (changed(new URL("program.cjs", bundle)) < changed(new URL("../.tsbuildinfo", import.meta.url))) return;
  const { Worker } = threads;
  class BundledWorker extends Worker {
    constructor(file: string | URL, options: threads.WorkerOptions = {}) {
      const bundled = new URL(path.basename(String(file)), bundle);
      super(options.eval !== true && existsSync(bundled) ? bundled : file, { execArgv: [], ...options });
    }
  }
  threads.Worker = BundledWorker;
  syncBuiltinESMExports();
}

/**
 * Commands set V8's optimisation thresholds while they run, and reset them to V8's defaults afterwards
 * (cli/base/engine.ts). Here that must not undo the thresholds given to the process (.ci/tests.mjs).
 */
function keepThresholds(): void {
  const set = v8.setFlagsFromString;
  v8.setFlagsFromString = (flag) => {
    if (!/=\d+$/.test(flag)) set(flag);
  };
  syncBuiltinESMExports();
}

/** Runs the tests of these files, in this order. Names are those of the sources, relative to the checkout's root. */
export async function runTogether(files: readonly string[]): Promise<void> {
  // Reading source maps of a thousand modules takes longer than reading the modules; `npx ava FILE` has them.
  process.setSourceMapsEnabled(false);
  startThreadsSoon();
  keepThresholds();
  const { refs } = worker();
  const real = refs.runnerChain;
  const declared: Declared[] = [];
  let file = "";
  const recorder = (words: readonly string[]): Chain =>
    new Proxy((() => {}) as unknown as Chain, {
      get: (_, word: string) => (word === "meta" || word === "macro" ? real[word] : recorder([...words, word])),
      apply(_, __, args: readonly unknown[]) {
        if (/^(?:before|after)Each$/.test(words[0] ?? "")) throw new Error(`${file}: no hooks of each test`);
        declared.push({ file, words, args });
      },
    });
  refs.runnerChain = recorder([]);
  for (file of files) {
    const started = times === undefined ? 0 : cpuSeconds();
    await import(path.posix.join(root, "dist", file.replace(/ts$/, "js")));
    if (times !== undefined) note(file, "loading", started);
  }
  for (const { file, words, args } of declared) {
    const name = file.replace(/^test\/|\.test\.ts$/g, "");
    const [title, body, ...rest] = args;
    // One at a time: a test that waits would otherwise wait for those of other files, too.
    const isOrdered = words[0] === "serial" || words[0] === "before" || words[0] === "after";
    const declare = (isOrdered ? words : ["serial", ...words]).reduce((chain, word) => chain[word]!, real);
    if (typeof title !== "string") declare(...args);
    else if (times === undefined || typeof body !== "function") declare(`${name} › ${title}`, ...args.slice(1));
    else declare(`${name} › ${title}`, timed(file, title, body as Body), ...rest);
  }
}
