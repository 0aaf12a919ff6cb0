// The fourteen situations that users of GPU linkers ask about most, and the diagnostics here. The numbers are those of
// the study behind the linker's design: (1) floods of undefined names, (2, 3) undefined names found at launch or never,
// (4) PTX versions, (5) numbered private names, (6) kernels with two parameter lists, (7) helpers defined in every
// module, (8) Unix's rules, (9) names of libraries, (10) floods of warnings, (11) functions of one module only, (12)
// odd and empty links, (13, 14) use as a library. Other tests cover the archives of (8).

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { ptxkit, type Answer } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

type Files = Readonly<Record<string, string | Uint8Array>>;

const run = (line: string, files: Files): Promise<Answer> => ptxkit(line.split(" "), { files });

/** A kernel that calls an undefined function in line 6. */
const caller = (callee: string, kernel = "k"): string =>
  moduleText(`.extern .func ${callee}();\n.visible .entry ${kernel}() {\n  call ${callee};\n  ret;\n}`);

const kernel = (name = "k", version = "8.5"): string =>
  moduleText(`.visible .entry ${name}() { ret; }`).replace("8.5", version);

interface Situation {
  readonly files: Files;
  readonly line: string;
  readonly status: number;
  /** Patterns for standard error. */
  readonly says: readonly RegExp[];
  readonly never?: RegExp;
}

const nccl = "_Z45ncclFunction_AllReduce_RING_SIMPLE_Sum_int8_tv";

const situations: Readonly<Record<string, Situation>> = {
  "1: one undefined name of five modules is one message, with three references and the count of the rest": {
    files: Object.fromEntries([0, 1, 2, 3, 4].map((i) => [`m${i}.ptx`, caller(nccl, `k${i}`)])),
    line: "link m0.ptx m1.ptx m2.ptx m3.ptx m4.ptx -o out",
    status: 1,
    says: [
      /^m0\.ptx:6:8: error: undefined symbol: \S+ \(ncclFunction_AllReduce_RING_SIMPLE_Sum_int8_t\(\)\)/,
      />>> referenced by m0\.ptx:6 in 'k0'\n>>> referenced by m1\.ptx:6 in 'k1'\n>>> referenced by m2\.ptx:6 in 'k2'\n>>> referenced 2 more times/,
      /declared as \.func/,
      /help: names in nccl\* come from NCCL/,
    ],
    never: /error: [^]*error: /,
  },
  "2: an undefined name is an error, and there is no output": {
    files: { "a.ptx": caller("_Z6helperv") },
    line: "link a.ptx -o out",
    status: 1,
    says: [/undefined symbol: _Z6helperv \(helper\(\)\)/],
  },
  "3: it is told when linking, with the line of the call": {
    files: { "a.ptx": caller("helper") },
    line: "link a.ptx -o out",
    status: 1,
    says: [/^a\.ptx:6:8: error: undefined symbol: helper/, /\n 6 \| +call helper;/],
  },
  "3: where the call is on several lines, as nvcc writes it, on that of the name": {
    files: { "a.ptx": caller("helper").replace("call helper;", "call.uni \n  helper, \n  ();") },
    line: "link a.ptx -o out",
    status: 1,
    says: [
      /^a\.ptx:7:3: error: undefined symbol: helper/,
      /\n 7 \| +helper, \n {3}\| {3}\^~~~~~\n>>> referenced by a\.ptx:7 in 'k'\n/,
    ],
  },
  "3: where a table of functions has the name, in the table": {
    files: { "a.ptx": moduleText(".extern .func helper();\n.visible .global .u64 table[2] = {\n  0,\n  helper\n};") },
    line: "link a.ptx -o out",
    status: 1,
    says: [
      /^a\.ptx:7:3: error: undefined symbol: helper \[undefined-symbol\]\n 7 \| {3}helper\n {3}\| {3}\^~~~~~\n>>> referenced by a\.ptx:7 in 'table'\n/,
    ],
  },
  "4: a version that is too old says what needs a newer one, and which": {
    files: { "a.ptx": kernel("k", "6.3") },
    line: "link a.ptx -o out",
    status: 1,
    says: [/a\.ptx:2:9: error: sm_80 needs PTX ISA 7\.0; this module is 6\.3/, /help: write \.version 7\.0/],
  },
  "5: numbered private names that clash show both definitions, and how to keep them apart": {
    files: {
      "a.ptx": moduleText(".weak .global .u32 x$53;"),
      "b.ptx": moduleText(".weak .global .u64 x$53;"),
    },
    line: "link a.ptx b.ptx -o out",
    status: 1,
    says: [/^b\.ptx:4:20: error: 'x\$53' has 8 bytes/, /a\.ptx:4:20: note: defined here/, /-r --localize 'x\$53'/],
  },
  "6: kernels of one name and two parameter lists show both": {
    files: {
      "a.ptx": moduleText(".weak .entry launch(.param .b64 p, .param .b32 n) { ret; }"),
      "b.ptx": moduleText(".weak .entry launch(.param .align 8 .b8 p[24]) { ret; }"),
    },
    line: "link a.ptx b.ptx -o out",
    status: 1,
    says: [
      /with 1 parameter here and 2 there: \.entry launch \(\.b8\[24\]\) in b\.ptx, \.entry launch \(\.b64, \.b32\) in a\.ptx/,
    ],
  },
  "7: a helper that every module defines alike is said to be identical, with the remedy": {
    files: { "a.ptx": moduleText(".visible .func f() { ret; }"), "b.ptx": moduleText("\n.visible .func f() { ret; }") },
    line: "link a.ptx b.ptx -o out",
    status: 1,
    says: [
      /^b\.ptx:5:16: error: duplicate symbol: f/,
      /both definitions are identical/,
      /\.weak.*--allow-multiple-definition/,
    ],
  },
  "7: and one that differs where it differs": {
    files: {
      "a.ptx": moduleText(".visible .func f() { ret; }"),
      "b.ptx": moduleText(".visible .func f() { exit; }"),
    },
    line: "link a.ptx b.ptx -o out",
    status: 1,
    says: [/b\.ptx has exit as instruction 1 and ret there, in a\.ptx/, /they are different things/],
    never: /identical/,
  },
  "7: --allow-multiple-definition takes the first": {
    files: { "a.ptx": kernel(), "b.ptx": kernel() },
    line: "link a.ptx b.ptx --allow-multiple-definition -o out",
    status: 0,
    says: [/warning: duplicate symbol: k.*that of a\.ptx counts/],
  },
  "8: a second name for a variable": {
    files: {
      "a.ptx": moduleText(".extern .global .u32 other;\n.visible .global .u64 p = other;"),
      "b.ptx": moduleText(".visible .global .u32 real = 7;"),
    },
    line: "link a.ptx b.ptx --defsym other=real -o out",
    status: 0,
    says: [/^$/],
  },
  "9: names of known libraries say which": {
    files: {
      "a.ptx": caller("__nv_expf"),
      "b.ptx": caller("__cudaCDP2Memcpy3DAsync", "j"),
      "c.ptx": caller("_Z3powdi", "i"),
    },
    line: "link a.ptx b.ptx c.ptx -o out",
    status: 1,
    says: [
      /__nv_\* are those of NVIDIA.s libdevice/,
      /__cudaCDP2\* come from the device runtime/,
      /pow\(double, int\) is an overload of the host's/,
    ],
  },
  "10: recursion is one line for the whole link, with the circle of calls": {
    files: {
      "a.ptx": moduleText(
        ".visible .func f();\n.visible .func g() { call f; ret; }\n.visible .func f() { call g; ret; }\n" +
          ".visible .entry k() { call f; ret; }\n.visible .entry l() { call g; ret; }",
      ),
    },
    line: "link a.ptx -o out",
    status: 0,
    says: [
      /^a\.ptx:6:16: warning: the stack that kernels 'k', 'l' need has no known size: 'f' calls 'g', which calls 'f' \[unknown-stack\]\n/,
      /help: .*-Wno-unknown-stack/,
    ],
    never: /warning[^]*warning/,
  },
  "11: a function that its module keeps to itself is pointed at": {
    files: { "a.ptx": caller("B"), "b.ptx": moduleText(".func B() { ret; }") },
    line: "link a.ptx b.ptx -o out",
    status: 1,
    says: [
      /undefined symbol: B/,
      /b\.ptx:4:7: note: \.func B \(\) is defined without \.visible in b\.ptx/,
      /-rdc=true/,
    ],
  },
  "11: so it is when no module has the function, because its compiler left it out": {
    files: { "a.ptx": caller("B"), "b.ptx": moduleText(".visible .func C() { ret; }") },
    line: "link a.ptx b.ptx -o out",
    status: 1,
    says: [/undefined symbol: B/, /help: link the module .*nvcc -rdc=true keeps what only other files use/],
  },
  "12: a module without anything in it makes a valid image": {
    files: { "empty.ptx": moduleText("") },
    line: "link empty.ptx -o out",
    status: 0,
    says: [/^$/],
  },
  "12: names of files mean nothing": {
    files: { "no-suffix": kernel() },
    line: "link no-suffix -o out",
    status: 0,
    says: [/^$/],
  },
  "12: what is not an input says what it is not": {
    files: { "noise.ptx": Uint8Array.of(0, 1, 2, 3) },
    line: "link noise.ptx -o out",
    status: 1,
    says: [/^noise\.ptx:0: error: .*neither text nor a known binary format/],
  },
};

for (const [what, { files, line, status, says, never }] of Object.entries(situations))
  test(what, async (t) => {
    const answer = await run(line, files);
    t.is(answer.status, status, answer.err);
    for (const pattern of says) t.regex(answer.err, pattern);
    if (never !== undefined) t.notRegex(answer.err, never);
    t.is(answer.written.has("out"), status === 0, "an output, and only then");
  });

test("4: the map lists each module's target and version", async (t) => {
  const { status, out } = await run("link a.ptx b.ptx -o out --map -", {
    "a.ptx": kernel(),
    "b.ptx": kernel("j", "8.8"),
  });
  t.is(status, 0);
  t.regex(out, /^Link map of out for sm_80, PTX 8\.8/);
  t.regex(out, / a\.ptx +sm_80 +8\.5 /);
  t.regex(out, / b\.ptx +sm_80 +8\.8 /);
});

test("4: the map of merged PTX, and inspect, list the drivers that load it, and which module raises the version", async (t) => {
  const files = { "a.ptx": kernel(), "b.ptx": kernel("j", "8.8") };
  const { out, written } = await run("link a.ptx b.ptx --emit ptx -o out --map -", files);
  t.regex(
    out,
    /^PTX 8\.8 needs driver r575 \(CUDA 12\.9\) or newer; b\.ptx is the first to say so late a version; --ptx-version/m,
  );
  t.regex(out, / a\.ptx +sm_80 +8\.5 [^]* b\.ptx +sm_80 +8\.8 /);
  const text = await run("inspect out", { out: written.get("out")! });
  t.regex(text.out, /^ +version +PTX 8\.8, which needs driver r575 \(CUDA 12\.9\) or newer$/m);
  const older = await run("link a.ptx b.ptx --emit ptx -o out --map - --ptx-version 7.0", files);
  t.regex(older.out, /^PTX 7\.0 needs driver r445 \(CUDA 11\.0\) or newer$/m);
});

test("4: --ptx-version writes an older version where no instruction needs a later one, or names the first that does", async (t) => {
  const files = {
    "a.ptx": kernel().replace("sm_80", "sm_90"),
    "b.ptx": moduleText(
      "\n.visible .func f() {\n  .reg .b32 %r;\n  .reg .pred %p;\n  elect.sync %r|%p, 0xffffffff;\n  ret;\n}",
      "sm_90",
    ),
  };
  const line = "link a.ptx b.ptx --arch sm_90 --emit ptx -o out --ptx-version";
  const older = await run(`${line} 8.0`, files);
  t.is(older.status, 0, older.err);
  t.regex(Buffer.from(older.written.get("out")!).toString(), /^\.version 8\.0\n\.target sm_90\n/);
  const oldest = await run(`${line} 7.8`, files);
  t.is(oldest.status, 1);
  t.is(
    oldest.err,
    "b.ptx:8:3: error: no merged module of PTX 7.8: elect.sync needs PTX 8.0 and sm_90 or newer; this module is PTX 7.8 for sm_90, in 'f' [not-in-version]\n" +
      " 8 |   elect.sync %r|%p, 0xffffffff;\n   |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n" +
      "help: --ptx-version 8.0 is the earliest that has all of it, for driver r525 (CUDA 12.0) or newer; " +
      "for older drivers compile this for PTX 7.8; a.ptx says 8.5, the latest here\n",
  );
  t.false(oldest.written.has("out"));
  t.regex(
    (await run(`${line} 7.0`, files)).err,
    /^ptxkit: error: no merged module of PTX 7\.0: sm_90 needs PTX ISA 7\.8/,
  );
  t.regex((await run(`${line} 12.0`, files)).err, /a version of the PTX ISA like 8\.4/);
  const image = await run("link a.ptx -o out --ptx-version 8.0", files);
  t.is(image.status, 2);
  t.regex(image.err, /--ptx-version requires --emit ptx/);
});

test("5: the suggested remedy keeps the names separate", async (t) => {
  const files = {
    "a.ptx": moduleText(".weak .global .u32 x$53 = 1;\n.visible .global .u64 p = x$53;"),
    "b.ptx": moduleText(".weak .global .u64 x$53 = 2;\n.visible .global .u64 q = x$53;"),
  };
  const part = await run("link -r b.ptx --localize x$53 -o b.o", files);
  t.is(part.status, 0, part.err);
  const whole = await run("link a.ptx b.o -o out", { ...files, "b.o": part.written.get("b.o")! });
  t.is(whole.status, 0, whole.err);
  t.is(whole.err, "");
});

test("13: the linker is a function of objects, which a program may keep between links", (t) => {
  const [library, first, second] = [
    objectOf("library.ptx", moduleText(".visible .func helper() { ret; }")),
    objectOf("first.ptx", caller("helper", "one")),
    objectOf("second.ptx", caller("helper", "two")),
  ];
  for (const main of [first, second]) {
    const sink = createSink();
    const image = linkObjects([main, library], {}, sink);
    t.deepEqual(sink.all, []);
    t.is(image!.kernels.length, 1);
  }
});

test("13: a library linked once, as an object in an archive, gives the image that its modules give", async (t) => {
  const files = {
    "one.ptx": moduleText(".extern .func inner();\n.visible .func helper() { call inner; ret; }"),
    "two.ptx": moduleText(".visible .func inner() { ret; }"),
    "first.ptx": caller("helper", "one"),
    "second.ptx": caller("helper", "two"),
  };
  const part = await run("link -r one.ptx two.ptx -o lib.o", files);
  t.is(part.err, "");
  const library = writeArchive([{ name: "lib.o", data: part.written.get("lib.o")! }]);
  for (const main of ["first.ptx", "second.ptx"]) {
    const [kept, anew] = await Promise.all([
      run(`link ${main} lib.a -o out`, { ...files, "lib.a": library }),
      run(`link ${main} one.ptx two.ptx -o out`, files),
    ]);
    t.is(kept.status, 0, kept.err);
    t.is(kept.err, "");
    t.deepEqual(kept.written.get("out"), anew.written.get("out"));
  }
});

test("14: an error is data: code, places, notes, remedy", async (t) => {
  const { status, err } = await run("link a.ptx -o out --diagnostics json", { "a.ptx": caller("helper") });
  t.is(status, 1);
  const { diagnostics } = JSON.parse(err) as {
    readonly diagnostics: readonly { readonly code: string; readonly place: unknown; readonly remedy: string }[];
  };
  t.deepEqual(
    diagnostics.map(({ code, place }) => ({ code, place })),
    [{ code: "undefined-symbol", place: { kind: "line", file: "a.ptx", line: 6, column: 8 } }],
  );
  t.true(diagnostics[0]!.remedy.length > 0);
});
