// One program in every form of input: texts, objects, whole archives, objects joined by -r. For each output and option,
// output and diagnostics are the same, except for the file or member that a module came in.

import test from "ava";
import { sample } from "../sample.js";
import { writeArchive } from "../../formats/ar/index.js";
import { writeObject } from "../../lib/object/file/write.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

/** Static variables of one name, weak and common definitions, an alias, a texture, shared memory, constants, lines. */
const texts: Readonly<Record<string, string>> = {
  "a.ptx": moduleText(`
    .file 1 "a.cu"
    .extern .global .u32 table[4];
    .extern .const .f32 coef[2];
    .extern .shared .align 16 .b8 dyn[];
    .common .global .u32 pool[4];
    .weak .global .u32 opt = 1;
    .visible .global .texref tex;
    .func helper() { .reg .u32 %a; ld.global.u32 %a, [count]; ret; }
    .global .u64 hooks[2] = {helper, generic(opt)};
    .shared .u32 tile[4];
    .extern .func second();
    .weak .func wfun() { .loc 1 7 1
      ret; }
    .func dead() { .reg .u32 %a; ld.global.u32 %a, [table]; ret; }
    .visible .entry k(.param .u64 out) {
      .reg .u32 %a; .reg .u64 %q; .reg .f32 %f;
      .loc 1 9 1
      ld.global.u32 %a, [table+4]; ld.const.f32 %f, [coef]; mov.u64 %q, hooks; ld.global.u32 %a, [pool];
      st.shared.u32 [tile], %a; st.shared.u32 [dyn], %a; call second; call wfun; call helper; ret; }`).replace(
    '.file 1 "a.cu"',
    '.file 1 "a.cu"\n.global .u32 count = 5;',
  ),
  "b.ptx": moduleText(`
    .visible .global .u32 table[4] = {1, 2, 3, 4};
    .common .global .u32 pool[6];
    .weak .global .u32 opt = 2;
    .global .u32 count = 6;
    .shared .u32 tile[2];
    .weak .func wfun() { .reg .u32 %a; mov.u32 %a, 1; ret; }
    .visible .func first() { .reg .u32 %a; ld.global.u32 %a, [count]; st.shared.u32 [tile], %a; ret; }
    .visible .func second;
    .alias second, first;`),
  "c.ptx": moduleText(`
    .visible .const .f32 coef[2] = {1.0, 2.0};
    .extern .global .texref tex;
    .global .u32 count = 7;
    .visible .global .u64 addrs[2] = {count, generic(count)};
    .func helper() { ret; }
    .visible .entry other() { .reg .u32 %a; .reg .f32 %f<4>; mov.u32 %a, 0;
      tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex, {%a}]; call helper; ret; }`),
};
const names = Object.keys(texts);
const objects = Object.fromEntries(names.map((name) => [name, writeObject(objectOf(name, texts[name]!))]));
const members = names.map((name) => ({ name, data: objects[name]! }));

interface Form {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly line: string;
}

// Whole, because a kernel is not extracted from an archive without `-u`.
const whole = "--whole-archive lib.a --no-whole-archive";
const forms: Readonly<Record<string, Form>> = {
  objects: { files: objects, line: names.join(" ") },
  both: { files: { ...objects, "b.ptx": texts["b.ptx"]! }, line: names.join(" ") },
  archive: { files: { "lib.a": writeArchive(members) }, line: whole },
  members: {
    files: { "lib.a": writeArchive(members.slice(1)), "a.ptx": texts["a.ptx"]! },
    line: "a.ptx lib.a",
  },
  lazy: { files: texts, line: `a.ptx --start-lib ${names.slice(1).join(" ")} --end-lib` },
};

const outputs = [
  "",
  "-r",
  "--emit ptx",
  "-r --emit ptx",
  "--gc-sections",
  "-r --gc-sections",
  "--emit ptx --gc-sections",
];

/** Options of an image are refused for other outputs, in the same way for each form. */
const options: readonly string[] = [
  "--map m.json",
  "--cref --print-dependencies",
  "-y count -y pool -y second -y dyn --json",
  "--print-memory-usage --print-call-graph",
  "--why-live * --print-gc-sections",
  "--detect-odr-violations --warn-common",
  "--emit-relocs",
  "--build-id -S",
  "--wrap second --unresolved-symbols=ignore-all",
  "--defsym third=first --require-defined table",
  "--localize * --export table",
  "--export count",
  "--sort-section name",
  "--require-defined nobody",
];

/**
 * Diagnostics without the object or member that a module came in, without lines of unavailable texts, and with the
 * columns of tables joined.
 */
const plainly = (said: string): string =>
  said
    .replaceAll(/lib\.a\((\w\.ptx)\)/g, "$1")
    .replaceAll(/ \(in \w\.ptx\)| of \w\.ptx\b/g, "")
    .replaceAll(/^ *\d* \| .*\n/gm, "")
    .replaceAll(/^>>> +\w\.ptx\n/gm, "")
    .replaceAll(/^(\w\.ptx:\d+):\d+:/gm, "$1:");

/** As text, because comparing strings is fast. */
const latin1 = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString("latin1");

const withoutObjects = (json: string): unknown =>
  JSON.parse(json, (key: string, value: unknown) => (key === "object" ? undefined : value));

async function outcome({ files, line }: Form, how: string) {
  const { status, out, err, written } = await ptxkit(`link ${how} -u other ${line} -o out`.trim().split(/ +/), {
    files,
  });
  const map = written.get("m.json");
  return {
    status,
    out: out.startsWith("{") ? withoutObjects(plainly(out)) : plainly(out),
    err: plainly(err),
    output: latin1(written.get("out")),
    map: map && withoutObjects(plainly(Buffer.from(map).toString())),
  };
}

for (const output of outputs)
  test(`forms of input agree: link ${output === "" ? "to an image" : output}`, async (t) => {
    for (const option of sample(options, 16, { name: (each) => output + each })) {
      const how = `${output} ${option}`;
      const expected = await outcome({ files: texts, line: names.join(" ") }, how);
      t.true(expected.status <= 2, how);
      t.is(expected.status === 0, expected.output !== undefined, how);
      for (const [name, form] of Object.entries(forms))
        t.deepEqual(await outcome(form, how), expected, `${name}: ${how}`);
    }
  });

test("an option on a link of -r's output has the effect of that option on a link of its parts", async (t) => {
  const all = { files: objects, line: names.join(" ") };
  for (const [grouped, line] of [
    ["a.ptx b.ptx", "joined c.ptx"],
    ["b.ptx c.ptx", "a.ptx joined"],
    ["a.ptx b.ptx c.ptx", "joined"],
  ] as const) {
    const joined = Buffer.from((await outcome({ files: objects, line: grouped }, "-r")).output!, "latin1");
    for (const option of [
      "--emit-relocs",
      "--build-id",
      "-S",
      "-s",
      "--debug-line",
      "--localize * --export table",
      "--defsym third=first",
      "--sort-section name",
      "--sort-section alignment",
      "--reverse-sections",
      "--gc-sections --no-keep-exports",
      "--emit ptx",
      "--emit ptx --gc-sections --no-keep-exports",
    ]) {
      const made = (await outcome({ files: { ...objects, joined }, line }, option)).output;
      t.truthy(made, option);
      t.is(made, (await outcome(all, option)).output, `${option} ${line}`);
    }
  }
});

/**
 * A module for each kind of fault, with lines and debug sections. Each form of input must report it in the same words.
 */
const faulty: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  undefined: {
    "a.ptx": moduleText(`
      .file 1 "a.cu"
      .extern .func _Z3fooi();
      .extern .global .u32 valeu;
      .visible .entry k() { .reg .u64 %q;
        .loc 1 3 1
        call _Z3fooi; mov.u64 %q, valeu; ret; }`),
    "b.ptx": moduleText(`
      .extern .func _Z3fooi();
      .global .u32 valeu;
      .visible .global .u32 value;
      .visible .func _Z3foof() { call _Z3fooi; ret; }`),
  },
  duplicate: {
    "a.ptx": moduleText(".visible .global .u32 x = 1; .visible .func f() { ret; }"),
    "b.ptx": moduleText(".visible .global .u32 x = 2; .visible .func f() { ret; }"),
    "c.ptx": moduleText(".visible .global .u32 x = 2; .extern .func f(.param .u32 a);"),
  },
  odd: {
    "a.ptx": moduleText(
      ".visible .global .u32 x[2]; .visible .global .u32 s; .weak .global .u32 t; .weak .global .u32 m = 0;",
    ),
    "b.ptx": moduleText(
      ".extern .global .u32 x[3]; .extern .const .u32 s; .extern .global .f32 t; .visible .global .attribute(.managed) .u32 m;",
    ),
    "c.ptx": moduleText(".extern .global .u32 x[2]; .extern .func s(); .extern .global .align 16 .u32 t;"),
  },
  targets: {
    "a.ptx": moduleText(".visible .entry k() { ret; }", "sm_90a"),
    "b.ptx": moduleText(".visible .func f() { ret; }"),
  },
  limits: {
    "a.ptx": moduleText(".visible .const .b8 big[40000]; .weak .shared .b8 most[30000];"),
    "b.ptx": moduleText(`.const .b8 large[30000]; .shared .b8 more[30000]; .extern .shared .b8 most[30000];
      .visible .entry k() { .reg .u64 %q; mov.u64 %q, most; mov.u64 %q, more; ret; }`),
  },
  lines: Object.fromEntries(
    ["a", "b"].map((name) => [
      `${name}.ptx`,
      moduleText(`
        .file 1 "same.cu"
        .visible .entry k${name}() {
          .loc 1 4 1
        $Lfrom:
          ret;
        $Lto: }
        .section .debug_abbrev { .b8 1,17,0,16,6,17,1,18,1,0,0,0 }
        .section .debug_info {
          .b32 28
          .b8 2,0
          .b32 .debug_abbrev
          .b8 8,1
          .b32 .debug_line
          .b64 $Lfrom
          .b64 $Lto
        }
        .section .debug_line { }`),
    ]),
  ),
};
/** Code of the diagnostic of each when an image is linked. */
const codes: Readonly<Record<string, string>> = {
  undefined: "undefined-symbol undefined-symbol",
  duplicate: "duplicate-symbol duplicate-symbol",
  odd: "symbol-size symbol-space symbol-type symbol-align symbol-managed",
  targets: "incompatible-target",
  limits: "constant-bank shared-limit",
  lines: "",
};
const diagnosed: readonly string[] = [
  "",
  "--map m.json",
  "--require-defined nobody --why-live *",
  "--cref --print-gc-sections --error-limit 1",
  "-S --warn-unresolved-symbols",
  "--allow-multiple-definition --werror",
];

for (const [fault, given] of Object.entries(faulty))
  test(`forms of input agree on faults and debug sections: ${fault}`, async (t) => {
    const line = Object.keys(given).join(" ");
    const { err } = await outcome({ files: given, line }, "");
    t.is([...err.matchAll(/: (?:error|warning): .*\[(.*)\]$/gm)].map(([, code]) => code).join(" "), codes[fault]!);
    const made = Object.fromEntries(
      Object.entries(given).map(([name, text]) => [name, writeObject(objectOf(name, text))]),
    );
    const archive = writeArchive(Object.entries(made).map(([name, data]) => ({ name, data })));
    for (const output of outputs)
      for (const option of sample(diagnosed, 16, { name: (each) => fault + output + each })) {
        const how = `${output} ${option}`;
        const expected = await outcome({ files: given, line }, how);
        t.is(expected.status === 0, expected.output !== undefined, how);
        t.is(expected.status !== 0, expected.err.includes(": error:"), how);
        for (const [name, form] of Object.entries<Form>({
          objects: { files: made, line },
          archive: { files: { "lib.a": archive }, line: whole },
          mixed: { files: { ...given, "a.ptx": made["a.ptx"]! }, line },
        }))
          t.deepEqual(await outcome(form, how), expected, `${name}: ${how}`);
      }
  });

test("-r reports conflicting declarations and undefined roots together", async (t) => {
  const { "a.ptx": a, "b.ptx": b } = faulty["duplicate"]!;
  // A module with another .target option.
  const spare = moduleText(".visible .global .u32 other = 5;", "sm_80, texmode_unified");
  for (const files of [
    { "a.ptx": a!, "b.ptx": b! },
    { "a.ptx": a!, "b.ptx": b!, "spare.ptx": spare },
  ]) {
    const { status, err } = await outcome(
      { files, line: Object.keys(files).join(" ") },
      "-r --gc-sections --require-defined nobody",
    );
    t.is(status, 1);
    t.regex(err, /duplicate symbol: x/);
    t.regex(err, /nobody/);
  }
});

test("references from several modules of one object are all listed, module by module", async (t) => {
  const files = {
    "a.ptx": moduleText(`.extern .func gone();


      .func same() { call gone; ret; }`),
    "b.ptx": moduleText(`.extern .func gone();
      .func first() { call gone; ret; }

      .func same() { call gone; ret; }`),
  };
  const apart = await outcome({ files, line: "a.ptx b.ptx" }, "");
  const joined = Buffer.from((await outcome({ files, line: "a.ptx b.ptx" }, "-r")).output!, "latin1");
  const together = await outcome({ files: { joined }, line: "joined" }, "");
  const references = (err: string) => err.match(/referenced by \S+ in '\w+'/g);
  t.deepEqual(references(apart.err), [
    "referenced by a.ptx:7 in 'same'",
    "referenced by b.ptx:5 in 'first'",
    "referenced by b.ptx:7 in 'same'",
  ]);
  t.deepEqual(references(together.err), references(apart.err));
});
