// Views of NVIDIA's files agree with readelf's recorded output and with the sources.

import test from "ava";
import { cubinBytes, cubinFacts, cubinNames } from "../formats/recorded.js";
import { createSink } from "../../lib/diag/sink.js";
import { ALL_VIEWS, inspected, inspectedCubin } from "./recorded.js";

for (const name of cubinNames) {
  test(`${name}: header, sections and segments are readelf's`, (t) => {
    const facts = cubinFacts(name);
    const { header, sections } = inspectedCubin(name);
    t.is(header!.osAbi.rawValue, facts.header["osabi"]! as number);
    t.is(header!.abiVersion, facts.header["abiVersion"]! as number);
    t.is(header!.type.rawValue, facts.header["type"]! as number);
    t.is(header!.flags.value, facts.header["flags"]! as number);
    t.is(header!.sectionHeaderOffset, facts.header["sectionHeaderOffset"]! as number);
    t.is(header!.segments.length, facts.segments.length);
    t.deepEqual(
      sections!.map(({ name, type, offset, size, entrySize, link, info, align, flags }) => ({
        name,
        type: type.rawValue,
        offset,
        size,
        entsize: entrySize,
        link,
        info,
        addralign: align,
        flags: flags.rawFlags,
      })),
      facts.sections.map((section) => ({ ...section })),
    );
  });

  test(`${name}: symbols are readelf's`, (t) => {
    const facts = cubinFacts(name).symbols.slice(1);
    const table = inspectedCubin(name).symbols!.find(({ section }) => section.name === ".symtab");
    t.deepEqual(
      table!.symbols.map(({ name, type, binding, value, size }) => [
        name,
        type.rawValue,
        binding.rawValue,
        value.value,
        size,
      ]),
      facts.map(({ name, type, binding, value, size }) => [name, type, binding, value, size]),
    );
  });

  test(`${name}: relocations are readelf's, and each has a name`, (t) => {
    const facts = cubinFacts(name).relocations;
    for (const { section, relocations } of inspectedCubin(name).relocations!) {
      // readelf does not read tables of NVIDIA's own types.
      if (section.name.startsWith(".nv.merc.")) continue;
      t.deepEqual(
        relocations.map(({ offset, symbol, type }) => ({
          offset: offset.value,
          symbol: symbol.index,
          type: type.rawValue,
        })),
        facts[section.name]!.map(({ offset, symbol, type }) => ({ offset, symbol, type })),
        section.name,
      );
      for (const { type, symbol } of relocations) {
        t.regex(type.value ?? "", /^R_CUDA_/);
        t.not(symbol.name, "");
      }
    }
  });

  test(`${name}: nothing is reported, and the value is JSON`, (t) => {
    const sink = createSink();
    const inspection = inspected(cubinBytes(name), ALL_VIEWS, sink);
    t.deepEqual(sink.all, []);
    t.deepEqual(JSON.parse(JSON.stringify(inspection)), inspection as unknown);
  });

  test(`${name}: every attribute has a name`, (t) => {
    for (const { attributes, section } of inspectedCubin(name, ["info"]).info!.attributes)
      if (!section.name.startsWith(".nv.merc."))
        for (const { attribute } of attributes) t.regex(attribute.value ?? `${attribute.rawValue}`, /^EIATTR_/);
  });
}

test("a kernel has the parameters, limits and callees of its source", (t) => {
  for (const [file, base] of [
    ["calls.sm_75.o", 0x160],
    ["calls.sm_90.o", 0x210],
  ] as const) {
    const { kernels } = inspectedCubin(file, ["kernels"]);
    const dispatch = kernels!.find(({ name }) => name === "dispatch");
    t.like(dispatch, {
      parameterBase: base,
      parameterBytes: 56,
      requiredThreads: [64, 2, 1],
      barriers: 4,
      calls: ["spill"],
    });
    t.deepEqual(dispatch!.parameters, [
      { ordinal: 0, offset: 0, size: 8, pointer: { space: "global", align: 16 } },
      { ordinal: 1, offset: 8, size: 4 },
      { ordinal: 2, offset: 16, size: 40 },
    ]);
    const large = kernels!.find(({ name }) => name === "large");
    t.is(large!.parameterBytes, 5008);
    t.deepEqual(large!.parameters[1], { ordinal: 1, offset: 5000, size: 8, pointer: { space: "shared", align: 64 } });
  }
});

test("linked kernels of sm_90 and later count the shared memory that the system keeps", (t) => {
  const shared = (file: string) =>
    inspectedCubin(file, ["kernels"]).kernels!.map(({ name, sharedBytes, reservedSharedBytes }) => [
      name,
      sharedBytes,
      reservedSharedBytes,
    ]);
  t.deepEqual(shared("linked.sm_75.cubin"), [
    ["k", 64, undefined],
    ["k2", 0, undefined],
  ]);
  t.deepEqual(shared("linked.sm_90.cubin"), [
    ["k", 1088, 1024],
    ["k2", 0, undefined],
  ]);
});

test("the older generation's flags give the target, too", (t) => {
  const bytes = Uint8Array.from(cubinBytes("linked.sm_80.cubin"));
  bytes[7] = 0x33;
  bytes[8] = 7;
  new DataView(bytes.buffer).setUint32(48, 0x005a_0d5a, true);
  const { header, kernels } = inspected(bytes);
  t.deepEqual(header!.cuda, {
    target: "sm_90a",
    virtualTarget: "compute_90",
    options: ["EF_CUDA_TEXMODE_UNIFIED", "EF_CUDA_64BIT_ADDRESS", "EF_CUDA_ACCELERATORS"],
  });
  t.is(header!.osAbi.value, "ELFOSABI_CUDA");
  t.deepEqual(
    kernels!.map(({ name }) => name),
    ["k", "k2"],
  );
});

test("the layout of a linked cubin has every variable at its offset", (t) => {
  const { layout } = inspectedCubin("linked.sm_80.cubin", ["layout"]);
  const init = layout!.memories.find(({ section }) => section === ".nv.global.init");
  t.deepEqual(
    init!.variables.map(({ name, offset, size }) => [name, offset, size]),
    [
      ["table", 0, 32],
      ["counter", 32, 4],
      ["preferred", 36, 4],
      ["masks", 40, 2],
      ["link_back", 48, 8],
    ],
  );
});
