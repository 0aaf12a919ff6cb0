// Output for people, as recorded in testdata/inspect. PTXKIT_UPDATE=1 records it again.

import { readFileSync, writeFileSync } from "node:fs";
import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import { VIEWS, type ViewName } from "../../lib/inspect/inspection.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { cubinBytes } from "../formats/recorded.js";

const folder = new URL("../../../testdata/inspect/", import.meta.url);

const cases: readonly (readonly [cubin: string, views: string])[] = [
  ["linked.sm_90.cubin", "summary"],
  ["linked.sm_100.cubin", "header+sections+symbols"],
  ["linked.sm_90.cubin", "relocations+info"],
  ["calls.sm_75.o", "relocations+info+kernels"],
  ["vars.sm_75.o", "kernels+layout"],
  ["saxpy.sm_80.cubin", "header+sections+kernels+layout"],
];

function golden(name: string, text: string): string {
  const file = new URL(name, folder);
  if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(file, text);
  return readFileSync(file, "utf8");
}

for (const [cubin, list] of cases) {
  const views = VIEWS.filter((view) => list.split("+").includes(view));
  const inspect = (shown: readonly ViewName[]) => {
    const result = inspectFile({ name: cubin, bytes: cubinBytes(cubin) }, { views: shown }, createSink());
    if (result.kind !== "inspected") throw new Error(result.kind);
    return result.inspection;
  };

  test(`${cubin} --${list} as text`, (t) => {
    const text = renderInspection(inspect(views), { width: 100 });
    t.is(text, golden(`${cubin}.${list}.txt`, text));
  });

  test(`${cubin} --${list} as JSON`, (t) => {
    const text = `${JSON.stringify(inspect(views), undefined, 1)}\n`;
    t.is(text, golden(`${cubin}.${list}.json`, text));
  });
}
