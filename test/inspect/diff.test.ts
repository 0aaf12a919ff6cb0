// Differences of two builds: of NVIDIA's cubins, fatbins, our objects and PTX; what may be ignored; the ratchet; the
// command.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { diffSnapshots, type Diff, type DiffOptions } from "../../lib/inspect/compare/diff.js";
import { readRatchet } from "../../lib/inspect/compare/ratchet.js";
import { snapshotsOf } from "../../lib/inspect/compare/snapshot.js";
import { ptxkit } from "../cli/surroundings.js";

const folder = fileURLToPath(new URL("../../../testdata/inspect/resources/", import.meta.url));
const cubin = readFileSync(`${folder}kernels.sm_75.cubin`);

function diff(before: Uint8Array, after: Uint8Array, options: DiffOptions = {}): Diff {
  const sink = createSink();
  const [a, b] = [before, after].map((bytes, i) => snapshotsOf({ name: `${i}`, bytes }, sink));
  if (sink.errorCount > 0) throw new Error(sink.all.map(({ message }) => message).join());
  return diffSnapshots(a!, b!, options);
}

const summary = ({ images }: Diff) =>
  images.flatMap(({ changes }) =>
    changes.map(({ what, name, change, properties }) => [
      what,
      name,
      change,
      properties.map(({ property }) => property),
    ]),
  );

/** Two builds of a module: one instruction, one variable's value and one parameter differ. */
const build = (body: string, value: string, parameter: string): Uint8Array =>
  Buffer.from(`.version 8.0
.target sm_80
.address_size 64
.visible .global .u32 table[2] = {${value}};
.visible .entry k(.param .u64 p${parameter})
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, 1;
${body}  st.global.u32 [%rd1], %r1;
  ret;
}
`);

test("a file does not differ from itself, whatever its kind", (t) => {
  for (const bytes of [cubin, readFileSync(`${folder}kernels.fatbin`), build("", "1, 2", "")])
    t.deepEqual(diff(bytes, bytes), { images: [], count: 0, broken: 0 });
});

test("kernels added, removed or changed; two files of one image each are compared whatever their targets", (t) => {
  const found = diff(cubin, readFileSync(`${folder}kernels.sm_90.cubin`));
  t.is(found.images[0]!.image, "sm_75 cubin → sm_90 cubin");
  const wander = found.images[0]!.changes.find(({ name }) => name === "wander")!;
  t.deepEqual(
    wander.properties.find(({ property }) => property === "registers"),
    { property: "registers", before: 42, after: 38 },
  );
});

test("the parts of a comparison, and --ignore", async (t) => {
  const assembled = async (text: Uint8Array) =>
    (await ptxkit(["as", "a.ptx"], { files: { "a.ptx": text } })).written.get("a.o")!;
  const before = await assembled(build("", "1, 2", ""));
  const after = await assembled(build("  add.u32 %r1, %r1, 1;\n", "1, 3", ", .param .u32 n"));
  t.deepEqual(summary(diff(before, after, { ignore: ["relocations"] })), [
    ["kernel", "k", "changed", ["code", "instructions", "parameters", "content"]],
    ["variable", "table", "changed", ["content"]],
  ]);
  t.deepEqual(summary(diff(before, after, { ignore: ["relocations", "code", "data"] })), [
    ["kernel", "k", "changed", ["parameters"]],
  ]);
  t.deepEqual(summary(diff(build("", "1", ""), Buffer.from(".version 8.0\n.target sm_80\n.address_size 64\n"))), [
    ["kernel", "k", "removed", []],
  ]);
});

test("a ratchet: numbers and percentages; only growth fails", (t) => {
  const sink = createSink();
  const ratchet = readRatchet("r", "registers 0 # none\ncode 20%\n\nconstant-bank-0 8\n", sink)!;
  t.deepEqual(
    [...ratchet],
    [
      ["registers", { by: 0, percent: 0 }],
      ["code", { by: 0, percent: 20 }],
      ["constant bank 0", { by: 8, percent: 0 }],
    ],
  );
  const newer = readFileSync(`${folder}kernels.sm_90.cubin`);
  const broken = (found: Diff) =>
    found.images.flatMap(({ changes }) =>
      changes.flatMap(({ name, properties }) =>
        properties.flatMap(({ property, breaks }) => (breaks === undefined ? [] : [`${name} ${property}: ${breaks}`])),
      ),
    );
  t.deepEqual(broken(diff(cubin, newer, { ratchet })), [
    "reverse code: at most 20 % more",
    "reverse constant bank 0: at most 8 more",
    "wander constant bank 0: at most 8 more",
    "$wander$__internal_accurate_pow code: at most 20 % more",
  ]);
  t.deepEqual(broken(diff(newer, cubin, { ratchet })), [
    "reverse registers: may not grow",
    "wander registers: may not grow",
  ]);
  t.is(readRatchet("r", "registers\nmore 2 %% x", sink), undefined);
  t.deepEqual(
    sink.all.map(({ code, place }) => [code, place?.line]),
    [
      ["ratchet", 1],
      ["ratchet", 2],
    ],
  );
});

test("the command: status 0, 1 and 2, text and JSON", async (t) => {
  const files = {
    "a.cubin": cubin,
    "b.cubin": readFileSync(`${folder}kernels.sm_90.cubin`),
    "loose.ratchet": "registers 100\n",
    "tight.ratchet": "code 1%\n",
    "text.txt": "no PTX",
    "cut.cubin": cubin.subarray(0, 3000),
  };
  const run = (...args: readonly string[]) => ptxkit(["diff", ...args], { files });
  const same = await run("a.cubin", "a.cubin");
  t.deepEqual([same.status, same.out], [0, "no difference\n"]);
  const differs = await run("a.cubin", "b.cubin");
  t.is(differs.status, 1);
  t.regex(differs.out, /^sm_75 cubin → sm_90 cubin\n {2}kernel reverse\n {4}registers: 12 → 11\n/);
  t.is((await run("a.cubin", "b.cubin", "--ratchet", "loose.ratchet")).status, 0);
  const tight = await run("a.cubin", "b.cubin", "--ratchet", "tight.ratchet", "--json");
  t.is(tight.status, 1);
  t.is((JSON.parse(tight.out) as Diff).broken, 3);
  t.is((await run("a.cubin", "absent")).status, 2);
  t.is((await run("a.cubin", "text.txt")).status, 2);
  t.is((await run("cut.cubin", "a.cubin")).status, 2);
  t.is((await run("a.cubin", "a.cubin", "--ignore", "nothing")).status, 2);
});
