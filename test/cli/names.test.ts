// Options of link about names on the command line, and running an image with undefined symbols.

import test from "ava";
import { parseDefinition } from "../../cli/options/definition.js";
import { ptxkit, type Answer } from "./surroundings.js";

const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
const files = {
  "main.ptx": `${head}.extern .global .u32 shade;
.extern .const .u32 scale;
.extern .func (.param .b32 r) helper(.param .b32 x);
.visible .entry data(.param .u64 out)
{ .reg .b64 %o; .reg .b32 %a; ld.param.u64 %o, [out];
  ld.global.u32 %a, [shade];
  st.global.u32 [%o], %a; ret; }
.visible .entry constants(.param .u64 out)
{ .reg .b64 %o; .reg .b32 %a; ld.param.u64 %o, [out];
  ld.const.u32 %a, [scale];
  st.global.u32 [%o], %a; ret; }
.visible .entry code(.param .u64 out)
{ .reg .b64 %o; .reg .b32 %a; .param .b32 x; .param .b32 r; ld.param.u64 %o, [out]; st.param.b32 [x], 5;
  call (r), helper, (x);
  ld.param.b32 %a, [r]; st.global.u32 [%o], %a; ret; }
.visible .entry pointer(.param .u64 out)
{ .reg .b64 %o, %f; .reg .b32 %a; .param .b32 x; .param .b32 r; ld.param.u64 %o, [out]; st.param.b32 [x], 5;
  mov.u64 %f, helper;
  p: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (r), %f, (x), p;
  ld.param.b32 %a, [r]; st.global.u32 [%o], %a; ret; }
`,
  "lib.ptx": `${head}.visible .global .u32 table[4] = {10, 20, 30, 40};
.visible .const .u32 factors[2] = {7, 8};
.visible .func (.param .b32 r) plus100(.param .b32 x)
{ .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, 100; st.param.b32 [r], %a; ret; }
`,
};

const link = (line: string): Promise<Answer> => ptxkit(["link", ...line.split(" "), "-o", "out.img"], { files });

async function run(linked: Answer, kernel: string): Promise<Answer> {
  const image = linked.written.get("out.img")!;
  const words = ["run", "out.img", "-k", kernel, "-g", "1", "-b", "1", "-a", "u32[1]=0", "--json"];
  return ptxkit(words, { files: { "out.img": image } });
}

test("--defsym gives names to parts of variables, constants and functions, and the kernels find them", async (t) => {
  const linked = await link(
    "main.ptx lib.ptx --defsym shade=table+8 --defsym scale=factors+0x4 --defsym helper=alias --defsym alias=plus100",
  );
  t.is(linked.err, "");
  for (const [kernel, hex] of [
    ["data", "1e000000"],
    ["constants", "08000000"],
    ["code", "69000000"],
    ["pointer", "69000000"],
  ] as const) {
    const { out, status } = await run(linked, kernel);
    t.is(status, 0);
    t.true(out.includes(`"${hex}"`), `${kernel}: ${out}`);
  }
});

test("using a symbol that stayed undefined is a fault with its name", async (t) => {
  const linked = await link("main.ptx --unresolved-symbols=ignore-all");
  t.deepEqual([linked.status, linked.err], [0, ""]);
  for (const [kernel, line, name] of [
    ["data", 9, "shade"],
    ["constants", 13, "scale"],
    ["code", 17, "helper"],
    ["pointer", 23, "helper"],
  ] as const) {
    const { err, status } = await run(linked, kernel);
    t.is(status, 3);
    t.regex(
      err,
      new RegExp(`^main\\.ptx:${line}:1: error: .*'${name}', which no linked module defines.*\\[illegal-address\\]`),
    );
  }
});

test("calling an undefined driver function is a fault that says the driver provides it", async (t) => {
  const text = `${head}.extern .func cnpGetDevice;\n.visible .entry k()\n{\n  call cnpGetDevice;\n  ret; }\n`;
  const { err, status } = await ptxkit(["run", "a.ptx", "-k", "k", "-g", "1", "-b", "1"], { files: { "a.ptx": text } });
  t.is(status, 3);
  t.regex(
    err,
    /^a\.ptx:7:3: error: .*'cnpGetDevice', a function of the driver that is not simulated.*\[illegal-address\]/,
  );
});

test("which undefined symbols are errors", async (t) => {
  const errors = async (line: string): Promise<readonly string[]> => {
    const { err } = await link(line);
    return [...err.matchAll(/(error|warning): undefined symbol: (\w+)/g)].map(
      ([, severity, name]) => `${severity} ${name}`,
    );
  };
  const all = ["shade", "scale", "helper"];
  t.deepEqual(
    await errors("main.ptx"),
    all.map((name) => `error ${name}`),
  );
  t.deepEqual(
    await errors("main.ptx --unresolved-symbols=report-all"),
    all.map((name) => `error ${name}`),
  );
  t.deepEqual(await errors("main.ptx --unresolved-symbols=ignore-in-object-files"), []);
  t.deepEqual(await errors("main.ptx --ignore-unresolved-symbol s*"), ["error helper"]);
  t.deepEqual(await errors("main.ptx --warn-unresolved-symbols --ignore-unresolved-symbol shade"), [
    "warning scale",
    "warning helper",
  ]);
});

test("--export and --localize apply in their order", async (t) => {
  const names = async (line: string): Promise<readonly string[]> => {
    const linked = await link(`lib.ptx ${line}`);
    const { out } = await ptxkit(["inspect", "out.img", "--symbols"], {
      files: { "out.img": linked.written.get("out.img")! },
    });
    return [...out.matchAll(/(?:GLOBAL) .* (\w+)$/gm)].map(([, name]) => name!);
  };
  t.deepEqual(await names("--localize * --export plus*"), ["plus100"]);
  t.deepEqual(await names("--export plus* --localize *"), []);
});

test("definitions of --defsym", (t) => {
  t.deepEqual(parseDefinition("a=b"), { name: "a", base: "b", offset: 0n });
  t.deepEqual(parseDefinition("a = b + 0x10"), { name: "a", base: "b", offset: 16n });
  t.deepEqual(parseDefinition("$a=%b-4"), { name: "$a", base: "%b", offset: -4n });
  t.deepEqual(parseDefinition("a=0x1000"), { name: "a", offset: 4096n });
  for (const wrong of ["a", "a=", "=b", "a=b+c", "a=b+", "1=b", "a=b*2"])
    t.throws(() => parseDefinition(wrong), undefined, wrong);
});

test("a malformed --defsym, and --defsym with -r, are wrong command lines", async (t) => {
  const wrong = await link("main.ptx --defsym shade");
  t.is(wrong.status, 2);
  t.regex(wrong.err, /--defsym.*NAME=SYMBOL\+BYTES/);
  const partial = await link("main.ptx -r --defsym shade=table");
  t.is(partial.status, 2);
  t.regex(partial.err, /pass --defsym to the link that makes the image/);
});
