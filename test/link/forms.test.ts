// One program in every form of input: as texts, as objects, in archives that are taken whole, joined by -r. What a link writes and
// reports is the same for each output and option, up to the file or member that a module came in.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { writeObject } from "../../lib/object/file/write.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

/** Statics of one name, weak and common definitions, a second name, a texture, shared memory, constants, lines. */
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

// A kernel that only `-u` takes out of an archive is asked for in every form.
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

/** Options of an image are refused where there is none, for every form alike. */
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

/** Without the object or member that something came in, lines of a text that is not at hand, and columns of tables for either. */
const plainly = (said: string): string =>
  said
    .replaceAll(/lib\.a\((\w\.ptx)\)/g, "$1")
    .replaceAll(/ \(in \w\.ptx\)| of \w\.ptx\b/g, "")
    .replaceAll(/^ *\d* \| .*\n/gm, "")
    .replaceAll(/^>>> +\w\.ptx\n/gm, "")
    .replaceAll(/^(\w\.ptx:\d+):\d+:/gm, "$1:");

/** As text, which is compared in no time. */
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
    for (const option of options) {
      const how = `${output} ${option}`;
      const expected = await outcome({ files: texts, line: names.join(" ") }, how);
      t.true(expected.status <= 2, how);
      t.is(expected.status === 0, expected.output !== undefined, how);
      for (const [name, form] of Object.entries(forms))
        t.deepEqual(await outcome(form, how), expected, `${name}: ${how}`);
    }
  });

test("an option given to the link of what -r has joined is that option given to the link of its parts", async (t) => {
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
