// Archives, fatbins and host objects as inputs of link and run: real files of testdata/containers.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { openArchive } from "../../lib/link/inputs/archive.js";
import { openInputs } from "../../lib/link/inputs/open-input.js";
import { nodeHost } from "../../cli/files/host.js";
import { writeObject } from "../../lib/object/file/write.js";
import { objectOf } from "./build.js";
import { ptxkit, type Answer } from "../cli/surroundings.js";
import { containerBytes } from "../formats/containers.js";
import { mutations } from "../formats/hostile.js";

const names = ["scale.o", "twice.o", "twice.sass.o", "twice.lto.o", "whole.o", "both.o", "program", "named.fatbin"];
const archives = ["gnu.a", "bsd.a", "llvm.a", "unindexed.a", "thin.a", "nested.a", "a-member-with-a-long-name.ptx"];
const text = (body: string, target = "sm_90"): string => `.version 8.5\n.target ${target}\n.address_size 64\n${body}\n`;

/** A fatbin with one uncompressed cubin, as `fatbinary --64 --image3=kind=elf,sm=90,file=a.o` writes it. */
function fatbinOf(cubin: Uint8Array, sm: number): Uint8Array {
  const size = (cubin.length + 7) & ~7;
  const bytes = new Uint8Array(16 + 64 + size);
  const view = new DataView(bytes.buffer);
  const words = [0xba55ed50, 0x00100001, 64 + size, 0, 0x01010002, 64, size, 0, 0, 0, 0x00010050, sm, 0, 0, 0x11, 0];
  words.forEach((value, i) => view.setUint32(4 * i, value, true));
  bytes.set(cubin, 80);
  return bytes;
}

const files: Readonly<Record<string, string | Uint8Array>> = {
  ...Object.fromEntries([...names, ...archives].map((name) => [name, containerBytes(name)])),
  "twice.fatbin": containerBytes("twice.size.fatbin"),
  "lz4.fatbin": containerBytes("twice.speed.fatbin"),
  "old.ptx": text(".global .u32 old;", "sm_75"),
  "faulty.a": writeArchive([
    { name: "good.ptx", data: Buffer.from(text(".global .u32 good;")) },
    { name: "bad.ptx", data: Buffer.from(text(".global .u33 bad;")) },
  ]),
  "odd.a": writeArchive([{ name: "README", data: Uint8Array.of(0, 1, 2) }]),
  "doubled.a": writeArchive([{ name: "inner.a", data: Buffer.from("!<arch>\n") }]),
  "own.fatbin": fatbinOf(writeObject(objectOf("own.ptx", text(".visible .global .u32 own = 7;"))), 90),
  "user.ptx": text(".extern .global .u32 own; .visible .entry k() { .reg .b32 %r; ld.global.b32 %r, [own]; ret; }"),
  "code.ltoir": Uint8Array.of(0xed, 0x43, 0x4e, 0x7f, 0, 0),
  "code.bc": Uint8Array.of(0x42, 0x43, 0xc0, 0xde, 0, 0),
};

const link = (...args: readonly string[]): Promise<Answer> => ptxkit(["link", ...args, "-o", "out"], { files });

const scaled = ["-k", "_Z5scalePi", "-g", "1", "-b", "4", "-a", "s32[4]=iota"];

/** Inputs that together form the whole program. */
const programs: readonly (readonly string[])[] = [
  ["scale.o", "twice.o"],
  ["twice.o", "scale.o"],
  ["both.o"],
  ["program"],
  ["gnu.a"],
  ["unindexed.a"],
  ["thin.a"],
  ["nested.a"],
  ["bsd.a", "twice.fatbin"],
  ["scale.o", "lz4.fatbin"],
  ["gnu.a(scale.o)", "gnu.a(twice.o)"],
  ["bsd.a(1)", "twice.o(3)"],
];

for (const inputs of programs) {
  test(`${inputs.join(" ")} links and runs`, async (t) => {
    const { status, out, err } = await ptxkit(["run", ...inputs, ...scaled], { files });
    t.is(err, "");
    t.is(status, 0);
    t.regex(out, /0: 0 2 4 6\n/);
  });
}

test("a whole program of nvcc -c links and runs", async (t) => {
  const { out } = await ptxkit(["run", "whole.o", ...scaled], { files });
  t.regex(out, /0: 0 2 4 6\n/);
});

/** The name and target of every module in the inputs of a link. */
function opened(name: string, arch?: string): readonly string[] {
  const sink = createSink();
  const inputs = openInputs({ name, bytes: Buffer.from(files[name]!) }, sink, arch === undefined ? {} : { arch });
  return inputs.flatMap((input) =>
    input.kind === "object" ? input.object.modules.map((module) => `${module.name} ${module.target.name}`) : [],
  );
}

test("of several architectures the latest that runs on the target is linked", (t) => {
  t.deepEqual(opened("twice.o"), ["twice.o(3.sm_90.ptx) sm_90"]);
  t.deepEqual(opened("twice.o", "sm_90"), ["twice.o(3.sm_90.ptx) sm_90"]);
  t.deepEqual(opened("twice.o", "sm_89"), ["twice.o(1.sm_75.ptx) sm_75"]);
  t.deepEqual(opened("twice.o", "sm_120"), ["twice.o(3.sm_90.ptx) sm_90"]);
  t.deepEqual(opened("twice.o", "sm_70"), []);
  t.deepEqual(opened("both.o", "sm_75"), ["both.o(2.sm_75.ptx) sm_75"]);
  // The text says sm_90, and only the entries of the fatbin say 90a and 100f.
  t.deepEqual(opened("named.fatbin", "sm_90a"), ["named.fatbin(2.sm_90a.ptx) sm_90"]);
  t.deepEqual(opened("named.fatbin", "sm_103f"), ["named.fatbin(3.sm_100f.ptx) sm_90"]);
  t.deepEqual(opened("named.fatbin", "sm_103"), []);
});

test("embedded PTX for an older architecture is compiled for the link's target, as nvlink does", async (t) => {
  t.is((await link("scale.o", "twice.o", "--arch", "sm_100")).status, 0);
  // The target of a PTX file is the one in its text, as for an object.
  t.regex((await link("scale.o", "twice.o", "old.ptx")).err, /old\.ptx.*\[incompatible-target\]/);
});

test("modules are named with their container, and their lines are quoted", async (t) => {
  const undefinedThere = await link("scale.o");
  t.is(undefinedThere.status, 1);
  t.regex(undefinedThere.err, /^scale\.o\(1\.sm_90\.ptx\):\d+:\d+: error: undefined symbol: _Z5twicei.*\n *\d+ \| /);
  const faulty = await link("--whole-archive", "faulty.a");
  t.regex(faulty.err, /^faulty\.a\(bad\.ptx\):4:9: error: .*u33.*\n *4 \| \.global \.u33 bad;/);
  t.regex(
    (await link("both.o", "twice.o")).err,
    /both\.o\(4\.sm_90\.ptx\).*twice\.o\(3\.sm_90\.ptx\)|twice\.o\(3\.sm_90/,
  );
});

/** Command lines, their exit status and diagnostics. */
const refused: readonly (readonly [line: string, status: number, says: RegExp])[] = [
  [
    "twice.sass.o",
    1,
    /^twice\.sass\.o:352: error: .*SASS\) for sm_90, and no PTX \[no-embedded-ptx\]\nhelp: .*code=compute_90/,
  ],
  ["twice.lto.o", 1, /^twice\.lto\.o:352: error: .*LTO-IR.*and no PTX \[no-embedded-ptx\]/],
  [
    "scale.o --arch sm_80",
    1,
    /^scale\.o:\d+: error: .*PTX for sm_90, and no PTX that runs on sm_80.*\nhelp: .*compute_80/,
  ],
  [
    "own.fatbin --arch sm_100",
    1,
    /^own\.fatbin:0: error: own\.fatbin embeds objects of ptxkit's for sm_90, and no PTX that/,
  ],
  [
    "gnu.a(third.o)",
    1,
    /^gnu\.a:0: error: there is no third\.o in gnu\.a.*\[no-such-member\]\nhelp: give one of these names/,
  ],
  ["--whole-archive odd.a", 1, /^odd\.a\(README\):0: error: .*neither text nor a known binary format/],
  ["--whole-archive doubled.a", 1, /^doubled\.a\(inner\.a\):0: error: .*archive inside an archive/],
  ["code.ltoir", 1, /^code\.ltoir:0: error: .*LTO-IR \(nvcc -dlto\) \[unknown-format\]\nhelp: compile without -dlto/],
  ["code.bc", 1, /^code\.bc:4: error: LLVM bitcode: the file contains no module/],
];

for (const [line, status, says] of refused) {
  test(`link ${line} is refused and writes nothing`, async (t) => {
    const answer = await link(...line.split(" "));
    t.is(answer.status, status);
    t.regex(answer.err, says);
    t.is(answer.written.size, 0);
  });
}

test("parts of a program without PTX for the target are skipped with a warning, if other parts have some", async (t) => {
  // scale has PTX for sm_90 only, twice for sm_75 as well.
  const object = await ptxkit(["link", "both.o", "--arch", "sm_75", "-o", "out"], { files });
  t.is(object.status, 1);
  const shared = Uint8Array.from(containerBytes("both.o"));
  shared[16] = 3; // ET_DYN
  const host = { files: { ...files, "lib.so": shared } };
  const library = await ptxkit(["link", "lib.so", "--arch", "sm_75", "-o", "out"], host);
  t.is(library.status, 0, library.err);
  t.regex(library.err, /^lib\.so:\d+: warning: .* and no PTX that runs on sm_75: left out \[embedded-left-out\]\n/);
  t.notRegex(library.err, /error/);
  const none = await ptxkit(["link", "lib.so", "--arch", "sm_70", "-o", "out"], host);
  t.is(none.status, 1);
  t.regex(none.err, /error: .*\[no-embedded-ptx\]/);
});

test("a ptxkit object in a fatbin is linked like any other", async (t) => {
  const { status, err, written } = await link("user.ptx", "own.fatbin", "--map", "map");
  t.is(err, "");
  t.is(status, 0);
  t.true(written.has("out"));
  t.regex(Buffer.from(written.get("map")!).toString(), /own\.fatbin/);
});

test("a thin archive's members are read beside it, and a missing one has status 2", async (t) => {
  const beside = Object.fromEntries(["thin.a", "scale.o", "twice.o"].map((name) => [`lib/${name}`, files[name]!]));
  t.is((await ptxkit(["link", "--whole-archive", "lib/thin.a", "-o", "out"], { files: beside })).status, 0);
  const { "lib/twice.o": _, ...fewer } = beside;
  const answer = await ptxkit(["link", "--whole-archive", "lib/thin.a", "-o", "out"], { files: fewer });
  t.is(answer.status, 2);
  t.regex(answer.err, /cannot read lib\/twice\.o/);
});

test("a thin archive that names a device is refused, and nothing is read from it", (t) => {
  t.throws(() => nodeHost().readRegular("/dev/zero"), { message: /not a regular file/ });
  t.throws(() => nodeHost().readRegular("/absent/file"), { message: /no such file/ });
});

for (const name of ["gnu.a", "both.o", "named.fatbin"]) {
  test(`${name}, damaged: inputs or diagnostics, and nothing is thrown`, (t) => {
    let refused = 0;
    for (const bytes of mutations(containerBytes(name), 11, 150)) {
      const sink = createSink();
      const inputs = openInputs({ name, bytes }, sink, { arch: "sm_100f" });
      if (sink.errorCount > 0) refused++;
      t.true(inputs.length <= 3);
    }
    t.true(refused > 0);
  });
}

test("an archive is opened without reading its members, and finds them by symbol", (t) => {
  const archive = openArchive({ name: "lib/gnu.a", bytes: containerBytes("gnu.a") });
  t.deepEqual(
    archive.members.map(({ name }) => name),
    ["lib/gnu.a(scale.o)", "lib/gnu.a(twice.o)", "lib/gnu.a(a-member-with-a-long-name.ptx)"],
  );
  const symbols = archive.symbols();
  t.true(symbols?.ok === true && symbols.value.some(({ name, member }) => name === "_Z5twicei" && member === 1));
  t.is(archive.members[2]!.read()?.bytes.length, 79);

  const asked: string[] = [];
  const thin = openArchive({ name: "lib/thin.a", bytes: containerBytes("thin.a") }, (file) => {
    asked.push(file);
    return containerBytes(file.replace("lib/", ""));
  });
  t.deepEqual(asked, []);
  t.is(thin.members[1]!.read()?.name, "lib/thin.a(twice.o)");
  t.deepEqual(asked, ["lib/twice.o"]);
});

test("the second of two equal names in an archive is a member of its own", async (t) => {
  const same = (symbol: string) => ({ name: "a.ptx", data: Buffer.from(text(`.visible .global .u32 ${symbol};`)) });
  const twice = { files: { "lib.a": writeArchive([same("x"), same("x")]) } };
  const { err } = await ptxkit(["link", "--whole-archive", "lib.a", "-o", "out"], twice);
  t.regex(err, /lib\.a\(a\.ptx\).*x/);
});
