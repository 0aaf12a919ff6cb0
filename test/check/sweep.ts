// Damage to every module of testdata: every prefix, and every deletion of one token. A module of n tokens is read some 3n times, so that
// the largest dozen make most of the work: all of it is 6 GB of text and half an hour of CPU time.
//
//   npm run sweep               of each module as many as make 8 MB of text, spread over it: all of most modules, some minutes
//   npm run sweep -- 3/10       the third of ten shares, which together are everything; shares run side by side
//
// Says how far it is: on a terminal all the time, elsewhere at each tenth. test/check/total.test.ts holds a sample.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { deletions, faultOf, prefixes, tokensOf, type Damaged, type Share } from "./damage.js";

/** Bytes of text, damaged modules together, that are read of one module where nobody asks for a share of all. */
const ENOUGH = 8e6;

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));

interface Module {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly share: Share;
  /** Bytes of text that its share makes, nearly. */
  readonly work: number;
}

/** "3/10" as numbers; undefined for everything that is no share. */
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
    // Two prefixes of half the length for each token, and one deletion.
    const all = 2 * tokensOf(bytes).length * bytes.length;
    const step = part?.of ?? Math.max(1, Math.ceil(all / ENOUGH));
    return { name, bytes, share: { first: (at + (part?.which ?? 1) - 1) % step, step }, work: all / step };
  });
}

const total = (all: readonly Module[]): number => all.reduce((sum, { work }) => sum + work, 0);

/** Tells how far it is; `done` of `all` bytes. */
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
