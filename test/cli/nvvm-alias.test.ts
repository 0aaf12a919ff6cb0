// Aliases of variables are visible to other modules, whether theirs is linked directly, as an object or as an archive
// member.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
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

test("the same holds for a link through the library", async (t) => {
  const device = openDevice(linkSources({ "a.ll": owner, "b.ll": reader("b") }));
  const result = device.alloc(new Uint8Array(4));
  await device.launch("k", { grid: 1, block: 1, args: [result] });
  t.deepEqual([...device.read(result, new Uint8Array(4))], [30, 0, 0, 0]);
});

test("merged PTX cannot declare such an alias, and a message says so", async (t) => {
  for (const how of [[], ["-r"]]) {
    const emitted = await ptxkit(["link", ...how, "--emit", "ptx", "a.ll", "b.ll", "-o", "x.ptx"], { files });
    t.is(emitted.status, 0);
    t.regex(emitted.err, /b is not a name in the merged module, which uses a\+8 instead \[name-dropped\]/);
    t.regex(Buffer.from(emitted.written.get("x.ptx")!).toString(), /\ba\+8\b/);
  }
});

/** What the kernel of `with` reads from variables of objects and archives that `steps` make. */
async function readBy(steps: readonly (readonly string[])[], link: readonly string[], given = files) {
  const all: Record<string, string | Uint8Array> = { ...given };
  for (const step of steps) {
    const { status, err, written } = await ptxkit(step, { files: all });
    if (status !== 0 || err !== "") return `${step.join(" ")}: ${err}`;
    for (const [name, bytes] of written) all[name] = bytes;
  }
  const { out, err } = await ptxkit(["run", ...link, ...launch], { files: all });
  return /  0: (\d+)\n/.exec(out)?.[1] ?? err;
}

const as = (name: string): readonly string[] => ["as", `${name}.ll`, "-o", `${name}.o`];

test("an object declares its aliases", async (t) => {
  for (const [name, value] of [
    ["b", "30"],
    ["h", "7"],
  ] as const) {
    // prettier-ignore
    t.is(await readBy([as("a")], ["a.o", `${name}.ll`]), value);
    t.is(await readBy([as("a"), as(name)], [`${name}.o`, "a.o"]), value);
  }
  t.is(await readBy([as("a")], ["b.ptx", "a.o"]), "30");
  const object = (await ptxkit(as("a"), { files })).written.get("a.o")!;
  const { out } = await ptxkit(["inspect", "a.o"], { files: { "a.o": object } });
  t.regex(out, /^  aliases +b = a\+8, h = __ptxkit_\w+_hidden$/m);
  t.notRegex(out, /undefined/);
});

test("so does an object of -r, which links like its inputs", async (t) => {
  const join = (...names: string[]): readonly string[] => ["link", "-r", ...names, "-o", "r.o"];
  t.is(await readBy([join("a.ll")], ["b.ll", "r.o"]), "30");
  t.is(await readBy([join("a.ll", "b.ll")], ["r.o"]), "30");
  t.is(await readBy([as("a"), as("b"), join("b.o", "a.o")], ["r.o"]), "30");
  t.is(await readBy([as("a"), join("a.o"), ["link", "-r", "r.o", "-o", "q.o"]], ["h.ll", "q.o"]), "7");
  t.is(await readBy([join("--gc-sections", "a.ll", "b.ll")], ["r.o"]), "30");
});

test("an archive member is extracted for an alias that it defines", async (t) => {
  const member = await ptxkit(["as", "a.ll", "-o", "a.o"], { files });
  for (const [name, bytes] of [
    ["a.o", member.written.get("a.o")!],
    ["a.ll", Buffer.from(owner)],
  ] as const) {
    // prettier-ignore
    const archive = { ...files, "l.a": writeArchive([{ name, data: bytes }]) };
    t.is(await readBy([], ["b.ll", "l.a"], archive as typeof files), "30", name);
  }
  t.is(await readBy([as("a")], ["h.ll", "--start-lib", "a.o", "--end-lib"]), "7");
  t.is(await readBy([], ["h.ll", "--start-lib", "a.ll", "--end-lib"]), "7");
});

test("a weak alias yields to any definition, and two strong ones are an error", async (t) => {
  const weak = { ...files, "w.ll": "@v = addrspace(1) global i32 1\n@b = weak alias i32, ptr addrspace(1) @v\n", "d.ll": "@b = addrspace(1) global i32 2\n" }; // prettier-ignore
  t.is(await readBy([], ["w.ll", "b.ll"], weak), "1");
  for (const [strong, value] of [
    ["a", "30"],
    ["d", "2"],
  ] as const) {
    // prettier-ignore
    t.is(await readBy([], ["w.ll", `${strong}.ll`, "b.ll"], weak), value);
    t.is(await readBy([as("w"), as(strong)], [`${strong}.o`, "w.o", "b.ll"], weak), value);
    t.is(await readBy([["link", "-r", "w.ll", `${strong}.ll`, "-o", "r.o"]], ["r.o", "b.ll"], weak), value);
  }
  const again = { ...files, "c.ll": owner.replace("@a =", "@a2 =").replace(" @a,", " @a2,").replaceAll("hidden", "c") };
  for (const how of [[], ["-r"]]) {
    const { status, err } = await ptxkit(["link", ...how, "a.ll", "c.ll", "-o", "x"], { files: again });
    t.is(status, 1);
    t.regex(err, /duplicate symbol: b\b/);
  }
});

test("an alias past the end of its variable is local to its module", async (t) => {
  const outside = "@a = addrspace(1) global i32 1\n@b = alias i32, getelementptr (i32, ptr addrspace(1) @a, i64 -1)\n";
  const { status, err } = await ptxkit(["as", "o.ll"], { files: { "o.ll": outside } });
  t.is(status, 0);
  t.regex(
    err,
    /^o\.ll:2:1: warning: other modules cannot see '@b': it is -4 bytes from '@a', which has 4 \[nvvm-alias\]/m,
  );
});
