// Variables and buffers that exceed device memory are reported, with the largest, before anything runs.

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";

const module = (bytes: number): string =>
  `.version 8.5\n.target sm_80\n.address_size 64\n.visible .global .u32 one = 1;\n.visible .global .b8 pool[${bytes}];\n.visible .entry k() { ret; }\n`;
const spec = (length: number): string =>
  `{"buffers":{"a":{"type":"u8","length":${length}}},"launches":[{"kernel":"k","grid":[1],"block":[1]}]}`;
const run = (bytes: number, words: readonly string[], length = 65536) =>
  ptxkit(["run", "m.ptx", ...words], { files: { "m.ptx": module(bytes), "s.json": spec(length) } });
/** The largest variable that the linker takes beside another one. */
const LARGEST = 2 ** 31 - 8;

test("a buffer that has no place beside variables is told where it is named", async (t) => {
  const { status, err } = await run(LARGEST, ["--launch", "s.json"], 2 ** 31 + 65536);
  t.is(status, 1);
  t.regex(err, /^s\.json:1:13: error: buffer 'a': .* cannot allocate 2147549184 bytes .* \[device-memory\]\n/);
  t.regex(err, /\nhelp: make buffers smaller/);
});

test("what just fits runs", async (t) => {
  t.is((await run(LARGEST, ["--launch", "s.json"])).status, 0);
});

test("a section of 2 GiB or more is refused with a remedy", async (t) => {
  const { status, err } = await run(2 ** 31, ["-k", "k", "-g", "1", "-b", "1"]);
  t.is(status, 1);
  t.regex(err, /2 GiB or more \[link-too-large\]\nhelp: /);
});

test("a block with more shared memory than its target has is refused", async (t) => {
  for (const shared of ["300K", "2097153", "99999999G"]) {
    const { status, err } = await run(4, ["-k", "k", "-g", "1", "-b", "1", "--shared", shared]);
    t.is(status, 1);
    t.regex(
      err,
      /^ptxkit: error: a block of sm_\d+ has at most \d+ bytes of shared memory; this one would have \d+: \d+ that kernel 'k' declares, and \d+ that the launch asks for \[launch-spec\]\n/,
    );
  }
});
