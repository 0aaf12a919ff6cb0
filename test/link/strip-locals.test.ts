// --discard-all and --strip-all remove static names that nothing needs, and the image behaves as before.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { readObject } from "../../lib/object/file/read.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText } from "./build.js";

const text = moduleText(`
  .file 1 "k.cu"
  .const .u32 c[2] = {3, 4};
  .global .u32 unused = 9;
  .global .u32 used = 5;
  .visible .global .u32 seen = 6;
  .func (.reg .u32 %r) twice(.reg .u32 %x) { add.u32 %r, %x, %x; ret; }
  .visible .entry k(.param .u64 out) {
    .shared .u32 s; .reg .u64 %rd; .reg .u32 %a, %b, %d;
    .loc 1 3 4
    ld.param.u64 %rd, [out]; ld.const.u32 %a, [c+4]; ld.global.u32 %b, [used]; st.shared.u32 [s], %a;
    ld.shared.u32 %d, [s]; call (%d), twice, (%d); st.global.v4.u32 [%rd], {%a, %b, %d, 1}; ret; }`);
const files = { "k.ptx": text.replaceAll(", 1};", ", %a};") };

async function link(...more: readonly string[]) {
  const { status, written, err } = await ptxkit(["link", "k.ptx", "-o", "out", ...more], { files });
  const out = written.get("out")!;
  const run = (...args: readonly string[]) =>
    ptxkit(["run", "out", "-k", "k", "-g", "1", "-b", "1", ...args], { files: { out } });
  const image = out === undefined ? undefined : readObject(out, "out", createSink());
  return { status, err, out, run, names: image?.symbols.map(({ name }) => name).toSorted() };
}
const output = ["-a", "u32[4]=0"];

test("names of unreferenced static variables are removed; those of functions and relocations stay", async (t) => {
  const plain = await link();
  t.deepEqual(plain.names, ["$__s__0", "c", "k", "seen", "twice", "unused", "used"]);
  const { status, err, names, run, out } = await link("-x");
  t.is(status, 0, err);
  t.deepEqual(names, ["k", "seen", "twice", "used"]);
  t.true(out.length < plain.out.length);
  const result = await run(...output);
  t.regex(result.out, /0: 4 5 8 4\n/);
  t.is(result.out, (await plain.run(...output)).out);
  t.is((await ptxkit(["inspect", "out", "--verify"], { files: { out } })).status, 0);
});

test("--strip-all is --discard-all and --strip-debug", async (t) => {
  const { out, run } = await link("-s");
  t.deepEqual(out, (await link("-x", "-S")).out);
  t.true(out.length < (await link("-x")).out.length);
  t.regex((await run(...output)).out, /0: 4 5 8 4\n/);
});

test("relocations kept by --emit-relocs keep their names", async (t) => {
  const { names, out } = await link("-s", "-q");
  t.deepEqual(names, ["$__s__0", "c", "k", "seen", "twice", "used"]);
  t.is((await ptxkit(["inspect", "out", "--verify"], { files: { out } })).status, 0);
});

test("a launch cannot refer to a static variable whose name was removed", async (t) => {
  const spec = JSON.stringify({ launches: [], outputs: ["symbol:unused"] });
  const ask = async (out: Uint8Array) =>
    ptxkit(["run", "out", "--launch", "s.json"], { files: { out, "s.json": spec } });
  const plain = await ask((await link()).out);
  t.is(plain.status, 0, plain.err);
  const without = await ask((await link("-x")).out);
  t.not(without.status, 0);
  t.regex(without.err, /unused/);
});

test("objects and PTX for later links keep their names", async (t) => {
  for (const more of [["-r"], ["--emit", "ptx"]])
    for (const option of ["-s", "-x"]) t.is((await link(option, ...more)).status, 2);
});
