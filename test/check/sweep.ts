// Checks damaged modules of testdata: every prefix, and every deletion of one token. A module of n tokens is read about
// 3n times, so the largest dozen take most of the time: all of it is 6 GB of text and half an hour of CPU time.
//
// npm run sweep checks 8 MB of text for each module, which is all of most modules, in some minutes.
//
// npm run sweep -- 3/10 checks the third of ten shares, which together are everything, and may run side by side.
//
// Prints its progress: on a terminal continuously, otherwise at each tenth. test/check/total.test.ts takes a sample.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { deletions, faultOf, prefixes, tokensOf, type Damaged, type Share } from "./damage.js";

/** Bytes of damaged text that are read for one module, without a share. */
const ENOUGH = 8e6;

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));

interface Module {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly share: Share;
  /** Approximate bytes of text in its share. */
  readonly work: number;
}

/** "3/10" as numbers; undefined if it is no share. */
function parseShare(text: string): { readonly which: number; readonly of: number } | undefined {
  const [, which, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  return which === undefined || of === undefined || which < 1 || which > of ? undefined : { which, of };
}

function modules(part: ReturnType<typeof parseShare>): readonly Module[] {
  const names = readdirSync(testdata, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ptx") && !name.startsWith("hostile"))
    .sort();
  return names.map((name, at) => {
    const bytes = readFileSync(path.join(testdata, name));
    // For each token two prefixes of half the length on average, and one deletion.
    const all = 2 * tokensOf(bytes).length * bytes.length;
    const step = part?.of ?? Math.max(1, Math.ceil(all / ENOUGH));
    return { name, bytes, share: { first: (at + (part?.which ?? 1) - 1) % step, step }, work: all / step };
  });
}

const total = (all: readonly Module[]): number => all.reduce((sum, { work }) => sum + work, 0);

/** Prints the progress: `done` of `all` bytes. */
function createProgress(all: number): (done: number, name: string) => void {
  const { isTTY } = process.stderr;
  let told = 0;
  return (done, name) => {
    const now = performance.now();
    const part = Math.min(1, done / all);
    const line = `${Math.floor(100 * part)} %, ${Math.ceil((now * (1 - part)) / part / 1000)} s left`;
    if (isTTY && now - told > 100) {
      told = now;
      process.stderr.write(`\r\u001b[K${line}: ${name}`);
    } else if (!isTTY && Math.floor(10 * part) > told) {
      told = Math.floor(10 * part);
      process.stderr.write(`${line}\n`);
    }
  };
}

function answerOf(damaged: Damaged): string | undefined {
  try {
    return faultOf(damaged);
  } catch (error) {
    return String(error);
  }
}

function sweep(all: readonly Module[]): number {
  const progress = createProgress(total(all));
  let answered = 0;
  let wrong = 0;
  let read = 0;
  for (const { name, bytes, share } of all)
    for (const damage of [prefixes, deletions])
      for (const damaged of damage(bytes, share)) {
        answered++;
        read += damaged.bytes.length;
        progress(read, name);
        const fault = answerOf(damaged);
        if (fault === undefined) continue;
        wrong++;
        console.log(`${name}, ${damaged.what}: ${fault}`);
      }
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const sampled = all.filter(({ share }) => share.step > 1).length;
  console.log(
    `${all.length} modules, of ${sampled} a share; ${answered} damaged ones, ${(read / 1e6).toFixed(0)} MB, ` +
      `${wrong} without a good answer`,
  );
  return wrong;
}

const [word] = process.argv.slice(2);
const part = word === undefined ? undefined : parseShare(word);
if (word !== undefined && part === undefined) {
  console.error(`${word} is not a share: 3/10 is the third of ten`);
  process.exitCode = 2;
} else process.exitCode = sweep(modules(part)) === 0 ? 0 : 1;
