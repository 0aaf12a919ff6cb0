// NVVM IR on the command line, wherever PTX is accepted, and mixed with it.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { linkSources } from "../../lib/link/link-sources.js";
import { block, chars, writeBitcode, type Row } from "../nvvm/bitcode/writer.js";
import { ptxkit } from "./surroundings.js";

/** A kernel that adds another module's variable to a word. */
const kernel = `target triple = "nvptx64-nvidia-cuda"
declare i32 @more(i32)
define ptx_kernel void @k(ptr %p) {
  %v = load i32, ptr %p
  %w = call i32 @more(i32 %v)
  store i32 %w, ptr %p
  ret void
}
`;

/** NVVM IR 1.0. */
const helper = `@step = addrspace(1) global i32 5, align 4
define i32 @more(i32 %x) {
  %s = load i32 addrspace(1)* @step
  %r = add i32 %x, %s
  ret i32 %r
}
`;

const ptx = (target: string, body: string): string => `.version 8.0\n.target ${target}\n.address_size 64\n${body}\n`;
const helperPtx = ptx(
  "sm_90",
  ".visible .func (.param .b32 r) more(.param .b32 x) {\n.reg .b32 %a;\nld.param.b32 %a, [x];\nadd.s32 %a, %a, 7;\nst.param.b32 [r], %a;\nret;\n}",
);

const launch = ["-k", "k", "-g", "1", "-b", "1", "-a", "u32[1]=10"];
const result = /arg0 {2}u32\[1\]\n {2}0: (\d+)/;

const files = { "k.ll": kernel, "h.ll": helper, "h.ptx": helperPtx };

test("check is silent when a module is right, and names rule, line and column when not", async (t) => {
  const right = await ptxkit(["check", "k.ll", "h.ll", "h.ptx"], { files });
  t.deepEqual([right.status, right.out, right.err], [0, "", ""]);
  const wrong = await ptxkit(["check", "a.ll"], { files: { "a.ll": "@a = global i32 1\n@b = global i64 @a\n" } });
  t.is(wrong.status, 1);
  t.regex(wrong.err, /^a\.ll:2:\d+: error: .* \[nvvm-/);
  t.regex(wrong.err, /\n 2 \| @b = global i64 @a\n/);
});

test("run links NVVM IR with itself and with PTX, whose target it takes on", async (t) => {
  const own = await ptxkit(["run", "k.ll", "h.ll", ...launch], { files });
  t.is(own.status, 0, own.err);
  t.is(result.exec(own.out)?.[1], "15");
  for (const order of [
    ["k.ll", "h.ptx"],
    ["h.ptx", "k.ll"],
  ]) {
    const mixed = await ptxkit(["run", ...order, ...launch], { files });
    t.is(mixed.status, 0, mixed.err);
    t.is(result.exec(mixed.out)?.[1], "17");
  }
});

test("as makes an object that links like any other; archives, --start-lib, response files and standard input take NVVM IR", async (t) => {
  const object = await ptxkit(["as", "--arch", "sm_90", "k.ll"], { files });
  t.is(object.status, 0, object.err);
  const library = writeArchive([{ name: "h.ll", data: Buffer.from(helper) }]);
  const all = {
    ...files,
    "k.o": object.written.get("k.o")!,
    "lib.a": library,
    inputs: "k.ll\n--start-lib h.ll --end-lib",
  };
  const lines = [
    ["k.o", "h.ptx"],
    ["k.o", "lib.a"],
    ["k.ll", "lib.a"],
    ["--whole-archive", "lib.a", "k.ll"],
    ["k.ll", "--start-lib", "h.ll", "--end-lib"],
    ["@inputs"],
    ["-", "h.ll"],
  ];
  for (const line of lines) {
    const linked = await ptxkit(["link", ...line, "-o", "x"], { files: all, stdin: kernel });
    t.is(linked.status, 0, `${line.join(" ")}: ${linked.err}`);
    const ran = await ptxkit(["run", "x", ...launch], { files: { x: linked.written.get("x")! } });
    t.is(result.exec(ran.out)?.[1], line.includes("h.ptx") ? "17" : "15", ran.err);
  }
});

test("a file after --start-lib contributes the functions that are needed, an archive whole members", async (t) => {
  const library = `${helper}define i32 @unused(i32 %x) {\n  %r = call i32 @nowhere(i32 %x)\n  ret i32 %r\n}\ndeclare i32 @nowhere(i32)\n`;
  const archive = writeArchive([
    { name: "h.ll", data: Buffer.from(helper) },
    { name: "u.ll", data: Buffer.from("define i32 @unused(i32 %x) {\n  ret i32 %x\n}\n") },
  ]);
  const all = { ...files, "l.ll": library, "l.a": archive };
  const symbolsOf = async (...inputs: readonly string[]): Promise<string> => {
    const { status, err, written } = await ptxkit(["link", ...inputs, "-o", "x"], { files: all });
    t.is(status, 0, err);
    return (await ptxkit(["inspect", "x", "--symbols"], { files: { x: written.get("x")! } })).out;
  };
  for (const inputs of [
    ["k.ll", "--start-lib", "l.ll", "--end-lib"],
    ["k.ll", "l.a"],
  ]) {
    const symbols = await symbolsOf(...inputs);
    t.regex(symbols, / more$/m);
    t.regex(symbols, / step$/m);
    t.notRegex(symbols, /unused|nowhere/);
  }
  t.regex((await ptxkit(["link", "k.ll", "l.ll", "-o", "x"], { files: all })).err, /undefined symbol: nowhere/);
});

test("annotations of a declaration reach a definition in an archive or after --start-lib", async (t) => {
  const plain = "define void @k(ptr %p) {\n store i32 9, ptr %p\n ret void\n}\n";
  const says = 'declare void @k(ptr)\n!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !"kernel", i32 1}\n';
  const all = { "d.ll": plain, "s.ll": says, "s.a": writeArchive([{ name: "s.ll", data: Buffer.from(says) }]) };
  for (const inputs of [
    ["d.ll", "s.a"],
    ["d.ll", "--start-lib", "s.ll", "--end-lib"],
  ]) {
    const ran = await ptxkit(["run", ...inputs, ...launch], { files: all });
    t.is(result.exec(ran.out)?.[1], "9", ran.err);
  }
});

test("the target is --arch, else that of the PTX and objects of the command line, else sm_75", async (t) => {
  const library = writeArchive([{ name: "h.ptx", data: Buffer.from(helperPtx) }]);
  const targetOf = async (...inputs: readonly string[]): Promise<string | undefined> => {
    const { status, written, err } = await ptxkit(["link", ...inputs, "-o", "x"], {
      files: { ...files, "lib.a": library },
    });
    t.is(status, 0, err);
    const { out } = await ptxkit(["inspect", "x"], { files: { x: written.get("x")! } });
    return /target +(\S+)/.exec(out)?.[1];
  };
  t.is(await targetOf("k.ll", "h.ll"), "sm_75");
  t.is(await targetOf("k.ll", "h.ptx"), "sm_90");
  t.is(await targetOf("k.ll", "lib.a"), "sm_90");
  t.is(await targetOf("--arch", "sm_80", "k.ll", "h.ll"), "sm_80");
});

test("annotations of a declaration reach the definition in another module, but not with `as`", async (t) => {
  const plain = "define void @k(ptr %p) {\n store i32 9, ptr %p\n ret void\n}\n";
  const says = (value: number): string =>
    `declare void @k(ptr)\n!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !"kernel", i32 1, !"maxntidx", i32 ${value}}\n`;
  const ran = await ptxkit(["run", "a.ll", "b.ll", ...launch], { files: { "a.ll": plain, "b.ll": says(64) } });
  t.is(result.exec(ran.out)?.[1], "9", ran.err);
  const alone = await ptxkit(["as", "b.ll"], { files: { "b.ll": says(64) } });
  t.is(alone.status, 0);
  t.regex(alone.err, /^b\.ll:1:14: warning: .*'kernel', 'maxntidx'.*\[nvvm-annotation-elsewhere\]/);
  const both = await ptxkit(["link", "a.ll", "b.ll", "c.ll", "-o", "x"], {
    files: { "a.ll": plain, "b.ll": says(64), "c.ll": says(32) },
  });
  t.is(both.status, 1);
  t.regex(both.err, /^a\.ll:1:13: error: .*\[nvvm-annotation\]/m);
});

test("link errors, faults and object lines name the line of the NVVM IR", async (t) => {
  const undefinedName = await ptxkit(["link", "k.ll", "-o", "x"], { files });
  t.is(undefinedName.status, 1);
  t.regex(undefinedName.err, /^k\.ll:5:\d+: error: undefined symbol: more \[undefined-symbol\]\n 5 \|/);
  const twice = await ptxkit(["link", "k.ll", "h.ll", "h.ptx", "-o", "x"], { files });
  t.regex(twice.err, />>> defined at h\.ll:2/);
  const fault = kernel.replace("load i32, ptr %p", "load i32, ptr null");
  const ran = await ptxkit(["run", "k.ll", "h.ll", ...launch], { files: { ...files, "k.ll": fault } });
  t.is(ran.status, 3);
  t.regex(ran.err, /^k\.ll:4:3: error: .*\[illegal-address\]/);
});

test("--emit ptx gives the PTX that was made", async (t) => {
  const { status, written, err } = await ptxkit(["link", "--emit", "ptx", "k.ll", "h.ll", "-o", "x.ptx"], { files });
  t.is(status, 0, err);
  const text = Buffer.from(written.get("x.ptx")!).toString();
  t.regex(text, /^\.version 6\.3\n\.target sm_75\n/m);
  const checked = await ptxkit(["check", "x.ptx"], { files: { "x.ptx": text } });
  t.deepEqual([checked.status, checked.err], [0, ""]);
});

test("--nvvm sets how float arithmetic is lowered, and refuses unknown settings", async (t) => {
  const division = "define float @f(float %a, float %b) {\n %q = fdiv float %a, %b\n ret float %q\n}\n";
  const made = async (...words: readonly string[]): Promise<string> => {
    const line = ["link", "-r", "--emit", "ptx", ...words, "a.ll", "-o", "x"];
    return Buffer.from((await ptxkit(line, { files: { "a.ll": division } })).written.get("x")!).toString();
  };
  t.regex(await made(), /div\.rn\.f32/);
  t.regex(await made("--nvvm", "ftz=1"), /div\.rn\.ftz\.f32/);
  t.regex(await made("--nvvm", "prec-div=0", "--nvvm", "ftz=1"), /div\.full\.ftz\.f32/);
  const refused = async (setting: string): Promise<string> =>
    (await ptxkit(["check", "--nvvm", setting, "k.ll"], { files })).err;
  t.regex(await refused("ftx=1"), /there is no setting 'ftx'; did you mean 'ftz'\?/);
  t.regex(await refused("ftz=2"), /ftz is 0 or 1/);
  t.regex(await refused("ftz"), /ftz is 0 or 1/);
  t.regex(await refused(""), /a setting is expected/);
});

test("inspect shows kernels, functions, variables, annotations, version and dialect", async (t) => {
  const old = `${helper}define void @k() { ret void }
!nvvm.annotations = !{!0}
!0 = metadata !{void ()* @k, metadata !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = metadata !{i32 1, i32 0}
`;
  const { out, status } = await ptxkit(["inspect", "a.ll"], { files: { "a.ll": old } });
  t.is(status, 0);
  for (const said of [
    /NVVM IR module/,
    /dialect +NVVM IR 1\.0, text/,
    /NVVM IR +1\.0/,
    /k +kernel 1/,
    /Kernel k/,
    /Function more/,
    /step/,
  ])
    t.regex(out, said);
  const json = JSON.parse((await ptxkit(["inspect", "--json", "k.ll"], { files })).out) as Record<string, unknown>;
  t.is(json["kind"], "nvvm");
  t.like(json["nvvm"], { form: "text", dialect: "opaque pointers", triple: "nvptx64-nvidia-cuda" });
});

test("linkSources takes NVVM IR as text", (t) => {
  const image = linkSources({ "k.ll": kernel, "h.ptx": helperPtx });
  t.is(image.target.name, "sm_90");
  const error = t.throws(() => linkSources({ "k.ll": kernel }));
  t.regex(error.message, /k\.ll:5:\d+: error: undefined symbol: more/);
});

test("a file that is not NVVM IR for a GPU is refused, with what it is", async (t) => {
  const host = 'target triple = "x86_64-unknown-linux-gnu"\ndefine void @f() { ret void }\n';
  t.regex((await ptxkit(["check", "a.ll"], { files: { "a.ll": host } })).err, /^a\.ll:1:\d+: error: .*\[nvvm-triple\]/);
  const lto = Uint8Array.of(0x7f, 0x4e, 0x43, 0xed, 1, 0, 0, 0);
  t.regex((await ptxkit(["link", "a.bc", "-o", "x"], { files: { "a.bc": lto } })).err, /LTO-IR \(nvcc -dlto\)/);
});

test("bitcode has no lines, so that no message shows one", async (t) => {
  // define void @f() { call void @g() ret void }, and @g declared.
  const types = block(17, [1, 3], [2], [21, 0, 0], [8, 1, 0]);
  const functions: readonly Row[] = [
    [8, 2, 0, 0, 0, 0, 0, 0, 0],
    [8, 2, 0, 1, 0, 0, 0, 0, 0],
  ];
  const names = block(14, [1, 0, ...chars("f")], [1, 1, ...chars("g")]);
  const bytes = writeBitcode(block(8, [1, 1], types, ...functions, block(12, [1, 1], [34, 0, 0, 1], [10]), names));
  const { status, err } = await ptxkit(["link", "f.bc", "-o", "x"], { files: { "f.bc": bytes } });
  t.is(status, 1);
  t.regex(err, /^f\.bc:1:1: error: undefined symbol: g \[undefined-symbol\]\n>>> referenced by f\.bc:1 in 'f'\n/);
  t.notRegex(err, /\d \| /);
});
