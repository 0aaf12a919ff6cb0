// Texts in archives: a link of them equals, in bytes and diagnostics, a link of the objects made from them. Members are
// packed or read as objects, with one thread or two, and each is assembled and reported once. A sample has some command
// lines of each kind of archive.

import test from "ava";
import { codes } from "../../lib/diag/codes.table.js";
import { writeArchive, type MemberToWrite } from "../../formats/ar/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkTargetOf } from "../../lib/link/model/targets.js";
import { selectInside } from "../../lib/link/inputs/select.js";
import { writeObject } from "../../lib/object/file/write.js";
import { startAssembler } from "../../cli/assembly/assembler-thread.js";
import type { Threads } from "../../cli/files/host.js";
import { createSourceOpener, type SourceOpener } from "../../cli/assembly/source-opener.js";
import { createAssembledMembers, type AssembledMembers } from "../../cli/assembly/assembled-members.js";
import type { Source } from "../../lib/ptx/source-text.js";
import { containerBytes } from "../formats/containers.js";
import { moduleText, objectOf } from "../link/build.js";
import { sample } from "../sample.js";
import { ptxkit, type Answer, type Surroundings } from "./surroundings.js";

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Member {
  readonly name: string;
  readonly text: string;
}

const user = (callee: string): string => `.extern .func ${callee}; .visible .entry k() { call ${callee}; ret; }`;
const callee = (name: string, calls?: string): string =>
  `${calls === undefined ? "" : `.extern .func ${calls};`}\n.visible .func ${name} { ${calls === undefined ? "" : `call ${calls};`} ret; }`;

/** Two members of one name in one archive; the other archive has a member of that name, too. */
const first: readonly Member[] = [
  { name: "same.ptx", text: moduleText(callee("f", "g")) },
  { name: "same.ptx", text: moduleText(callee("g", "h")) },
  { name: "idle.ptx", text: moduleText(".visible .global .u32 idle = 3;") },
];
const second: readonly Member[] = [
  { name: "same.ptx", text: moduleText(`.weak .global .u32 v = 5; .common .global .u32 c;\n${callee("h")}`) },
  {
    name: "again.ptx",
    text: moduleText(".weak .global .u32 v = 6; .common .global .u64 c; .visible .func a { ret; }"),
  },
];

const others: Files = {
  "main.ptx": moduleText(user("f")),
  /** With another .target option than the other texts. */
  "unified.ptx": moduleText(".visible .global .u32 room = 4;", "sm_80, texmode_unified"),
};

/** Contents of a member. */
type Form = (archive: string, member: Member) => Uint8Array;
const asText: Form = (_, { text }) => Buffer.from(text);
const asObject: Form = (archive, { name, text }) => writeObject(objectOf(`${archive}(${name})`, text));

const ordinary =
  (form: Form) =>
  (name: string, members: readonly Member[]): Files => ({
    [name]: writeArchive(members.map((member): MemberToWrite => ({ name: member.name, data: form(name, member) }))),
  });

/** The archive as `ar T` writes it, and its members' files, each in a folder of its own. */
const thin =
  (form: Form) =>
  (name: string, members: readonly Member[]): Files => {
    const named = members.map((member, i) => ({ ...member, name: `${name}.${i}/${member.name}` }));
    const files = named.map((member) => [member.name, form(name, member)] as const);
    const table = named.map((member) => `${member.name}/\n`).join("");
    const header = (field: string, size: number): string =>
      `${field.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"644".padEnd(8)}${String(size).padEnd(10)}\`\n`;
    let at = 0;
    const headers = files.map(([member, { length }]) => {
      const field = `/${at}`;
      at += member.length + 2;
      return header(field, length);
    });
    const padding = table.length % 2 === 0 ? "" : "\n";
    const bytes = `!<thin>\n${header("//", table.length)}${table}${padding}${headers.join("")}`;
    return { ...Object.fromEntries(files), [name]: bytes };
  };

const facts = ({ status, out, err, written }: Answer) => ({
  status,
  out,
  err,
  written: [...written].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
});

/** Every text is worth a thread; counts the threads started. */
function twoThreads(): { readonly threads: Threads; readonly started: () => number } {
  let count = 0;
  const start: Threads["start"] = (options) => Promise.resolve((count++, startAssembler(options)));
  return { threads: { available: () => 2, worthwhileBytes: 1, start }, started: () => count };
}

const link = (line: string, files: Files, around: Surroundings = {}): Promise<Answer> =>
  ptxkit(["link", ...line.split(" "), "-o", "x"], { ...around, files: { ...others, ...files } });

const lines: readonly (readonly [line: string, status: number])[] = [
  ["main.ptx one.a two.a", 0],
  ["two.a one.a main.ptx --gc-sections --print-gc-sections", 0],
  ["main.ptx one.a two.a -u a --map m.json --cref -t --why-extract w -y v --print-dependencies", 0],
  ["main.ptx one.a two.a -u a -r --map m", 0],
  ["main.ptx one.a two.a -u a --emit ptx", 0],
  ["main.ptx --whole-archive one.a two.a --no-whole-archive one.a --map m", 0],
  ["main.ptx one.a two.a -u a unified.ptx", 0],
  ["main.ptx --whole-archive one.a two.a unified.ptx --map m --cref -t", 0],
  ["main.ptx --whole-archive one.a two.a unified.ptx --emit ptx", 0],
  // The same text twice.
  ["main.ptx --whole-archive one.a one.a two.a", 1],
  ["main.ptx --whole-archive one.a one.a two.a --allow-multiple-definition --map m", 0],
  ["main.ptx two.a(1) --whole-archive one.a two.a --allow-multiple-definition unified.ptx", 0],
  ["main.ptx one.a", 1],
  ["main.ptx one.a unified.ptx", 1],
];

/** Messages about an object have a line, but no text to quote. */
const withoutText = (err: string): string =>
  err
    .split("\n")
    .filter((line) => !/^ *\d* +\|/.test(line))
    .map((line) => line.replace(/^(\S+:\d+):\d+: /, "$1: "))
    .join("\n");

const kinds = { ordinary, thin };

for (const [kind, archive] of Object.entries(kinds)) {
  const filesOf = (form: Form): Files => ({ ...archive(form)("one.a", first), ...archive(form)("two.a", second) });
  for (const [line, status] of sample(lines, 14, {
    name: ([line]) => kind + line,
    kind: ([, status]) => `${status}`,
  })) {
    test(`${kind} archives: link ${line}`, async (t) => {
      const texts = await link(`${line} -j1`, filesOf(asText));
      t.is(texts.status, status, texts.err);
      const objects = await link(`${line} -j1`, filesOf(asObject));
      t.deepEqual(
        { ...facts(texts), err: withoutText(texts.err) },
        { ...facts(objects), err: withoutText(objects.err) },
        "objects",
      );
      const { threads } = twoThreads();
      t.deepEqual(facts(await link(`${line} -j2`, filesOf(asText), { threads })), facts(texts), "two threads");
    });
  }
}

test("texts of archives are assembled by threads; of thin archives under --whole-archive, by the main thread", async (t) => {
  for (const [archive, line, isPooled] of [
    [ordinary, "--whole-archive one.a two.a", true],
    [thin, "--whole-archive one.a two.a", false],
    [ordinary, "one.a two.a -u f -u a", true],
    [thin, "one.a two.a -u f -u a", true],
  ] as const) {
    const { threads, started } = twoThreads();
    const files = { ...archive(asText)("one.a", first), ...archive(asText)("two.a", second) };
    const { status, err } = await link(`${line} -j2`, files, { threads });
    t.is(status, 0, err);
    t.is(started() > 0, isPooled, line);
  }
});

// ------------------------------------------------------------------------------------------------------- what is held

/** Openers that return packed members, and objects. */
function openers(inside: AssembledMembers): readonly [SourceOpener, SourceOpener] {
  const opener = (wantsPacked: boolean): SourceOpener =>
    createSourceOpener({ wantsPacked, inside, check: {}, warnings: {} });
  return [opener(true), opener(false)];
}

const warned = moduleText(".visible .func f { .reg .b32 %r<3>; add.u32 %r1, %r2, %r2; ret; }");
const wrong = moduleText(".global .u33 wrong;");

test("the ordinary linker reuses what was assembled, and gets the same diagnostics", (t) => {
  for (const text of [warned, wrong]) {
    const source: Source = { name: "lib.a(m.ptx)", bytes: Buffer.from(text) };
    const inside = createAssembledMembers();
    const [plainly, fully] = openers(inside);
    const [once, again] = [createSink(), createSink()];
    const [packed] = plainly.open(source, once, undefined);
    const held = inside.get(source);
    t.is(held?.diagnostics.length, 1);
    t.is(held?.isPacked, text === warned);
    const [object] = fully.open(source, again, undefined);
    t.is(inside.get(source), undefined, "nobody reads it once more");
    t.is(once.all.length, 1);
    t.deepEqual(again.all, once.all);
    t.deepEqual(object?.object, packed?.object);
    t.is(packed !== undefined && "linkInput" in packed, text === warned);
    t.is(object !== undefined && "linkInput" in object, false);
  }
});

test("nothing is retained where no later read can follow", (t) => {
  const source: Source = { name: "lib.a(m.ptx)", bytes: Buffer.from(warned) };
  const inside = createAssembledMembers();
  openers(inside)[1].open(source, createSink(), undefined);
  t.is(inside.get(source), undefined);
});

test("texts are distinguished by buffer, offset and name", (t) => {
  const inside = createAssembledMembers();
  const memory = Buffer.from("text text");
  const assembled = (): ReturnType<AssembledMembers["get"]> => ({
    output: undefined,
    diagnostics: [],
    isPacked: false,
  });
  const sources: readonly Source[] = [
    { name: "lib.a(m.ptx)", bytes: memory.subarray(0, 4) },
    { name: "lib.a(m.ptx)", bytes: memory.subarray(5) },
    { name: "lib.a(n.ptx)", bytes: memory.subarray(5) },
    { name: "lib.a(m.ptx)", bytes: Uint8Array.from(memory.subarray(0, 4)) },
  ];
  const results = sources.map((source) => {
    t.is(inside.get(source), undefined);
    const result = assembled()!;
    inside.set(source, result);
    return result;
  });
  sources.forEach((source, i) => t.is(inside.get({ ...source, bytes: source.bytes.subarray() }), results[i]));
});

// -------------------------------------------------------------------------------------------------------- host objects

/** An archive of host objects, and one with their texts as members of the same names. */
function hostArchives(inner: Readonly<Record<string, readonly string[]>>): readonly [Files, Files] {
  const hosts = Object.keys(inner).map((name) => ({ name, data: containerBytes(name) }));
  const texts = hosts.flatMap(({ name, data }) =>
    inner[name]!.map((entry) => {
      const { bytes } = selectInside({ name, bytes: data }, entry, createSink())!;
      return { name: `${name})(${entry}`, data: bytes };
    }),
  );
  return [{ "lib.a": writeArchive(hosts) }, { "lib.a": writeArchive(texts) }];
}

const inHosts = hostArchives({ "scale.o": ["1.sm_90.ptx"], "twice.o": ["3.sm_90.ptx"], "both.o": [] });
const hostLines: readonly (readonly [line: string, status: number])[] = [
  ["lib.a -u _Z5scalePi --arch sm_90", 0],
  ["lib.a -u _Z5scalePi --arch sm_90 --map m --cref -t", 0],
  ["lib.a unified90.ptx -u _Z5scalePi --map m -t", 0],
  ["lib.a wrong90.ptx -u _Z5scalePi", 1],
  ["lib.a wrong90.ptx unified90.ptx -u _Z5scalePi", 1],
];
const for90: Files = {
  "unified90.ptx": moduleText(".visible .global .u32 room = 4;", "sm_90, texmode_unified"),
  "wrong90.ptx": moduleText(".visible .func (.param .b32 r) _Z5twicei(.param .b64 a) { ret; }", "sm_90"),
};

for (const [line, status] of sample(hostLines, 8, { name: ([line]) => line, kind: ([, status]) => `${status}` })) {
  test(`host objects in an archive: link ${line}`, async (t) => {
    const [hosts, texts] = await Promise.all(inHosts.map((files) => link(line, { ...for90, ...files })));
    t.is(hosts!.status, status, hosts!.err);
    t.deepEqual(facts(hosts!), facts(texts!));
  });
}

test("PTX of fatbins is cached as assembled for the target of the link", (t) => {
  const inside = createAssembledMembers();
  const [plainly, fully] = openers(inside);
  const { bytes } = selectInside({ name: "twice.o", bytes: containerBytes("twice.o") }, "3.sm_90.ptx", createSink())!;
  const source: Source = { name: "lib.a(twice.o)(3.sm_90.ptx)", bytes };
  const linkTarget = linkTargetOf("sm_100");
  for (const opener of [plainly, fully])
    t.is(opener.open(source, createSink(), linkTarget)[0]?.object?.target.name, "sm_100");
});

// ------------------------------------------------------------------------------------------------------------- errors

const faulty: readonly Member[] = [
  { name: "good.ptx", text: moduleText(callee("f")) },
  { name: "m.ptx", text: warned.replace(" f ", " g ") },
  { name: "m.ptx", text: wrong.replace(".global", "\n.visible .func h { ret; }\n.global") },
];

for (const [kind, archive] of Object.entries(kinds)) {
  const files = archive(asText)("lib.a", faulty);
  const name = kind === "thin" ? (i: number) => `lib.a(lib.a.${i}/m.ptx)` : () => "lib.a(m.ptx)";
  const warning = `${name(1)}:4:50: warning: %r2 is read here, and no instruction of this function writes it [unset-register]`;
  const error = `${name(2)}:6:9: error: `;

  const wrongLines = [
    "--whole-archive lib.a",
    "main.ptx lib.a -u g -u h",
    "lib.a unified.ptx -u g -u h -u f",
    "--whole-archive lib.a unified.ptx",
  ];
  for (const line of sample(wrongLines, 8, { name: (each) => kind + each }))
    for (const jobs of [1, 2]) {
      test(`${kind}: an error in a text is reported once, with its line: ${line} -j${jobs}`, async (t) => {
        const { threads } = twoThreads();
        const { status, err, written } = await link(`${line} -j${jobs}`, files, { threads });
        t.is(status, 1, err);
        t.is(written.size, 0);
        t.deepEqual(err.split("\n").filter((each) => each.startsWith(warning)).length, 1, err);
        t.deepEqual(err.split(error).length - 1, 1, err);
        // For several texts of one name no line is quoted, because it might be the wrong one's.
        t.is(err.includes("\n 6 | .global .u33 wrong;\n"), kind === "thin", err);
        t.is(err.includes("\n 4 | .visible .func g"), kind === "thin", err);
      });
    }

  for (const line of ["main.ptx lib.a -u g", "main.ptx lib.a -u g unified.ptx", "main.ptx lib.a -u g --map m -r"]) {
    test(`${kind}: a warning about a text is reported once: ${line}`, async (t) => {
      const { status, err } = await link(line, files);
      t.is(status, 0, err);
      const shown = " 4 | .visible .func g { .reg .b32 %r<3>; add.u32 %r1, %r2, %r2; ret; }";
      const why = `note: ${name(1)} is taken for 'g', which -u needs`;
      t.is(err, `${warning}\n${shown}\n   |${" ".repeat(50)}^~~\n${why}\nhelp: ${codes["unset-register"].remedy}\n`);
    });
  }
}
