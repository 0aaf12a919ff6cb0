// Variables and buffers that device memory has no room for: told with the place of the largest, before anything is run.

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";

const module = (bytes: number): string =>
  `.version 8.5\n.target sm_80\n.address_size 64\n.visible .global .u32 one = 1;\n.visible .global .b8 pool[${bytes}];\n.visible .entry k() { ret; }\n`;
const spec = `{"buffers":{"a":{"type":"u8","length":65536}},"launches":[{"kernel":"k","grid":[1],"block":[1]}]}`;
const run = (bytes: number, ...words: readonly string[]) =>
  ptxkit(["run", "m.ptx", ...words], { files: { "m.ptx": module(bytes), "s.json": spec } });

test("variables beyond device memory are reported at the largest", async (t) => {
  const { status, err } = await run(2 ** 32, "-k", "k", "-g", "1", "-b", "1");
  t.is(status, 1);
  const said =
    "m.ptx:5:1: error: .global variables take 4294967300 bytes, 'pool' alone 4294967296; device memory has 4294967296 [device-memory]\n";
  t.true(err.startsWith(said), err);
  t.regex(err, /\nhelp: make the variable or buffer smaller/);
});

test("a buffer without room beside them is reported where it is named", async (t) => {
  const { status, err } = await run(2 ** 32 - 8, "--launch", "s.json");
  t.is(status, 1);
  t.regex(err, /^s\.json:1:13: error: buffer 'a': .* cannot allocate 65536 bytes .* \[device-memory\]\n/);
  t.regex(err, /\nhelp: make buffers smaller/);
});

test("a launch that just fits runs", async (t) => {
  t.is((await run(2 ** 32 - 2 ** 17, "--launch", "s.json")).status, 0);
});

test("a block with more shared memory than its target allows is refused", async (t) => {
  for (const shared of ["300K", "2097153", "99999999G"]) {
    const { status, err } = await run(4, "-k", "k", "-g", "1", "-b", "1", "--shared", shared);
    t.is(status, 1);
    t.regex(
      err,
      /^ptxkit: error: a block of sm_\d+ has at most \d+ bytes of shared memory; this one would have \d+: \d+ that kernel 'k' declares, and \d+ that the launch asks for \[launch-spec\]\n/,
    );
  }
});
