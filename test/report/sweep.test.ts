// Sweeps: arithmetic, points, results in their three forms, and journals.

import test from "ava";
import { evaluate } from "../../lib/report/sweep/expression.js";
import { csvOf, journalOf, readJournal, rowsOf, type SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import {
  launchFiles,
  launchOf,
  pointKey,
  pointsOf,
  readSweep,
  type SweepSpec,
} from "../../lib/report/sweep/sweep-spec.js";

const names = new Map([
  ["n", 1000],
  ["block", 256],
]);

for (const [text, value] of [
  ["n", 1000],
  ["ceil(n / block)", 4],
  ["(n + block - 1) / block - (n + block - 1) % block / block", 4],
  ["2 + 3 * 4 - -1", 15],
  ["min(n, block, 7) * max(1, 2)", 14],
  ["floor(7.5)", 7],
] as const)
  test(`=${text} is ${value}`, (t) => t.like(evaluate(text, names), { ok: true, value }));

for (const [text, problem] of [
  ["m", /no parameter 'm'/],
  ["1 +", /ends too early/],
  ["ceil 3", /'\(' is expected after ceil/],
  ["(1", /'\)' is missing/],
  ["1 2", /'2' is not expected/],
  ["n; 1", /';' is not expected/],
  ["1 / 0", /no finite value/],
  ["(".repeat(100), /nested too deeply/],
] as const)
  test(`=${text.slice(0, 20)} is refused`, (t) => {
    const answer = evaluate(text, names);
    t.regex(answer.ok ? "" : answer.problem, problem);
  });

const text = JSON.stringify({
  inputs: ["k.ptx"],
  gpus: ["a100", "h100"],
  parameters: { n: [10, 20], block: [5] },
  launch: { launches: [{ grid: ["=n / block"], args: [{ u32: "=n" }, { buffer: "x" }] }] },
});

function specOf(of: string): SweepSpec {
  const answer = readSweep(of);
  if (!answer.ok) throw new Error(answer.problem);
  return answer.spec;
}

test("points are all combinations, and each fills its numbers into the launch", (t) => {
  const spec = specOf(text);
  const points = pointsOf(spec);
  t.deepEqual(points.map(pointKey), [
    '["a100",{"n":10,"block":5}]',
    '["a100",{"n":20,"block":5}]',
    '["h100",{"n":10,"block":5}]',
    '["h100",{"n":20,"block":5}]',
  ]);
  t.deepEqual(launchOf(spec, points[1]!), {
    ok: true,
    json: { launches: [{ grid: [4], args: [{ u32: 20 }, { buffer: "x" }] }] },
  });
});

for (const [changes, problem] of [
  [{ inputs: [] }, /"inputs" has to be a list of files/],
  [{ gpus: "a100" }, /"gpus" has to be a list/],
  [{ parameters: { n: [] } }, /"parameters.n" has to be a list of numbers/],
  [{ parameters: { "a b": [1] } }, /named by a word/],
  [{ parameters: { memory: [1] } }, /results have a column "memory"/],
  [{ launch: { grid: "=m" } }, /"launch.grid": "=m": there is no parameter 'm'/],
  [{ more: 1 }, /a sweep has no "more"/],
] as const)
  test(`refused: ${JSON.stringify(changes)}`, (t) => {
    const answer = readSweep(JSON.stringify({ ...(JSON.parse(text) as object), ...changes }));
    t.regex(answer.ok ? "" : answer.problem, problem);
  });

test("the files of a launch are found wherever they are named", (t) => {
  const launch = {
    buffers: { file: { file: "a.npy" }, b: { type: "u8", file: "b.bin" } },
    symbols: [{ file: "a.npy" }],
  };
  t.deepEqual(launchFiles(specOf(JSON.stringify({ ...(JSON.parse(text) as object), launch }))), ["a.npy", "b.bin"]);
});

const results: readonly SweepResult[] = [
  { point: { gpu: "a100", parameters: { n: 1 } }, rows: [{ gpu: "a100", n: 1, cycles: 10, advice: 'a,"b"' }] },
  { point: { gpu: "h100", parameters: { n: 1 } }, rows: [], problem: "trap: it fell" },
];

test("CSV has the columns of all rows, and quotes where necessary", (t) => {
  t.is(csvOf(rowsOf(results)), 'gpu,n,cycles,advice,problem\r\na100,1,10,"a,""b""",\r\nh100,1,,,trap: it fell\r\n');
});

test("a journal restores completed runs, of the same sweep only, however it ends", (t) => {
  const journal = journalOf("digest", results);
  t.deepEqual([...readJournal("digest", journal).values()], [results[0]]);
  t.is(readJournal("other", journal).size, 0);
  t.is(readJournal("digest", `${journal.slice(0, -40)}`).size, 1);
  t.is(readJournal("digest", "").size, 0);
});
