// The page that explores files, and that of `ptxkit serve`: whole in themselves, with every value in a table, and alive in a browser where
// there is one.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { startServer } from "../../cli/commands/serve.js";
import { pageScript } from "../../cli/viewer-script.js";
import { createSink } from "../../lib/diag/sink.js";
import { exploreFile, type Explored } from "../../lib/inspect/explore.js";
import { elementsOf } from "../../lib/inspect/parts/walk.js";
import { explorePage } from "../../lib/report/page/explore.js";
import { chromium, hasChromium, inChromium } from "../chromium.js";
import { testWith } from "../tools.js";
import { ptxkit } from "../cli/surroundings.js";

const folder = fileURLToPath(new URL("../../../testdata/inspect/resources/", import.meta.url));
const bytes = readFileSync(`${folder}kernels.fatbin`);

function explored(name: string, bytes: Uint8Array): Explored {
  const sink = createSink();
  const found = exploreFile({ name, bytes }, sink);
  if (found === undefined) throw new Error(sink.all[0]?.message);
  return found;
}

test("a file, and everything inside, with all views and bytes", (t) => {
  const { whole, parts } = explored("kernels.fatbin", bytes);
  t.is(whole.kind, "fatbin");
  t.deepEqual(
    parts.map(({ inspection }) => [inspection.file, inspection.target]),
    [
      ["kernels.fatbin(1.sm_75.cubin)", "sm_75"],
      ["kernels.fatbin(2.sm_90.cubin)", "sm_90"],
      ["kernels.fatbin(3.sm_90.ptx)", "sm_90"],
    ],
  );
  const [cubin] = parts;
  for (const view of ["header", "sections", "symbols", "relocations", "info", "kernels", "layout", "sizes"] as const)
    t.not(cubin!.inspection[view], undefined, view);
  const [element] = elementsOf({ name: "kernels.fatbin", bytes }, createSink());
  t.deepEqual(Buffer.from(cubin!.bytes!, "base64"), Buffer.from(element!.bytes!));
});

test("the page makes no network request, escapes names, and shows every view's contents", (t) => {
  const odd = explored("<b>.fatbin", bytes);
  const page = explorePage({ files: [odd], viewer: '"</script>"' });
  t.notRegex(page, /<(link|img|iframe|base)\b|<script[^>]*\bsrc|@import|\burl\(/);
  t.false(page.includes("<b>."));
  for (const text of [
    "reverse",
    ".nv.constant3",
    "EIATTR_REGCOUNT",
    "R_CUDA_64",
    "STT_FUNC",
    "Resource usage",
    "Occupancy",
    "Constant banks",
  ])
    t.true(page.includes(text), text);
  t.regex(page, /<tr data-offset="\d+" data-size="24">/);
});

test("occupancy on each GPU, constant banks, and the line table with inlined calls", (t) => {
  const cubin = readFileSync(fileURLToPath(new URL("../images/inlined.sm_90.cubin", `file://${folder}`)));
  const file = explored("inlined.cubin", cubin);
  const [{ inspection }] = file.parts as [(typeof file.parts)[0]];
  const { occupancy, constants, debugLine } = inspection;
  const rows = explorePage({ files: [file], viewer: "" })
    .match(/<tr[^]*?<\/tr>/g)!
    .map((row) =>
      [...row.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell]) => cell!.replaceAll(/<[^>]*>/g, "").trim()),
    );
  const has = (...cells: readonly string[]): boolean =>
    t.true(
      rows.some((row) => cells.every((cell, i) => row[i] === cell)),
      cells.join(" | "),
    );
  t.true(occupancy!.length > 0 && constants!.length > 0 && debugLine!.functions.length > 0);
  for (const { name, demangled, threads, threadsFrom, gpus } of occupancy!)
    for (const { gpu, blocks, warps } of gpus)
      has(
        demangled ?? name,
        `${threads} (${threadsFrom === "most" ? ".maxntid" : threadsFrom})`,
        gpu,
        `${blocks}`,
        `${warps}`,
      );
  for (const { bank, section, size } of constants!) has(`${bank}`, section.name, "0", `${size}`);
  for (const { rows: lines } of debugLine!.functions)
    for (const { offset, file, line, column, calledAt } of lines)
      if (calledAt !== undefined) {
        const called = `${debugLine!.files[calledAt.file!]}:${calledAt.line}`;
        const place = `${debugLine!.files[file!]}:${line}${column === undefined ? "" : `:${column}`}`;
        t.true(rows.some((row) => row[0] === `${offset}` && row[1] === place && row[3] === called));
      }
});

test("inspect --html writes the page, whole or not at all", async (t) => {
  const files = { "a.fatbin": bytes, "b.txt": "no file of a GPU" };
  const { status, written } = await ptxkit(["inspect", "a.fatbin", "--html", "out.html"], { files });
  t.is(status, 0);
  t.regex(Buffer.from(written.get("out.html")!).toString(), /^<!doctype html>/);
  const refused = await ptxkit(["inspect", "a.fatbin", "b.txt", "--html", "out.html"], { files });
  t.deepEqual([refused.status, refused.written.size], [1, 0]);
});

testWith(hasChromium)("a browser shows one part, and draws its sizes", (t) => {
  const scratch = mkdtempSync(path.join(tmpdir(), "ptxkit-explore-"));
  t.teardown(() => rmSync(scratch, { recursive: true, force: true }));
  const file = path.join(scratch, "page.html");
  writeFileSync(file, explorePage({ files: [explored("kernels.fatbin", bytes)], viewer: pageScript("explore") }));
  const options = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    `--user-data-dir=${scratch}/profile`,
  ];
  const { stdout, stderr } = spawnSync(chromium!, [...options, "--dump-dom", `file://${file}#part2`], {
    encoding: "utf8",
  });
  t.regex(stdout, /data-drawn="true"/, stderr);
  t.is(stdout.match(/<section class="part"[^>]* hidden/g)?.length, 2);
  t.regex(stdout, /<a href="#part2" aria-current="true">/);
  t.is(stdout.match(/<svg [^>]*xmlns/g)?.length, 1);
});

/** What a person does on the page of `serve`, and what the page shows then. */
const visit = `
const until = async (holds) => {
  while (!holds()) await new Promise((done) => setTimeout(done, 20));
};
export default async () => {
  document.documentElement.innerHTML = await (await fetch("/page")).text();
  await import("/serve.js");
  const text = (id) => document.getElementById(id).textContent;
  const clean = text("diagnostics");
  const module = document.getElementById("module");
  const right = module.value;
  module.value = right.replace("fma.rn.f32", "fma.f32");
  module.dispatchEvent(new Event("input"));
  await until(() => text("diagnostics") !== clean);
  const wrong = text("diagnostics");
  module.value = right;
  document.getElementById("gpu").value = "h200";
  document.getElementById("run").click();
  await until(() => text("result").includes("saxpy <<<"));
  const input = document.getElementById("files");
  const transfer = new DataTransfer();
  transfer.items.add(new File([await (await fetch("/file")).arrayBuffer()], "kernels.fatbin"));
  input.files = transfer.files;
  input.dispatchEvent(new Event("change"));
  await until(() => document.documentElement.dataset.explored === "1");
  document.querySelector("tr[data-offset] button.at").click();
  const search = document.getElementById("search");
  search.value = "wander";
  search.dispatchEvent(new Event("input"));
  return {
    clean,
    wrong,
    result: text("result"),
    links: [...document.querySelectorAll(".tree a")].map((link) => link.textContent),
    bytes: document.querySelector("#bytes mark")?.textContent,
    found: [...document.querySelectorAll("section.part:not([hidden]) details.card:not([hidden]) code")].map((code) => code.textContent),
  };
};
`;

testWith(hasChromium)(
  "the page of serve checks as one types, runs, times, and explores a file, all in the browser",
  async (t) => {
    const { server, address } = await startServer(0);
    try {
      const page = await (await fetch(`http://${address}/`)).text();
      const answer = (await inChromium(visit, {
        "/page": ["text/html", page],
        "/serve.js": ["text/javascript", pageScript("serve")],
        "/ptxkit.js": ["text/javascript", pageScript("index")],
        "/file": ["application/octet-stream", bytes],
      })) as Readonly<Record<string, string | readonly string[]>>;
      t.is(answer["clean"], "none");
      t.regex(answer["wrong"] as string, /^module\.ptx:\d+:\d+: error: /);
      t.regex(answer["result"] as string, /saxpy <<<2, 128>>>[^]*h200/);
      t.deepEqual(answer["links"], ["(1.sm_75.cubin)", "(2.sm_90.cubin)", "(3.sm_90.ptx)"]);
      t.regex(answer["bytes"] as string, /^[0-9a-f]{2}$/);
      t.true((answer["found"] as readonly string[]).includes("wander"));
      t.false((answer["found"] as readonly string[]).includes("reverse"));
      t.is((await fetch(`http://${address}/other`)).status, 404);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);
