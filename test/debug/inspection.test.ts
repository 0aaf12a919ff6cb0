// --watch, --trace-thread and --break of ptxkit run: what they say of a small kernel whose lanes part, call and count.

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";
import { steps } from "./steps.js";

const files = { "steps.ptx": steps };
const launch = ["-k", "k", "-g", "2", "-b", "64", "-a", "f32[64]=0", "-a", "u32=16"];
const run = (...words: readonly string[]) => ptxkit(["run", "steps.ptx", ...launch, ...words], { files });

const linesOf = (text: string, word: string): readonly string[] =>
  text.split("\n").filter((line) => line.startsWith(`${word} `));

// The second warp opens the barrier, and continues first.
test("--watch shows each change of a variable with thread, place, old and new value", async (t) => {
  const { out, status } = await run("--watch", "counter");
  t.is(status, 0);
  t.deepEqual(linesOf(out, "watch"), [
    "watch counter: 0 -> 32  block (0,0,0), thread (63,0,0), the last of 32 lanes, steps.ptx:42, atom.global.add.u32 %r8, [counter], 1;",
    "watch counter: 32 -> 64  block (0,0,0), thread (31,0,0), the last of 32 lanes, steps.ptx:42, atom.global.add.u32 %r8, [counter], 1;",
    "watch counter: 64 -> 96  block (1,0,0), thread (63,0,0), the last of 32 lanes, steps.ptx:42, atom.global.add.u32 %r8, [counter], 1;",
    "watch counter: 96 -> 128  block (1,0,0), thread (31,0,0), the last of 32 lanes, steps.ptx:42, atom.global.add.u32 %r8, [counter], 1;",
  ]);
});

test("--watch of an element of shared memory is that of each block, of a buffer by its element", async (t) => {
  const { out } = await run("--watch", "tile+8", "--watch", "arg0+252", "--json");
  const { changes } = JSON.parse(out) as { changes: Record<string, unknown>[] };
  t.like(changes[0], { variable: "tile", offset: 8, old: "0", new: "40 (0x28)", block: [0, 0, 0], thread: [2, 0, 0] });
  t.like(changes[1], { variable: "arg0", offset: 252, old: "0", new: "12600", thread: [63, 0, 0], line: 45 });
  t.like(changes[2], { variable: "tile", offset: 8, old: "0", new: "40 (0x28)", block: [1, 0, 0] });
  // The second block writes the value that is already there.
  t.is(changes.length, 3);
});

test("--trace-thread shows a thread's instructions, with calls, guards and values before and after", async (t) => {
  const { out } = await run("--trace-thread", "1,20");
  const lines = linesOf(out, "trace").map((line) => line.replace("trace (1,0,0) (20,0,0) steps.ptx:", ""));
  t.is(lines.length, 25);
  t.is(lines[2], "22, mov.u32 %r2, %tid.x;  %tid.x = 20  -> %r2 = 20");
  t.is(lines[4], "24, @%p1 bra $low;  %p1 = false  not executed");
  t.is(lines[5], "25, mul.lo.u32 %r3, %r2, 100;  %r2 = 20  -> %r3 = 2000");
  t.is(lines[10], "11, add.s32 %r1, %r0, %r0;  %r0 = 2000  -> %r1 = 4000");
  t.regex(lines[17]!, /^39, st\.shared\.u32 \[%r5\], %r4; {2}%r5 = 1104 \(0x450\), %r4 = 4000 {2}shared 0x450$/);
  const coordinates = await run("--trace-thread", "(1,0,0),(20,0,0)");
  t.deepEqual(linesOf(coordinates.out, "trace"), linesOf(out, "trace"));
});

test("--trace-thread ends with the instruction at fault", async (t) => {
  const { out, status } = await ptxkit(
    ["run", "steps.ptx", "-k", "k", "-g", "1", "-b", "64", "-a", "f32[63]=0", "-a", "u32=16", "--trace-thread", "0,63"],
    { files },
  );
  t.is(status, 3);
  t.regex(linesOf(out, "trace").at(-1)!, /st\.global\.f32 \[%rd2\], %f1; {2}%rd2 = 0x[0-9a-f]+, %f1 = 12600$/);
});

test("--break shows the first thread to arrive, its registers, and where the rest of the block is", async (t) => {
  const { out, written } = await run("--break", "27", "--dump", "block.json");
  const at = out.split("\n");
  t.is(at[0], "break 27: kernel k, block (0,0,0), warp 0, lanes 0x0000ffff, steps.ptx:28, mul.lo.u32 %r3, %r2, 10;");
  t.true(at.includes("  %r2  0 1 2 3 4 5 6 7 … (16 lanes)"));
  t.true(at.includes("  warp 0, lanes 0xffff0000: steps.ptx:32, st.param.b32 [a], %r3;"));
  t.is(linesOf(out, "break").length, 1);
  const dump = JSON.parse(new TextDecoder().decode(written.get("block.json"))) as { kernel: string; blocks: unknown[] };
  t.like(dump, { kernel: "k", blocks: [{ block: [0, 0, 0] }] });
});

test("names in --watch, --break and --trace-thread must exist", async (t) => {
  for (const [words, message] of [
    [["--watch", "countr"], "did you mean 'counter'?"],
    [["--watch", "tile+256"], "'tile' has 256 bytes"],
    [["--trace-thread", "2,0"], "no launch has that thread"],
    [["--trace-thread", "x"], "specify block and thread by number"],
    [["--break", "99"], "the last is at 46"],
    [["--break", "k.cu:3"], "there is code of steps.ptx"],
    [["--break", "27", "--gpu", "h100"], "exclude --gpu"],
  ] as const) {
    const { status, err } = await run(...words);
    t.is(status, 2, words.join(" "));
    t.true(err.includes(message), err);
  }
  const { err, status } = await run("--break", "steps.ptx:26", "--watch", "arg0+4");
  t.deepEqual([status, err], [0, ""]);
  const unseen = await ptxkit(
    ["run", "steps.ptx", "-k", "k", "-g", "1", "-b", "16", "-a", "f32[64]=0", "-a", "u32=16", "--break", "25"],
    { files },
  );
  t.is(unseen.err, "ptxkit: note: break 25: no thread came there\n");
});
