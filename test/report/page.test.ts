// The page of `ptxkit report`: whole in one file, with its numbers in tables, and drawn by a browser where there is one.

import test from "ava";
import { escapeHtml, html, jsonHtml } from "../../lib/report/page/html.js";
import { reportPage } from "../../lib/report/page/page.js";
import { readRun, type ReportedRun } from "../../lib/report/page/read-run.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { codeOf, time } from "../timing/kernels.js";
import { documentAfterScripts, hasChromium, viewerScript } from "../chromium.js";
import { testWith } from "../tools.js";

const code = codeOf("ld.global.f32 %f1, [%rd1]; fma.rn.f32 %f2, %f1, %f1, %f1; st.global.f32 [%rd1], %f2; ret;");

function documentOf(gpu: "a100" | "h200", kernels: readonly string[]): string {
  const launches = kernels.map((kernel) => {
    const timing = time(
      {
        code,
        blocks: 4,
        threads: 64,
        path: (go, block, warp) => {
          const access = {
            space: "global",
            bytes: 4,
            address: (lane: number) => 2 ** 32 + 128 * (2 * block + warp) + 64 * lane,
          } as const;
          for (let pc = 0; pc < 4; pc++) go(pc, pc % 2 === 0 ? access : undefined);
        },
      },
      findGpu(gpu),
    );
    const instructions = timing.instructions.map((row) => ({
      ...row,
      ptx: { file: "k.ptx", line: row.number + 1 },
      source: { file: "k<1>.cu", line: 7 },
      text: `instruction ${row.number};`,
    }));
    return { kernel, grid: [4, 1, 1], block: [64, 1, 1], timing: { ...timing, instructions } };
  });
  return JSON.stringify({ launches, outputs: {} });
}

function runOf(name: string, text: string): ReportedRun {
  const answer = readRun(name, text);
  if (!answer.ok) throw new Error(answer.problem);
  return answer.run;
}

const runs = [runOf("a.json", documentOf("a100", ["k", "</script><b>"])), runOf("h.json", documentOf("h200", ["k"]))];
const texts = new Map([["k<1>.cu", ["", "", "", "", "", "// above", "y[i] = a < b;", "// below"]]]);
const pageWith = (viewer: string): string => reportPage({ runs, texts, viewer });

test("text in HTML is escaped, and JSON cannot end its element", (t) => {
  t.is(html`<p>${"a < b & 'c'"}${[html`<i>`, "<"]}</p>`.html, "<p>a &lt; b &amp; &#39;c&#39;<i>&lt;</p>");
  t.is(escapeHtml('"'), "&quot;");
  t.is(jsonHtml("</script>").html, '"\\u003c/script>"');
});

test("the page makes no network request, and escapes its inputs", (t) => {
  const page = pageWith('"</script>"');
  t.notRegex(page, /<(link|img|iframe|base)\b|<script[^>]*\bsrc|@import|\burl\(/);
  t.false(page.includes("<b>"));
  t.is(page.match(/<\/script>/g)!.length, 2);
});

test("every chart has its numbers in a table with a caption and headers", (t) => {
  const page = pageWith("");
  const charts = page.match(/<figure>[^]*?<\/figure>/g)!;
  t.is(charts.length, 3 * 4);
  for (const each of charts) {
    t.regex(each, /role="img"\s+aria-label="[^"]+"/);
    t.regex(each, /<caption>[^]*<th scope="col"[^]*<th scope="row"/);
  }
  t.regex(page, /vs\. first[^]*×1\.00/);
});

test("the source is shown beside its PTX, with costs", (t) => {
  const page = pageWith("");
  t.regex(page, /<caption>\s*k&lt;1&gt;\.cu/);
  t.regex(page, /y\[i\] = a &lt; b;[^]*?4 of PTX[^]*?instruction 0;/);
  t.regex(page, /\/\/ above/);
  t.regex(page, /sectors per request/);
});

for (const [text, problem] of [
  ["{", /it is not JSON/],
  ["[]", /it has no "launches"/],
  ['{"launches":[{"kernel":"k"}]}', /none of its launches has a time/],
  ['{"launches":[{"kernel":"k","grid":[1],"block":[1],"timing":{"gpu":"a100","cycles":"3"}}]}', /no "timing.cycles"/],
] as const)
  test(`refused: ${text}`, (t) => {
    const answer = readRun("r.json", text);
    t.regex(answer.ok ? "" : answer.problem, problem);
  });

testWith(hasChromium)("a browser draws the charts of the launch that is shown", async (t) => {
  const { html, log } = documentAfterScripts(pageWith(await viewerScript()));
  t.regex(html, /data-drawn="5"/, log);
  t.is(html.match(/<svg [^>]*xmlns/g)?.length, 5);
  t.is(html.match(/<section class="launch"[^>]* hidden/g)?.length, 2);
});
