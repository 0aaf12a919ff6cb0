// ptxkit inspect of archives, fatbins and host files: real ones of testdata/containers, and damaged ones.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { readFatbins } from "../../formats/fatbin/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { extractInside } from "../../lib/inspect/parts/extract.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import type { Inspection } from "../../lib/inspect/inspection.js";
import { splitSelectors } from "../../lib/link/inputs/select-name.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { ptxkit, type Answer } from "../cli/surroundings.js";
import { containerBytes } from "../formats/containers.js";
import { mutations, truncations } from "../formats/hostile.js";

const names = [
  "gnu.a",
  "bsd.a",
  "thin.a",
  "scale.o",
  "twice.o",
  "twice.lto.o",
  "twice.lto.raw.o",
  "named.fatbin",
  "program",
  "windows.exe",
  "windows.obj",
  "macos.universal.o",
];
const escaping = writeArchive([
  { name: "../../up.ptx", data: Buffer.from(".version 8.5\n") },
  { name: "/abs/x.ptx", data: Buffer.from(".version 8.5\n") },
  { name: ".ptx", data: Buffer.from(".version 8.5\n") },
  { name: "same.ptx", data: Buffer.from(".version 8.5\n") },
  { name: "same.ptx", data: Buffer.from(".version 8.6\n") },
]);
const files: Readonly<Record<string, Uint8Array>> = {
  ...Object.fromEntries(names.map((name) => [name, containerBytes(name)])),
  "escaping.a": escaping,
  "odd(name).a": containerBytes("gnu.a"),
};

const inspect = (...args: readonly string[]): Promise<Answer> => ptxkit(["inspect", ...args], { files });

async function json(...args: readonly string[]): Promise<Inspection> {
  const { status, out, err } = await inspect(...args, "--json");
  if (status !== 0) throw new Error(err);
  return JSON.parse(out) as Inspection;
}

test("an archive: members, what they are, what they embed, and the index", async (t) => {
  const { kind, archive } = await json("gnu.a");
  t.is(kind, "archive");
  t.is(archive!.indexedSymbols, 18);
  t.deepEqual(
    archive!.members.map(({ name, kind, offset, size }) => [name, kind, offset, size]),
    [
      ["scale.o", "host-elf", 816, 7672],
      ["twice.o", "host-elf", 8548, 6080],
      ["a-member-with-a-long-name.ptx", "ptx", 14688, 79],
    ],
  );
  t.deepEqual(
    archive!.members[1]!.fatbins!.flatMap(({ entries }) => entries.map(({ name }) => name)),
    ["1.sm_75.ptx", "2.sm_90.cubin", "3.sm_90.ptx"],
  );
  t.regex(
    (await inspect("gnu.a")).out,
    /8548 +6080 +host ELF +twice\.o +1\.sm_75\.ptx 2\.sm_90\.cubin 3\.sm_90\.ptx\n/,
  );
});

test("files of Windows and macOS: kinds, sections, and contents", async (t) => {
  const { kind, hosts, fatbins } = await json("windows.exe");
  t.is(kind, "pe-image");
  t.like(hosts![0], { format: "PE", type: "program", machine: { value: "IMAGE_FILE_MACHINE_AMD64" } });
  t.deepEqual(
    hosts![0]!.sections.flatMap(({ name, deviceCode }) => (deviceCode ? [name] : [])),
    ["__nv_rel", ".nv_fatb"],
  );
  t.is(fatbins!.length, 3);
  const { kernels } = (await json("windows.exe", "--kernels")).elements![0]!;
  t.deepEqual(
    kernels!.map(({ demangled }) => demangled),
    ["scale(int*)"],
  );
  t.regex((await inspect("windows.obj", "-x", ".nvFatBinSegment")).out, /\.nvFatBinSegment: 24 bytes\n +0x0+ b1436246/);
  t.regex(
    (await inspect("windows.obj", "--entry", "1.sm_90.ptx", "--disassemble")).out,
    /\.visible \.entry _Z5scalePi/,
  );
  t.regex((await inspect("windows.exe", "--loads-on", "sm_90")).out, /windows\.exe\(5\.sm_90\.cubin\)|sm_90/);
  const universal = await json("macos.universal.o", "--sections");
  t.deepEqual(
    universal.hosts!.map(({ machine, type }) => [machine.value, type]),
    [
      ["CPU_TYPE_X86_64", "object"],
      ["CPU_TYPE_ARM64", "object"],
    ],
  );
  const cut = await ptxkit(["inspect", "cut.exe"], { files: { "cut.exe": files["windows.exe"]!.subarray(0, 5000) } });
  t.regex(cut.out, /cut\.exe: PE image, 5000 bytes\nThe file is damaged/);
  t.regex(cut.err, /section 4 \(\.nv_fatb\): 5184 bytes at 4096 reach past the end of 5000 bytes/);
  const head = await ptxkit(["inspect", "cut.exe"], { files: { "cut.exe": files["windows.exe"]!.subarray(0, 100) } });
  t.is(head.status, 1);
  t.regex(head.err, /PE header: 20 bytes at 132 reach past the end of 100 bytes/);
});

test("a Windows object is an input of link", async (t) => {
  const answer = await ptxkit(["link", "windows.obj", "--arch", "sm_90", "-o", "a.img"], { files });
  t.is(answer.status, 0, answer.err);
});

test("a thin archive: its members are listed and not read", async (t) => {
  const { archive } = (await json("thin.a")) as Required<Inspection>;
  t.true(archive.thin);
  t.deepEqual(
    archive.members.map(({ file, kind }) => [file, kind]),
    [
      ["scale.o", null],
      ["twice.o", null],
    ],
  );
  t.is((await inspect("thin.a(scale.o)")).status, 0);
});

test("a fatbin: entries with sizes, compression, identifier and options", async (t) => {
  const { kind, fatbins } = await json("named.fatbin");
  t.is(kind, "fatbin");
  t.like(fatbins![0]!.entries[1]!, {
    number: 2,
    name: "2.sm_90a.ptx",
    kind: { value: "ptx", rawValue: 1 },
    target: "sm_90a",
    version: "9.0",
    identifier: "src/twice.cu",
    options: "-O1",
    compression: "lz4",
    storedSize: 204,
    size: 267,
    intact: true,
  });
  t.regex(
    (await inspect("named.fatbin")).out,
    /\n +2 +ptx +sm_90a +9\.0 +204 +267 +lz4 +2\.sm_90a\.ptx +64bit debug linux/,
  );
});

test("a host file: its fatbins with their sections, and which one is of device linking", async (t) => {
  const { kind, fatbins, summary } = await json("program");
  t.is(kind, "elf-image");
  t.not(summary, undefined);
  t.deepEqual(
    fatbins!.map(({ section, deviceLinked, entries }) => [section, deviceLinked, entries.length]),
    [
      ["__nv_relfatbin", false, 1],
      ["__nv_relfatbin", false, 3],
      [".nv_fatbin", true, 1],
    ],
  );
  // Numbers continue over all fatbins.
  t.is(fatbins![2]!.entries[0]!.name, "5.sm_90.cubin");
});

test("LTO-IR is listed, and not decoded", async (t) => {
  const [entry] = (await json("twice.lto.o")).fatbins![0]!.entries;
  t.like(entry!, { kind: { value: "lto-ir" }, intact: null });
});

/** Ways to name entries, and the name in the output. */
const selections: readonly (readonly [args: readonly string[], file: string])[] = [
  [["gnu.a(twice.o)"], "gnu.a(twice.o)"],
  [["gnu.a(twice.o)(3.sm_90.ptx)"], "gnu.a(twice.o)(3.sm_90.ptx)"],
  [["gnu.a(2)(sm_90.ptx)"], "gnu.a(twice.o)(3.sm_90.ptx)"],
  [["gnu.a", "--entry", "twice.o", "--entry", "1"], "gnu.a(twice.o)(1.sm_75.ptx)"],
  [["gnu.a(twice.o)", "--entry", "cubin"], "gnu.a(twice.o)(2.sm_90.cubin)"],
  [["twice.o(2)", "--header"], "twice.o(2.sm_90.cubin)"],
  [["odd(name).a(scale.o)"], "odd(name).a(scale.o)"],
  [["odd(name).a"], "odd(name).a"],
];

for (const [args, file] of selections) {
  test(`${args.join(" ")} is ${file}`, async (t) => t.is((await json(...args)).file, file));
}

test("a missing entry is reported with the existing ones", async (t) => {
  for (const [name, says] of [
    ["gnu.a(nothing.o)", /^gnu\.a:0: error: there is no nothing\.o in gnu\.a: it holds scale\.o, twice\.o, /],
    [
      "twice.o(9)",
      /there is no 9 in twice\.o: it holds 1\.sm_75\.ptx, 2\.sm_90\.cubin, 3\.sm_90\.ptx \[no-such-member\]/,
    ],
    ["twice.o(ptx)", /there is no ptx in twice\.o/],
    [
      "twice.lto.raw.o(1)",
      /twice\.lto\.raw\.o\(1\.sm_90\.lto-ir\) is LTO-IR \(nvcc -dlto\): there is nothing to inspect/,
    ],
    ["twice.o(1)(1)", /twice\.o\(1\.sm_75\.ptx\) is PTX text: nothing is inside/],
  ] as const) {
    const { status, err } = await inspect(name);
    t.is(status, 1);
    t.regex(err, says);
  }
  const { status, err } = await inspect("absent.a(x.o)");
  t.is(status, 2);
  t.regex(err, /cannot read absent\.a/);
});

test("a view of a container covers everything inside", async (t) => {
  const { elements } = (await json("gnu.a", "--kernels")) as Required<Inspection>;
  t.deepEqual(
    elements.map(({ file, kind, functions }) => [file, kind, functions?.map(({ name }) => name)]),
    [
      ["gnu.a(scale.o)(1.sm_90.ptx)", "ptx", ["_Z5twicei"]],
      ["gnu.a(twice.o)(1.sm_75.ptx)", "ptx", ["_Z5twicei"]],
      ["gnu.a(twice.o)(2.sm_90.cubin)", "cubin-object", ["_Z5twicei"]],
      ["gnu.a(twice.o)(3.sm_90.ptx)", "ptx", ["_Z5twicei"]],
      ["gnu.a(a-member-with-a-long-name.ptx)", "ptx", []],
    ],
  );
  t.deepEqual(
    elements.slice(1, 4).map(({ offset }) => offset),
    (await json("gnu.a(twice.o)")).fatbins!.flatMap(({ entries }) => entries.map(({ offset }) => offset)),
  );
  // Members that are host objects have ELF views of their own.
  const symbols = await json("gnu.a", "--symbols");
  t.deepEqual(
    symbols.elements!.map(({ kind }) => kind),
    ["elf-object", "elf-object", "cubin-object"],
  );
  t.regex((await inspect("gnu.a(twice.o)(2)", "--symbols")).out, /_Z5twicei/);
});

test("a host program answers --kernels with the kernels inside, and --header with its own header and theirs", async (t) => {
  const { kernels, elements } = await json("program", "--kernels");
  t.is(kernels, undefined);
  t.true(elements!.some(({ kernels }) => kernels?.some(({ name }) => name === "_Z5scalePi")));
  const { header, elements: inside } = await json("program", "--header");
  t.is(header!.machine.value, "EM_X86_64");
  t.deepEqual(
    inside!.map(({ kind }) => kind),
    ["cubin-object", "cubin-image"],
  );
  t.regex(
    (await inspect("twice.lto.o", "--kernels")).out,
    /^twice\.lto\.o: ELF object, \d+ bytes\n\nNothing inside has such a view\.\n$/,
  );
});

test("several files: one after another, one JSON document, and an unreadable one does not stop the rest", async (t) => {
  const { status, out, err } = await inspect("named.fatbin", "absent.o", "scale.o");
  t.is(status, 2);
  t.regex(out, /^named\.fatbin: fatbin[^]*\n\nscale\.o: ELF object/);
  t.regex(err, /cannot read absent\.o/);
  const both = JSON.parse((await inspect("named.fatbin", "scale.o", "--json")).out) as {
    readonly files: readonly Inspection[];
  };
  t.deepEqual(
    both.files.map(({ file }) => file),
    ["named.fatbin", "scale.o"],
  );
});

test("--disassemble of embedded PTX is its text", async (t) => {
  const { out } = await inspect("twice.o(3)", "--disassemble");
  t.regex(out, /^\s*\.version 9\.0\n\.target sm_90\n[^]*\.visible \.func [^]*ret;\s*\}\s*$/);
  t.is((await json("twice.o(3)", "--disassemble")).kernels, undefined);
});

test("--extract writes the PTX and machine code inside, and lists what it wrote", async (t) => {
  const { status, out, written, folders } = await inspect("gnu.a", "--extract", "inside");
  t.is(status, 0);
  t.deepEqual(folders, ["inside"]);
  t.deepEqual(
    [...written.keys()],
    [
      "inside/scale.o.1.sm_90.ptx",
      "inside/twice.o.1.sm_75.ptx",
      "inside/twice.o.2.sm_90.cubin",
      "inside/twice.o.3.sm_90.ptx",
      "inside/a-member-with-a-long-name.ptx",
    ],
  );
  t.regex(out, /^inside\/scale\.o\.1\.sm_90\.ptx: 630 bytes\n/);
  t.deepEqual(
    Buffer.from(written.get("inside/twice.o.2.sm_90.cubin")!),
    Buffer.from(containerBytes("twice.sm_90.cubin")),
  );
  t.regex((await inspect("twice.lto.o", "--extract", "x")).out, /1\.sm_90\.lto-ir: not written, only NVIDIA's tools/);
  t.regex((await inspect("twice.lto.raw.o", "--extract", "x")).out, /1\.sm_90\.lto-ir: \d+ bytes/);
  const none = await inspect("scale.o(1)", "--extract", "x");
  t.is(none.status, 1);
  t.regex(none.err, /neither PTX nor machine code/);
});

test("--extract of a partly damaged container writes nothing", async (t) => {
  const cut = containerBytes("gnu.a").subarray(0, -40);
  const { status, out, err, written, folders } = await ptxkit(["inspect", "cut.a", "--extract", "inside"], {
    files: { "cut.a": cut },
  });
  t.is(status, 1);
  t.regex(err, /^cut\.a:\d+: error: .*\[malformed-file\]\n/);
  t.deepEqual([out, written.size, folders], ["", 0, []]);
});

test("extracted names stay in their folder and differ, whatever the archive says", (t) => {
  const found = [...extractInside({ name: "escaping.a", bytes: escaping }, createSink())];
  t.deepEqual(
    found.map(({ name }) => name),
    ["__.._up.ptx", "_abs_x.ptx", "_ptx", "same.ptx", "2-same.ptx"],
  );
});

test("nested names are split from the outside in", (t) => {
  t.deepEqual(splitSelectors("a.o"), { file: "a.o", selectors: [] });
  t.deepEqual(splitSelectors("l.a(a.o)(1.sm_90.ptx)"), { file: "l.a", selectors: ["a.o", "1.sm_90.ptx"] });
  t.deepEqual(splitSelectors("(x)"), { file: "(x)", selectors: [] });
});

// ---------------------------------------------------------------------------------------------------------------- damaged

for (const name of ["gnu.a", "named.fatbin", "program"]) {
  test(`${name}, damaged or truncated: the readable parts are shown, and nothing is thrown`, (t) => {
    const survive = (bytes: Uint8Array): number => {
      const sink = createSink();
      const source = { name: "a", bytes };
      const result = inspectFile(source, { views: [] }, sink);
      if (result.kind === "inspected") {
        JSON.stringify(result.inspection);
        renderInspection(result.inspection, { width: 80 });
        t.is(
          result.inspection.damaged,
          sink.all.some(({ code }) => code === "malformed-file"),
        );
      }
      let extracted = 0;
      for (const { bytes: inside } of extractInside(source, createSink())) extracted += inside?.length ?? 0;
      t.true(extracted <= 2 ** 25);
      return sink.errorCount;
    };
    let faults = 0;
    for (const damaged of mutations(containerBytes(name), 3, 200)) faults += survive(damaged);
    t.true(faults > 0);
    for (const cut of truncations(containerBytes(name), 501)) survive(cut);
  });
}

test("an entry that cannot be decompressed is marked and reported with its place, and the others are shown", async (t) => {
  const damaged = containerBytes("named.fatbin");
  const { payloadOffset } = readFatbins(damaged).items[0]!.entries[1]!;
  damaged.fill(0xff, payloadOffset, payloadOffset + 3);
  const { status, out, err } = await ptxkit(["inspect", "f.fatbin"], { files: { "f.fatbin": damaged } });
  t.is(status, 1);
  t.regex(err, /^f\.fatbin:\d+: error: LZ4: .* \[malformed-file\]/);
  t.regex(out, /lz4, damaged +2\.sm_90a\.ptx/);
  t.regex(out, /3\.sm_100f\.ptx/);
});
