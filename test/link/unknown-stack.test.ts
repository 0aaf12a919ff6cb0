// Kernels with unknown stack size: one warning per link, whatever their number, with a call cycle of each group of
// functions (the tenth situation of situations.test.ts). Each case is linked alone and with a module that has undefined
// shared memory.

import test from "ava";
import { need } from "../../formats/bytes/malformed.js";
import { EIATTR, readInfo } from "../../formats/cuda/index.js";
import { readElf, sectionNamed } from "../../formats/elf/index.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText } from "./build.js";

/** Undefined shared memory. */
const unsupported = moduleText(
  ".extern .shared .u32 left;\n.visible .entry other() { .reg .b32 %r; ld.shared.u32 %r, [left]; ret; }",
);

const REMEDY =
  "help: give launches as much as the deepest calls need (cudaLimitStackSize); --print-call-graph shows who calls whom, and -Wno-unknown-stack says nothing of it\n";

/** Diagnostics, which are the same with and without that module. */
async function saidOf(
  text: string,
  ...more: readonly string[]
): Promise<{ readonly err: string; readonly status: number }> {
  const files = { "a.ptx": text, "b.ptx": unsupported };
  const plain = await ptxkit(["link", "a.ptx", "-o", "out", ...more], { files });
  const ordinary = await ptxkit(
    ["link", "a.ptx", "b.ptx", "--ignore-unresolved-symbol", "left", "-o", "out", ...more],
    { files },
  );
  if (ordinary.err !== plain.err) throw new Error(`${plain.err}\nis not\n${ordinary.err}`);
  return plain;
}

const fib = ".visible .func fib() {\n  call fib;\n  ret;\n}\n";
const kernels = (...names: readonly string[]) =>
  names.map((name) => `.visible .entry ${name}() {\n  call fib;\n  ret;\n}\n`).join("");

test("one function that calls itself", async (t) => {
  const { err, status } = await saidOf(moduleText(fib + kernels("k")));
  t.is(status, 0);
  t.is(
    err,
    "a.ptx:4:16: warning: the stack that kernel 'k' needs has no known size: 'fib' calls itself [unknown-stack]\n" +
      " 4 | .visible .func fib() {\n   |                ^~~\n" +
      REMEDY,
  );
});

test("a thousand kernels are one message", async (t) => {
  const names = Array.from({ length: 1000 }, (_, i) => `k${i}`);
  const { err } = await saidOf(moduleText(fib + kernels(...names)));
  t.is(err.split("\n").length, 5);
  t.regex(err, /^a\.ptx:4:16: warning: the stack that kernels 'k0', 'k1', 'k2' and 997 more need has no known size: /);
});

test("two cycles are a message and a note, and indirect calls are marked as possible", async (t) => {
  const { err } = await saidOf(
    moduleText(
      ".visible .func b();\n.visible .func a() {\n  call b;\n  ret;\n}\n.visible .func b() {\n  call a;\n  ret;\n}\n" +
        ".visible .func r() {\n  .reg .b64 %f;\n  mov.u64 %f, r;\n  P: .callprototype _ ();\n  call %f, (), P;\n  ret;\n}\n" +
        ".visible .entry k() {\n  call a;\n  call r;\n  ret;\n}\n.visible .entry without() { ret; }",
    ),
  );
  t.is(
    err,
    "a.ptx:9:16: warning: the stack that kernel 'k' needs has no known size: 'b' calls 'a', which calls 'b' [unknown-stack]\n" +
      " 9 | .visible .func b() {\n   |                ^\n" +
      "a.ptx:13:16: note: 'r' may call itself through a register\n" +
      " 13 | .visible .func r() {\n    |                ^\n" +
      REMEDY,
  );
});

test("no warning where no kernel reaches the cycle, for objects and texts, and where it is disabled", async (t) => {
  const idle = moduleText(`${fib}.visible .entry k() { ret; }`);
  t.is((await saidOf(idle)).err, "");
  const endless = moduleText(fib + kernels("k"));
  for (const other of ["-r", "--emit=ptx"])
    t.is((await ptxkit(["link", "a.ptx", other, "-o", "out"], { files: { "a.ptx": endless } })).err, "");
  t.is((await saidOf(endless, "-Wno-unknown-stack")).err, "");
  const { status, err } = await saidOf(endless, "--werror");
  t.is(status, 1);
  t.regex(err, /^a\.ptx:4:16: error: the stack .* \[-Werror\] \[unknown-stack\]\n/);
});

test("a call of an alias reaches its function's stack, as in nvlink's report", async (t) => {
  const text = moduleText(
    ".visible .func f();\n.visible .func f() {\n  .reg .u32 %z;\n  .reg .b64 %a;\n  bar.sync 5;\n  mov.u32 %z, %ctaid.z;\n  cvt.u64.u32 %a, %z;\n  st.volatile.u32 [%a], %z;\n  call f;\n  ret;\n}\n" +
      ".visible .func second();\n.alias second, f;\n.visible .entry k() {\n  call second;\n  ret;\n}\n",
  );
  const { err } = await saidOf(text);
  t.regex(err, /the stack that kernel 'k' needs has no known size: 'f' calls itself/);
  for (const more of [[], ["b.ptx", "--ignore-unresolved-symbol", "left"]]) {
    const around = { files: { "a.ptx": text, "b.ptx": unsupported } };
    const { written } = await ptxkit(["link", "a.ptx", ...more, "-o", "out"], around);
    const file = need(readElf(written.get("out")!));
    const { data, offset } = sectionNamed(file, ".nv.info.k")!;
    const said = new Map(need(readInfo(data, offset)).map(({ attribute, payload }) => [attribute, payload]));
    t.is(said.get(EIATTR.NUM_BARRIERS)?.[0], 6);
    t.true(said.has(EIATTR.CTAIDZ_USED));
    t.deepEqual([...(said.get(EIATTR.CRS_STACK_SIZE) ?? [])], [255, 255, 255, 255]);
  }
});
