// The page of `ptxkit sweep`: what its plots show, its tables, and its charts in a browser where there is one.

import test from "ava";
import { sweepPage } from "../../lib/report/page/sweep-page.js";
import { plotData } from "../../lib/report/sweep/plot-data.js";
import { fastestOnGpus, fastestOver, isLogarithmic, logBase } from "../../lib/report/sweep/sweep-plot.js";
import type { SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import { pointsOf, readSweep, type SweepSpec } from "../../lib/report/sweep/sweep-spec.js";
import { documentAfterScripts, hasChromium, viewerScript } from "../chromium.js";
import { testWith } from "../tools.js";

function specOf(json: object): SweepSpec {
  const answer = readSweep(JSON.stringify(json));
  if (!answer.ok) throw new Error(answer.problem);
  return answer.spec;
}

const spec = specOf({
  inputs: ["k.ptx"],
  gpus: ["a100", "<b>"],
  parameters: { n: [4096, 16, 256], block: [64, 32], fixed: [7] },
  launch: { launches: [] },
});

/** Times are n / block on the first GPU, twice that on the second; blocks of 64 are bound by memory. The last run fails. */
function resultsOf(of: SweepSpec): readonly SweepResult[] {
  const points = pointsOf(of);
  return points.map((point, i) => {
    if (i === points.length - 1) return { point, rows: [], problem: "trap: <it> fell" };
    const { n = 1, block = 1 } = point.parameters;
    const microseconds = (n / block) * (point.gpu === "a100" ? 1 : 2);
    const row = {
      ...{
        gpu: point.gpu,
        ...point.parameters,
        launch: 1,
        kernel: "k</script>",
        cycles: 1000 * microseconds,
        microseconds,
      },
      ...{
        limitedBy: block === 64 ? "memory" : "latency",
        compute: 0.5,
        memory: 0.25,
        occupancy: 1,
        ipc: 2,
        registers: 16,
      },
    };
    return { point, rows: [row] };
  });
}

const results = resultsOf(spec);
const data = plotData(spec, results);

test("a plot has the fastest run at each value, over the parameters that are not fixed", (t) => {
  const timesAt = (fixed: ReadonlyMap<number, number>): unknown =>
    fastestOver(data, 0, { launch: 0, fixed }).map((rows) => rows.map(({ at, metrics }) => [at[0], at[1], metrics[0]]));
  t.deepEqual(timesAt(new Map()), [
    [
      [16, 64, 0.25],
      [256, 64, 4],
      [4096, 64, 64],
    ],
    [
      [16, 64, 0.5],
      [256, 64, 8],
      [4096, 64, 128],
    ],
  ]);
  // Its own value is shown whatever is fixed. On the second GPU the last run failed.
  const fixed = new Map([
    [1, 32],
    [0, 16],
  ]);
  t.deepEqual(timesAt(fixed), [
    [
      [16, 32, 0.5],
      [256, 32, 8],
      [4096, 32, 128],
    ],
    [
      [16, 32, 1],
      [4096, 32, 256],
    ],
  ]);
  t.deepEqual(
    fastestOnGpus(data, { launch: 0, fixed: new Map([[0, 256]]) }).map((row) => row?.metrics[0]),
    [4, 8],
  );
});

test("an axis is logarithmic where a linear one would crowd the values", (t) => {
  t.true(isLogarithmic([32, 64, 128, 256, 512, 1024]));
  t.true(isLogarithmic([1000, 10, 100]));
  t.false(isLogarithmic([32, 64, 96, 128]));
  t.false(isLogarithmic([10, 500, 600, 700, 800]));
  t.false(isLogarithmic([0, 1, 1000]));
  t.false(isLogarithmic([]));
  t.deepEqual([[32, 64, 256], [96, 192, 48], [10, 100, 1000], []].map(logBase), [2, 2, 10, 2]);
});

test("launches are told apart by number where runs have several", (t) => {
  const [{ point, rows }] = results as [SweepResult];
  const twice: SweepResult = { point, rows: [rows[0]!, { ...rows[0], launch: 2, kernel: "j" }] };
  t.deepEqual(plotData(spec, [twice]).launches, ["1: k</script>", "2: j"]);
  t.deepEqual(data.launches, ["k</script>"]);
});

test("the page has a figure with its numbers for each parameter with several values, and escapes its inputs", (t) => {
  const page = sweepPage({ spec, results, viewer: '"</script>"' });
  t.notRegex(page, /<(link|img|iframe|base)\b|<script[^>]*\bsrc|@import|\burl\(/);
  t.notRegex(page, /<b>|<it>/);
  t.is(page.match(/<\/script>/g)!.length, 2);
  const figures = page.match(/<figure>[^]*?<\/figure>/g)!;
  t.deepEqual(
    figures.map((each) => /<figcaption>(.*?)<\/figcaption>/.exec(each)?.[1]),
    ["Over n", "Over block"],
  );
  for (const each of figures)
    t.regex(each, /role="img"\s+aria-label="[^"]+"[^]*<caption>[^]*<th scope="col"[^]*<th scope="row"/);
  t.regex(figures[0]!, /256\s*<\/th>\s*<td[^>]*>4, memory<\/td>\s*<td[^>]*>8, memory<\/td>/);
  t.regex(page, /Failed runs[^]*n=256 block=32 fixed=7[^]*trap: &lt;it&gt; fell/);
});

test("a sweep without results, or with one run, is a page as well", (t) => {
  const one = specOf({ inputs: ["k.ptx"], gpus: ["a100"], launch: { launches: [] } });
  const failed: readonly SweepResult[] = pointsOf(one).map((point) => ({ point, rows: [], problem: "none" }));
  t.notRegex(sweepPage({ spec: one, results: failed, viewer: "" }), /class="chart"/);
  const row = { gpu: "a100", launch: 1, kernel: "k", cycles: 5, microseconds: 1, limitedBy: "launch" };
  const page = sweepPage({ spec: one, results: [{ point: { gpu: "a100", parameters: {} }, rows: [row] }], viewer: "" });
  t.regex(page, /<th scope="row"\s*>a100<\/th>/);
});

testWith(hasChromium)("a browser draws a line for each GPU, and a mark of each bound", async (t) => {
  const { html, log } = documentAfterScripts(sweepPage({ spec, results, viewer: await viewerScript() }));
  t.regex(html, /data-drawn="3"/, log);
  const [bars, overN, overBlock] = html.match(/<svg [^>]*xmlns[^]*?<\/svg>/g)!;
  t.regex(bars!, />a100<[^]*>&lt;b&gt;<[^]*/);
  // The axis over n is logarithmic: 16, 256 and 4096 are powers of two.
  for (const label of ["16", "256", "4,096"]) t.true(overN!.includes(`>${label}<`), label);
  for (const label of ["a100", "memory", "n"]) t.true(overN!.includes(`>${label}<`), label);
  for (const label of ["memory", "latency", "block"]) t.true(overBlock!.includes(`>${label}<`), label);
  t.notRegex(html, /<nav [^>]*id="controls"[^>]* hidden/);
});
