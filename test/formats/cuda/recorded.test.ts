// The CUDA codecs on real cubins: everything decodes, agrees with the source, and encodes to the same bytes.
import test from "ava";
import { written } from "../../../formats/bytes/writer.js";
import {
  currentFlags,
  decodeFlags,
  decodeInfo,
  EIATTR,
  encodeCudaInfo,
  encodeToolkitInfo,
  formatPrototype,
  knownSection,
  NT_NV,
  parsePrototype,
  readCallGraph,
  readCudaInfo,
  readInfo,
  readPrototypes,
  readToolkitInfo,
  relocationName,
  LARGE_PARAMETERS,
  targetFacts,
  writeInfo,
  type InfoEntry,
} from "../../../formats/cuda/index.js";
import {
  encodeNotes,
  ET,
  notesOf,
  relocationsOf,
  sectionNamed,
  SHT,
  SHT_CUDA,
  stringAt,
  symbolsOf,
  type ElfFile,
  type ElfSection,
  type Result,
} from "../../../formats/elf/index.js";
import { cubin, cubinNames } from "../recorded.js";
import { writeCallGraph, writePrototypes } from "../writers.js";

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.what);
  return result.value;
}

function infoEntries(section: ElfSection): readonly InfoEntry[] {
  return value(readInfo(section.data, section.offset)).map(decodeInfo);
}

function symbolName(file: ElfFile, index: number): string {
  return value(symbolsOf(file, file.sections[3]!)).name(index);
}

for (const name of cubinNames) {
  const file = cubin(name);
  const sm = Number(/sm_(\d+)/.exec(name)![1]);

  test(`${name}: e_flags encode sm_${sm}, as we would write them`, (t) => {
    t.like(decodeFlags(file.header.abiVersion, file.header.flags), { kind: "current", sm });
    t.is(currentFlags(sm), file.header.flags);
  });

  test(`${name}: every attribute is known, decodes by its shape, and encodes to the same bytes`, (t) => {
    for (const section of file.sections.filter((s) => s.type === SHT_CUDA.INFO)) {
      const entries = infoEntries(section);
      t.true(entries.length > 0);
      for (const { attribute, payload } of entries) t.not(payload.kind, "bytes", `attribute ${attribute}`);
      t.deepEqual(
        written((writer) => writeInfo(writer, entries)),
        Uint8Array.from(section.data),
      );
    }
  });

  test(`${name}: call graph, prototypes and notes encode to the same bytes`, (t) => {
    for (const section of file.sections) {
      const bytes = Uint8Array.from(section.data);
      if (section.type === SHT_CUDA.CALLGRAPH)
        t.deepEqual(
          written((writer) => writeCallGraph(writer, value(readCallGraph(bytes)))),
          bytes,
        );
      if (section.type === SHT_CUDA.PROTOTYPE) {
        const entries = value(readPrototypes(bytes));
        t.deepEqual(
          written((writer) => writePrototypes(writer, entries)),
          bytes,
        );
        for (const { prototype } of entries) {
          const text = value(stringAt(file, 2, prototype));
          t.is(formatPrototype(value(parsePrototype(text))), text);
        }
      }
      if (section.type === SHT.NOTE) {
        const encoded = value(notesOf(file, section)).map((note) =>
          note.type === NT_NV.TKINFO
            ? encodeToolkitInfo(value(readToolkitInfo(note)))
            : encodeCudaInfo(value(readCudaInfo(note))),
        );
        t.deepEqual(encodeNotes(encoded), bytes);
      }
    }
  });

  test(`${name}: sections have the types, flags and alignments of the table`, (t) => {
    const isImage = file.header.type === ET.EXEC;
    for (const section of file.sections) {
      const known = knownSection(section.name);
      // On the cuinfo note of sm_90, the bit of GNU's INFO_LINK is set without that meaning.
      if (known === undefined || section.name === ".note.nv.cuinfo") continue;
      const { facts } = known;
      t.is((isImage ? facts.image : facts.object)!, section.type, section.name);
      t.is(section.flags, facts.flags, section.name);
      if (facts.addralign !== 0) t.is(section.addralign, facts.addralign, section.name);
      t.is(section.entsize, facts.entsize, section.name);
    }
  });

  test(`${name}: every relocation type has a name`, (t) => {
    for (const section of file.sections.filter((s) => s.type === SHT.REL || s.type === SHT.RELA)) {
      const table = value(relocationsOf(file, section));
      for (let i = 0; i < table.count; i++) t.truthy(relocationName(table.type(i)), `type ${table.type(i)}`);
    }
  });

  test(`${name}: the properties of its target hold`, (t) => {
    const facts = targetFacts(sm);
    t.is(
      file.sections.some((s) => s.type === SHT.REL),
      facts.writesRel,
    );
    t.is(sectionNamed(file, ".nv.compat") !== undefined, facts.hasCompat);
    for (const section of file.sections) {
      const known = knownSection(section.name);
      if (known?.facts.role === "text") t.is(section.info >>> 24 > 0, facts.registersInTextInfo);
      if (known?.facts.role !== "function-info") continue;
      for (const { attribute, payload } of infoEntries(section)) {
        if (attribute !== EIATTR.PARAM_CBANK || payload.kind !== "parameter-bank") continue;
        t.is(payload.offset, payload.size > LARGE_PARAMETERS ? facts.largeParameterBase : facts.parameterBase);
        const bank = sectionNamed(file, `.nv.constant0.${known.functionName}`)!;
        t.is(bank.size, payload.offset + payload.size);
        t.is(symbolName(file, payload.symbol), bank.name);
      }
    }
  });
}

test("a kernel's attributes match its source", (t) => {
  const file = cubin("calls.sm_75.o");
  const entries = infoEntries(sectionNamed(file, ".nv.info.dispatch")!);
  const payloads = (attribute: number) => entries.filter((e) => e.attribute === attribute).map((e) => e.payload);
  t.deepEqual(payloads(EIATTR.REQNTID), [{ kind: "dimensions", x: 64, y: 2, z: 1 }]);
  t.deepEqual(payloads(EIATTR.NUM_BARRIERS), [{ kind: "number", value: 4 }]);
  t.deepEqual(payloads(EIATTR.CBANK_PARAM_SIZE), [{ kind: "number", value: 56 }]);
  t.deepEqual(payloads(EIATTR.CUDA_API_VERSION), [{ kind: "number", value: 130 }]);
  const parameter = { kind: "parameter", index: 0, bank: 0x1f, pointeeAlignLog2: 0, pointeeSpace: 0 } as const;
  t.deepEqual(payloads(EIATTR.KPARAM_INFO), [
    { ...parameter, ordinal: 2, offset: 16, size: 40 },
    { ...parameter, ordinal: 1, offset: 8, size: 4 },
    { ...parameter, ordinal: 0, offset: 0, size: 8, pointeeAlignLog2: 4, pointeeSpace: 4 },
  ]);
});

test("the parameters of a large kernel use the second form, with alignment and space of the pointee", (t) => {
  const entries = infoEntries(sectionNamed(cubin("calls.sm_75.o"), ".nv.info.large")!);
  t.deepEqual(
    entries.filter((e) => e.attribute === EIATTR.KPARAM_INFO_V2).map((e) => e.payload),
    [
      { kind: "parameter-v2", index: 0, ordinal: 1, offset: 5000, size: 8, pointeeAlignLog2: 6, pointeeSpace: 2 },
      { kind: "parameter-v2", index: 0, ordinal: 0, offset: 0, size: 5000, pointeeAlignLog2: 0, pointeeSpace: 0 },
    ],
  );
});

test("stack frames and registers are given per function", (t) => {
  const file = cubin("calls.sm_75.o");
  const frames = infoEntries(sectionNamed(file, ".nv.info")!).flatMap(({ attribute, payload }) =>
    attribute === EIATTR.FRAME_SIZE && payload.kind === "symbol-value"
      ? [[symbolName(file, payload.symbol), payload.value] as const]
      : [],
  );
  t.deepEqual(Object.fromEntries(frames), { dispatch: 0, spill: 64, twice: 0, large: 0 });
});

test("the call graph has direct calls, indirect calls and functions whose address is taken", (t) => {
  const file = cubin("calls.sm_75.o");
  const graph = value(readCallGraph(sectionNamed(file, ".nv.callgraph")!.data));
  const name = (index: number) => symbolName(file, index);
  const text = (offset: number) => value(stringAt(file, 2, offset));
  t.deepEqual(
    graph.calls.map((e) => [name(e.caller), name(e.callee)]),
    [["dispatch", "spill"]],
  );
  t.deepEqual(
    graph.addressTaken.map((e) => [name(e.symbol), text(e.prototype)]),
    [["twice", "#ii"]],
  );
  t.deepEqual(
    graph.indirectCalls.map((e) => [name(e.caller), text(e.prototype)]),
    [["dispatch", "#ii"]],
  );
  t.deepEqual(
    graph.addressUses.map((e) => [name(e.user), name(e.target)]),
    [["dispatch", "twice"]],
  );
  t.deepEqual(graph.unknown, []);
});

test("notes give tool, version, options, virtual SM and toolkit", (t) => {
  const file = cubin("vars.sm_90.o");
  const [tool] = value(notesOf(file, sectionNamed(file, ".note.nv.tkinfo")!));
  t.deepEqual(value(readToolkitInfo(tool!)), {
    objectFile: "",
    tool: "ptxas",
    toolVersion: "Cuda compilation tools, release 13.0, V13.0.88",
    branch: "Build cuda_13.0.r13.0/compiler.36424714_0",
    options: "-arch sm_90 -c  ",
  });
  const [cuda] = value(notesOf(file, sectionNamed(file, ".note.nv.cuinfo")!));
  t.deepEqual(value(readCudaInfo(cuda!)), { virtualSm: 90, toolkit: 130 });
  t.like(readCudaInfo(tool!), { ok: false, error: { code: "malformed" } });
  const linked = cubin("linked.sm_75.cubin");
  const tools = value(notesOf(linked, sectionNamed(linked, ".note.nv.tkinfo")!)).map((n) => value(readToolkitInfo(n)));
  t.deepEqual(
    tools.map((each) => each.tool),
    ["nvlink", "ptxas", "ptxas"],
  );
});

test(".nv.compat has the same records, and unknown attributes keep their bytes", (t) => {
  const section = sectionNamed(cubin("vars.sm_90.o"), ".nv.compat")!;
  const records = value(readInfo(section.data, section.offset));
  t.deepEqual(
    records.map((record) => record.attribute),
    [9, 2, 5, 7, 3, 6, 11],
  );
  t.deepEqual(
    written((writer) => writeInfo(writer, records.map(decodeInfo))),
    Uint8Array.from(section.data),
  );
});
