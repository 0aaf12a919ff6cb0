// --stats: counts of inputs and outputs.

import test from "ava";
import { nodeHost } from "../../cli/files/host.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText } from "./build.js";

const files = {
  "a.ptx": moduleText(".visible .global .u32 x = 1;\n.visible .global .u64 p = x;"),
  "b.ptx": moduleText(
    `.extern .global .u32 x;\n.visible .entry k() { .reg .u32 %r; ld.global.u32 %r, [x]; st.global.u32 [x], %r; ret; }`,
  ),
};
const line = ["link", "a.ptx", "b.ptx", "-o", "out"];
const bytesRead = Buffer.byteLength(files["a.ptx"]) + Buffer.byteLength(files["b.ptx"]);

for (const more of [[], ["-r"], ["--emit", "ptx"], ["--build-id"]])
  test(`statistics of a link ${more.join(" ")}`, async (t) => {
    const { status, out, written, err } = await ptxkit([...line, "--stats", "--json", ...more], { files });
    t.is(status, 0, err);
    const { stats } = JSON.parse(out) as { stats: Readonly<Record<string, number>> };
    t.like(stats, { files: 2, bytesRead, objects: 2, modules: 2, sections: 2, symbols: 4, relocations: 2 });
    t.is(stats["bytesWritten"], written.get("out")!.length);
    t.is(stats["peakMemory"], 1 << 26);
    t.deepEqual(written.get("out"), (await ptxkit([...line, ...more], { files })).written.get("out"));
  });

test("as text, a line each, and nothing for a failed link", async (t) => {
  const { out } = await ptxkit([...line, "--stats"], { files });
  t.regex(out, /^Statistics\n( +\d+ {2}[a-z ]+\n){9}$/);
  t.regex(out, / 2 {2}files read\n/);
  const failed = await ptxkit(["link", "b.ptx", "-o", "out", "--stats"], { files });
  t.is(failed.status, 1);
  t.is(failed.out, "");
});

test("a file that is read twice counts once", async (t) => {
  const { out } = await ptxkit([...line, "a.ptx", "--allow-multiple-definition", "--stats", "--json"], { files });
  t.like((JSON.parse(out) as { stats: object }).stats, { files: 2, bytesRead, objects: 3 });
});

test("the memory is the process's", (t) => {
  t.true(nodeHost().peakMemory() >= process.memoryUsage().rss / 2);
});
