// Programs whose modules were merged into one PTX module first (link --emit ptx) leave what they leave without that.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx } from "../../lib/link/link-objects.js";
import { linkAll, objectOf } from "../link/build.js";
import { programObjects, runProgram } from "./program.js";

/** Those of several modules (the demo's names two static variables by their modules), and of one what printing may get
 * wrong: tables of functions, driver calls, old versions. */
const folders = [
  ...["modules-debug", "modules-matrix", "modules-registry", "modules-statics", "modules-templates"],
  ...["function-pointers", "dynamic-shared", "printf", "heap", "switch-vm", "reduce-lineinfo", "structs-debug"],
  ...["old-constants", "old-defaults", "old-parameters", "old-pointers", "old-registers", "old-warp"],
].map((name) => `programs/${name}`);

for (const folder of folders) {
  test(`${folder}, merged, computes what the host computed`, async (t) => {
    const sink = createSink();
    const text = emitPtx(programObjects(folder), {}, sink);
    if (text === undefined) return t.fail(sink.all.map(({ message }) => message).join("\n"));
    const { image } = linkAll([objectOf("merged.ptx", Buffer.from(text).toString())]);
    const { report, comparisons, expectedPrintf } = await runProgram(folder, image!);
    t.is(report.fault, undefined);
    t.true(comparisons.length > 0);
    for (const { name, mismatches, examples } of comparisons)
      t.is(mismatches, 0, `${name}: ${mismatches} differ: ${JSON.stringify(examples)}`);
    if (expectedPrintf !== undefined) t.is(report.printf, expectedPrintf);
  });
}
