// Aliases of variables: a link that is given the module has the name for every other module.

import test from "ava";
import { linkSources, openDevice } from "../../lib/index.js";
import { ptxkit } from "./surroundings.js";

const owner = `@a = addrspace(1) global [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@b = alias i32, getelementptr ([4 x i32], ptr addrspace(1) @a, i64 0, i64 2)
@hidden = internal addrspace(1) global i32 7
@h = alias i32, ptr addrspace(1) @hidden
`;

const reader = (name: string): string => `@${name} = external addrspace(1) global i32
define ptx_kernel void @k(ptr %p) {
  %v = load i32, ptr addrspace(1) @${name}
  store i32 %v, ptr %p
  ret void
}
`;

const ptx = `.version 7.0
.target sm_75
.address_size 64
.extern .global .u32 b;
.visible .entry k(.param .u64 p) {
  .reg .b64 %a;
  .reg .b32 %r;
  ld.param.u64 %a, [p];
  ld.global.u32 %r, [b];
  st.u32 [%a], %r;
  ret;
}
`;

const files = { "a.ll": owner, "b.ll": reader("b"), "h.ll": reader("h"), "b.ptx": ptx };
const launch = ["-k", "k", "-g", "1", "-b", "1", "-a", "u32[1]=0"];

for (const [other, value] of [
  ["b.ll", "30"],
  ["b.ptx", "30"],
  ["h.ll", "7"],
] as const) {
  test(`${other} finds an alias of a.ll, in run and in an image`, async (t) => {
    const ran = await ptxkit(["run", "a.ll", other, ...launch], { files });
    t.deepEqual([ran.status, ran.err], [0, ""]);
    t.regex(ran.out, new RegExp(`  0: ${value}\n`));
    const linked = await ptxkit(["link", other, "a.ll", "-o", "x"], { files });
    t.deepEqual([linked.status, linked.err], [0, ""]);
    const image = linked.written.get("x")!;
    t.regex((await ptxkit(["run", "x", ...launch], { files: { x: image } })).out, new RegExp(`  0: ${value}\n`));
    const { out } = await ptxkit(["inspect", "x", "--symbols"], { files: { x: image } });
    t.regex(out, /GLOBAL .* b$/m);
  });
}

test("a module that defines the name, or declares it larger, is an error", async (t) => {
  const again = { ...files, "d.ll": "@b = addrspace(1) global i32 1\n", "w.ll": "@b = external addrspace(1) global [9 x i32]\ndefine ptr addrspace(1) @f() {\n  ret ptr addrspace(1) @b\n}\n" }; // prettier-ignore
  const twice = await ptxkit(["link", "a.ll", "d.ll", "-o", "x"], { files: again });
  t.is(twice.status, 1);
  t.regex(twice.err, /^d\.ll:1:1: error: duplicate symbol: b, defined by the alias in a\.ll and by a module/m);
  const wide = await ptxkit(["link", "a.ll", "w.ll", "-o", "x"], { files: again });
  t.is(wide.status, 1);
  t.regex(
    wide.err,
    /^w\.ll:1:1: error: 'b' reaches to byte 44 of the 16 bytes of 'a': .* the alias in a\.ll makes it/m,
  );
});

test("so does a link by the library", async (t) => {
  const device = openDevice(linkSources({ "a.ll": owner, "b.ll": reader("b") }));
  const result = device.alloc(new Uint8Array(4));
  await device.launch("k", { grid: 1, block: 1, args: [result] });
  t.deepEqual([...device.read(result, new Uint8Array(4))], [30, 0, 0, 0]);
});

test("PTX and objects have no such name, and say so", async (t) => {
  const emitted = await ptxkit(["link", "--emit", "ptx", "a.ll", "b.ll", "-o", "x.ptx"], { files });
  t.is(emitted.status, 0);
  t.regex(emitted.err, /b is no name of the merged module, which says a\+8 instead \[name-dropped\]/);
  for (const args of [
    ["as", "a.ll"],
    ["link", "-r", "a.ll", "-o", "r.o"],
  ]) {
    const { status, err } = await ptxkit(args, { files });
    t.is(status, 0);
    t.regex(err, /^a\.ll:2:1: warning: other modules cannot see '@b'.*\[nvvm-alias\]/m);
  }
});
