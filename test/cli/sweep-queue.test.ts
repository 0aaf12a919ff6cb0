// Sweeps over several processes, through a PostgreSQL server that the test starts.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test, { type ExecutionContext } from "ava";
import { openQueue, queueTimes, type SweepQueue } from "../../cli/sweep/queue.js";
import { sweepOverQueue } from "../../cli/sweep/gather.js";
import { serveQueue } from "../../cli/sweep/serve.js";
import type { SweepPlan } from "../../cli/sweep/local.js";
import { nodeHost } from "../../cli/files/host.js";
import { createSweepProgram, gatherWork } from "../../cli/sweep/work.js";
import { pointsOf, readSweep } from "../../lib/report/sweep/sweep-spec.js";
import { hasPostgres, startPostgres, type Postgres } from "../postgres.js";
import { testWith } from "../tools.js";
import { ptxkit, type Answer } from "./surroundings.js";

const folder = fileURLToPath(new URL("../../../testdata/walk/", import.meta.url));
const program = fileURLToPath(new URL("../../cli/main.js", import.meta.url));

let server: Promise<Postgres> | undefined;
let count = 0;

/** A database of its own. */
async function database(): Promise<{ readonly url: string; readonly queue: SweepQueue }> {
  server ??= startPostgres();
  const { url: first } = await server;
  const admin = await openQueue(first, nodeHost());
  const name = `d${++count}`;
  await admin.query(`create database ${name}`);
  await admin.close();
  const url = first.replace(/[^/]*$/, name);
  return { url, queue: await openQueue(url, nodeHost()) };
}

test.after.always(async () => (await server)?.stop());

/** A worker in a process of its own, in a folder without files. It is killed when the test ends. */
function startWorker(t: ExecutionContext, url: string, ...more: readonly string[]): ChildProcess {
  const empty = mkdtempSync(path.join(tmpdir(), "ptxkit-worker-"));
  const child = spawn(process.execPath, [program, "sweep", "--worker", "--queue", url, "-j", "1", ...more], {
    cwd: empty,
    stdio: "ignore",
  });
  t.teardown(() => {
    child.kill("SIGKILL");
    rmSync(empty, { recursive: true, force: true });
  });
  return child;
}

const sweepOf = (words: string, files?: Readonly<Record<string, string>>): Promise<Answer> =>
  ptxkit(["sweep", ...words.split(" ")], { folder, ...(files === undefined ? {} : { files }) });

/** Resolves once the condition holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const lockedJobs = (queue: SweepQueue): Promise<readonly unknown[]> =>
  queue.query("select 1 from ptxkit_jobs.jobs where locked_at is not null");

test("options that cannot be combined are refused", async (t) => {
  for (const [words, problem] of [
    ["--worker", /--worker needs --queue/],
    ["sweep.json --worker --queue postgres://x/y", /--worker takes no specification/],
    ["--queue postgres://x/y", /the specification is missing/],
    ["sweep.json --drain", /--drain is for --worker/],
    ["sweep.json --queue redis://x", /the URL of a PostgreSQL database is expected/],
    ["sweep.json --queue postgres://user:secret@127.0.0.1:1/y", /the database cannot be used: .*ECONNREFUSED/],
  ] as const) {
    const { status, err } = await sweepOf(words);
    t.is(status, 2, words);
    t.regex(err, problem);
    t.notRegex(err, /secret/);
  }
});

testWith(hasPostgres)("two workers without files give what threads give, and the database keeps it", async (t) => {
  const { url, queue } = await database();
  const local = await sweepOf("sweep.json -j 1");
  const workers = [startWorker(t, url), startWorker(t, url)];
  const first = await sweepOf(`sweep.json --queue ${url}`);
  t.is(first.status, 0, first.err);
  t.is(first.out, local.out);
  t.deepEqual(await queue.query("select 1 from ptxkit_jobs.jobs"), []);
  for (const worker of workers) worker.kill("SIGTERM");
  t.deepEqual(await Promise.all(workers.map(async (worker) => (await once(worker, "exit"))[0] as unknown)), [0, 0]);
  t.deepEqual(await queue.query("select 1 from ptxkit_sweep.workers"), []);
  // Without a worker, because the database has all results.
  const again = await sweepOf(`sweep.json --queue ${url} -o out.csv`);
  t.regex(again.err, /8 of 8 runs are in the queue's database/);
  t.is(new TextDecoder().decode(again.written.get("out.csv")), local.out);
  // Again, in this process.
  const anew = await sweepOf(`sweep.json --queue ${url} --restart -j 1`);
  t.is(anew.out, local.out);
  t.notRegex(anew.err, /runs are in/);
  await queue.close();
});

testWith(hasPostgres)("sweeps in one database do not mix, and a failed run is a row and is tried again", async (t) => {
  const { url, queue } = await database();
  const spec = (gpu: string, block = "=n"): string =>
    JSON.stringify({
      inputs: ["scale.ptx", "table.ptx"],
      gpus: [gpu],
      parameters: { n: [32, 64] },
      launch: {
        buffers: { data: { type: "f32", length: "=n" } },
        launches: [{ kernel: "scale", grid: [1], block: [block], args: [{ buffer: "data" }, { u32: "=n" }] }],
      },
    });
  const files = { "a.json": spec("a100"), "b.json": spec("h200"), "c.json": spec("t4", "=n * (n / 2 - 15)") };
  const stop = new AbortController();
  const serving = serveQueue(queue, { jobs: 1, drain: false, times: queueTimes, stop: stop.signal }, nodeHost());
  const answers = await Promise.all(Object.keys(files).map((name) => sweepOf(`${name} --queue ${url}`, files)));
  t.deepEqual(
    answers.map(({ status }) => status),
    [0, 0, 3],
  );
  for (const [i, gpu] of ["a100", "h200", "t4"].entries())
    t.deepEqual(
      answers[i]!.out.trimEnd()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",").slice(0, 2).join(" ")),
      [`${gpu} 32`, `${gpu} 64`],
    );
  // 64 threads times 17 exceed a block.
  t.regex(answers[2]!.out, /t4,64,.*block's x must be/);
  const again = await sweepOf(`c.json --queue ${url}`, files);
  t.is(again.status, 3);
  t.regex(again.err, /1 of 2 runs are in/);
  t.is((await queue.query("select 1 from ptxkit_sweep.sweeps")).length, 3);
  // The two inputs are stored once.
  t.is((await queue.query("select 1 from ptxkit_sweep.contents")).length, 2);
  stop.abort();
  await serving;
  await queue.close();
});

/** Counts to n. */
const loop = `.version 8.5
.target sm_80
.address_size 64
.visible .entry count(.param .u32 n) {
  .reg .b32 %r<3>; .reg .pred %p;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
again:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, %r1;
  @%p bra again;
  ret;
}
`;

function loopPlan(n: readonly number[]): SweepPlan {
  const text = JSON.stringify({
    inputs: ["loop.ptx"],
    gpus: ["h200"],
    parameters: { n },
    launch: { launches: [{ kernel: "count", grid: [1], block: [32], args: [{ u32: "=n" }] }] },
  });
  const answer = readSweep(text);
  if (!answer.ok) throw new Error(answer.problem);
  const work = gatherWork(text, answer.spec, () => new TextEncoder().encode(loop));
  return {
    work,
    program: createSweepProgram(work),
    digest: `loop ${n.join()}`,
    points: pointsOf(answer.spec),
    restart: false,
  };
}

/** Workers without a sign of life for seconds count as lost. */
const impatient = { poll: 250, beat: 250, lost: 5000 };
/** Iterations that take long enough to be interrupted. */
const LONG = 1_000_000;

testWith(hasPostgres)("a job is done by another worker after its own has been killed", async (t) => {
  const { url, queue } = await database();
  const plan = loopPlan([LONG]);
  const killed = startWorker(t, url);
  // This one waits for the worker longer than the test lasts.
  const gathered = sweepOverQueue(plan, { url, jobs: 0, times: { ...impatient, lost: 600_000 } }, nodeHost());
  await until(async () => (await lockedJobs(queue)).length > 0);
  const alive = "select 1 from ptxkit_jobs.jobs join ptxkit_sweep.workers on worker = locked_by";
  await until(async () => (await queue.query(alive)).length > 0);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  t.is((await lockedJobs(queue)).length, 1, "the job is still its job");
  const [other, results] = await Promise.all([
    sweepOverQueue(plan, { url, jobs: 1, times: impatient }, nodeHost()),
    gathered,
  ]);
  t.is(results?.length, 1);
  t.deepEqual(other, results);
  t.is(results?.[0]?.problem, undefined);
  t.true(Number(results?.[0]?.rows[0]?.["cycles"]) > LONG);
  await queue.close();
});

testWith(hasPostgres)("a worker that is ended gives its job back at once, with all attempts", async (t) => {
  const { url, queue } = await database();
  const worker = startWorker(t, url);
  const plan = loopPlan([1000 * LONG]);
  const gathered = sweepOverQueue(plan, { url, jobs: 0, times: queueTimes }, nodeHost());
  await until(async () => (await lockedJobs(queue)).length > 0);
  worker.kill("SIGTERM");
  t.is((await once(worker, "exit"))[0], 0);
  t.deepEqual(await queue.query("select attempts, locked_by from ptxkit_jobs.jobs"), [
    { attempts: 0, locked_by: null },
  ]);
  // One that cannot be run counts as failed when it has no attempts left.
  await queue.query("update ptxkit_jobs._private_jobs set attempts = max_attempts, last_error = 'out of memory'");
  const results = await gathered;
  t.deepEqual(results, [{ point: plan.points[0]!, rows: [], problem: "given up after 5 attempts: out of memory" }]);
  await queue.close();
});

testWith(hasPostgres)("a worker that drains the queue ends with it", async (t) => {
  const { url, queue } = await database();
  const gathered = sweepOverQueue(loopPlan([10, 20, 30]), { url, jobs: 0, times: queueTimes }, nodeHost());
  await until(async () => (await queue.query("select 1 from ptxkit_jobs.jobs")).length === 3);
  const worker = startWorker(t, url, "--drain");
  t.is((await once(worker, "exit"))[0], 0);
  t.deepEqual(
    (await gathered)?.map(({ rows }) => rows.length),
    [1, 1, 1],
  );
  await queue.close();
});
