// Our own objects and images, and PTX text, are shown with all that their declarations contain.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import { writeObject } from "../../lib/object/file/write.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { checkModule } from "../../lib/check/check.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { assembled, compile, linked, SOURCE } from "./own.js";
import { ALL_VIEWS, inspected } from "./recorded.js";
import { installed, testWith } from "../tools.js";

const PARAMETERS = [
  { ordinal: 0, name: "x", type: ".u64", offset: 0, size: 8, pointer: { space: "global", align: 16 } },
  { ordinal: 1, name: "f", type: ".f32[2]", offset: 8, size: 8 },
  { ordinal: 2, name: "n", type: ".u32", offset: 16, size: 4 },
];

test("an object's kernel has names, types, limits and its source line", (t) => {
  const { kind, kernels } = inspected(assembled(), ["kernels"]);
  t.is(kind, "ptxkit-object");
  t.like(kernels![0], {
    name: "scale",
    linkage: "visible",
    instructions: 8,
    parameterBytes: 20,
    maxThreads: [128, 1, 1],
    maxRegisters: 32,
    calls: ["helper"],
    externs: ["helper"],
    file: "scale.ptx",
    line: 11,
  });
  t.deepEqual(kernels![0]!.parameters, PARAMETERS);
});

test("PTX text shows the same kernel", (t) => {
  const { kind, kernels, module } = inspected(Buffer.from(SOURCE), []);
  t.is(kind, "ptx");
  t.deepEqual(kernels![0]!.parameters, PARAMETERS);
  t.like(module, { version: "8.5", target: "sm_80" });
  t.deepEqual(
    module!.variables.map(({ name, space, type, size, initialised }) => [name, space, type, size, initialised]),
    [
      ["weights", "global", ".f32[4]", 16, true],
      ["link", "global", ".u64", 8, true],
      ["limit", "const", ".u32", 4, true],
      ["pooled", "global", ".u32", 4, false],
      ["elsewhere", "global", ".u32", 4, false],
      ["tile", "shared", ".b8[64]", 64, false],
    ],
  );
});

test("an object's layout has types, and no offsets that the linker assigns", (t) => {
  const { layout } = inspected(assembled(), ["layout"]);
  const init = layout!.memories.find(({ section }) => section === ".nv.global.init");
  t.deepEqual(
    init!.variables.map(({ name, type, offset, size, align, linkage, line }) => ({
      name,
      type,
      offset,
      size,
      align,
      linkage,
      line,
    })),
    [
      { name: "weights", type: ".f32[4]", offset: 0, size: 16, align: 16, linkage: "visible", line: 4 },
      { name: "link", type: ".u64", offset: 16, size: 8, align: 8, linkage: "static", line: 5 },
    ],
  );
  t.deepEqual(
    layout!.common.map(({ name }) => name),
    ["pooled"],
  );
  t.deepEqual(
    layout!.undefined.map(({ name }) => name),
    ["elsewhere"],
  );
});

test("an image's layout has every variable at its offset, and its summary every module", (t) => {
  const { layout } = inspected(linked(), ["layout"]);
  t.deepEqual(layout!.common, []);
  t.deepEqual(layout!.undefined, []);
  for (const { variables, size } of layout!.memories)
    for (const variable of variables) t.true(variable.offset! + variable.size <= size, variable.name);
  const { summary, kind } = inspected(linked(), []);
  t.is(kind, "ptxkit-image");
  t.deepEqual(
    summary!.modules!.map(({ name }) => name),
    ["scale.ptx", "helper.ptx"],
  );
  t.deepEqual(summary!.undefined, []);
});

test("symbols that a driver or a launch provides are not undefined", (t) => {
  const text =
    ".version 8.5\n.target sm_80\n.address_size 64\n.extern .shared .u32 sized[];\n.extern .global .u32 other;\n" +
    ".extern .func free(.param .b64 p);\n.visible .entry k() { .reg .u32 %r; ld.shared.u32 %r, [sized]; " +
    "st.global.u32 [other], %r; { .param .b64 p; st.param.b64 [p], 0; call free, (p); } ret; }\n";
  const object = writeObject(compile("k.ptx", text));
  const { summary } = inspected(object, []);
  t.deepEqual(summary!.undefined, ["other"]);
  t.deepEqual(summary!.provided, { driver: ["free"], dynamicShared: ["sized"] });
});

test("demangled names stand beside the raw ones in every view", (t) => {
  const text = ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry _Z5saxpyifPKfPf()\n{ ret; }\n";
  const { kernels, symbols } = inspected(writeObject(compile("saxpy.ptx", text)), ["kernels", "symbols"]);
  const expected = { name: "_Z5saxpyifPKfPf", demangled: "saxpy(int, float, float const*, float*)" };
  t.like(kernels![0], expected);
  t.like(
    symbols![0]!.symbols.find(({ name }) => name === expected.name),
    expected,
  );
});

test("long names wrap within the terminal, and an image of damaged sections says that it has no kernels", (t) => {
  const name = `_Z4long${"i".repeat(90)}`;
  const text = `.version 8.5\n.target sm_80\n.address_size 64\n.visible .entry ${name}()\n{ ret; }\n`;
  const bytes = writeObject(compile("long.ptx", text));
  const lines = renderInspection(inspected(bytes, ["kernels", "sections", "symbols"]), { width: 80 }).split("\n");
  t.deepEqual(
    lines.filter((line) => line.length > 80 && line !== `Kernel ${name}`),
    [],
  );
  const cut = renderInspection(inspected(bytes.subarray(0, 100), ["sections"]));
  t.regex(cut, /Sections: none/);
});

test("every view of our own files is free of faults and is JSON", (t) => {
  for (const bytes of [assembled(), linked()]) {
    const sink = createSink();
    const inspection = inspected(bytes, ALL_VIEWS, sink);
    t.deepEqual(sink.all, []);
    t.deepEqual(JSON.parse(JSON.stringify(inspection)), inspection as unknown);
  }
});

test("relocations of an image name their symbols", (t) => {
  const { relocations } = inspected(linked(), ["relocations"]);
  const init = relocations!.find(({ target }) => target?.name === ".nv.global.init");
  t.like(init!.relocations[0], { type: { value: "R_CUDA_G64" }, symbol: { name: "weights" }, offset: { value: 16 } });
});

test("the disassembly of an image is PTX that checks", (t) => {
  const { disassembly } = inspected(linked(), ["disassemble"]);
  const sink = createSink();
  checkModule(parseModule({ name: "again.ptx", bytes: Buffer.from(disassembly!) }, sink), sink);
  t.deepEqual(sink.all, []);
  t.regex(disassembly!, /call \(b\), helper, \(a\);/);
});

test("what is not a known format is refused, and PTX text has no sections", (t) => {
  const inspect = (bytes: Uint8Array) => inspectFile({ name: "f", bytes }, { views: [] }, createSink()).kind;
  t.is(inspect(Uint8Array.of(1, 2, 3, 0)), "refused");
  t.is(
    inspectFile({ name: "f", bytes: Buffer.from(SOURCE) }, { views: ["sections"] }, createSink()).kind,
    "unsupported",
  );
});

testWith(installed("readelf"))("readelf reads the same sections and symbols in an image of ours", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "inspect-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "image");
  writeFileSync(file, linked());
  const said = (option: string) => spawnSync("readelf", ["-W", option, file], { encoding: "utf8" }).stdout;
  const { sections, symbols } = inspected(linked());
  for (const { name, size } of sections!.slice(1))
    t.regex(said("-S"), new RegExp(`${name.replaceAll(".", "\\.")} .* ${size.toString(16).padStart(6, "0")} `), name);
  for (const { name, index } of symbols![0]!.symbols)
    t.regex(said("-s"), new RegExp(`^ +${index}: .* ${name.replaceAll(".", "\\.")}$`, "m"));
});
