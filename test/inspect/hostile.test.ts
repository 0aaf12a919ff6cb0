// For any bytes, the inspector returns a result or a report with the place of every error. Damaged files are sampled.

import test from "ava";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { createDemangler } from "../../lib/inspect/context/demangler.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import type { InspectResult } from "../../lib/inspect/inspection.js";
import { writeObject } from "../../lib/object/file/write.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { rounds, sample } from "../sample.js";
import { mutations, truncations } from "../formats/hostile.js";
import { cubinBytes } from "../formats/recorded.js";
import { assembled, compile } from "./own.js";
import { ALL_VIEWS, inspected } from "./recorded.js";

function survive(bytes: Uint8Array): { readonly result: InspectResult; readonly sink: DiagnosticSink } {
  const sink = createSink();
  inspectFile({ name: "a", bytes }, { views: [] }, createSink());
  const result = inspectFile({ name: "a", bytes }, { views: ALL_VIEWS }, sink);
  if (result.kind === "inspected") {
    JSON.parse(JSON.stringify(result.inspection));
    renderInspection(result.inspection, { width: 80 });
  }
  return { result, sink };
}

const victims: readonly (readonly [name: string, bytes: () => Uint8Array])[] = [
  ["a linked cubin of sm_100", () => cubinBytes("linked.sm_100.cubin")],
  ["a relocatable cubin of sm_75", () => cubinBytes("calls.sm_75.o")],
  ["an object of ours", assembled],
];

for (const [name, bytes] of victims) {
  test(`${name}: damaged bytes never throw, and faults have offsets`, (t) => {
    const whole = bytes();
    let faults = 0;
    for (const damaged of mutations(whole, 7, rounds(400, 16))) {
      const { result, sink } = survive(damaged);
      faults += sink.errorCount;
      if (result.kind === "refused") t.true(sink.errorCount > 0);
      for (const { place, code } of sink.all) if (code === "malformed-file") t.is(place?.kind, "bytes");
    }
    t.true(faults * 4 > rounds(400, 16), `${faults} faults`);
  });

  test(`${name}: truncated anywhere`, (t) => {
    const whole = bytes();
    for (const cut of sample([...truncations(whole, 97)], 16, { name: ({ length }) => `${length}` }))
      t.true(survive(cut).sink.errorCount > 0, `${cut.length}`);
  });
}

test("a section past the end loses only itself", (t) => {
  const bytes = Uint8Array.from(cubinBytes("linked.sm_80.cubin"));
  const view = new DataView(bytes.buffer);
  const headers = Number(view.getBigUint64(40, true));
  // sh_offset of section 4, which is .debug_frame
  view.setBigUint64(headers + 4 * 64 + 24, 1n << 40n, true);
  const { result, sink } = survive(bytes);
  t.is(sink.all[0]?.place?.kind, "bytes");
  if (result.kind !== "inspected") return t.fail();
  const { damaged, sections, kernels, symbols } = result.inspection;
  t.true(damaged);
  t.is(sections![4]!.name, ".debug_frame");
  t.deepEqual(
    kernels!.map(({ name }) => name),
    ["k", "k2"],
  );
  t.true(symbols![0]!.symbols.length > 20);
});

test("unknown sections, attributes and relocations are shown with their numbers and bytes", (t) => {
  const bytes = Uint8Array.from(cubinBytes("linked.sm_80.cubin"));
  const view = new DataView(bytes.buffer);
  const before = survive(bytes).result;
  if (before.kind !== "inspected") return t.fail();
  const { sections, info, relocations } = before.inspection;
  const attribute = info!.attributes[0]!.attributes[0]!;
  bytes[attribute.offset + 1] = 0xee;
  const callgraph = sections!.find(({ name }) => name === ".nv.callgraph")!;
  view.setUint32(Number(view.getBigUint64(40, true)) + callgraph.index * 64 + 4, 0x7000_0099, true);
  const table = sections!.find(({ name }) => name === relocations![0]!.section.name)!;
  view.setUint32(table.offset + 8, 0xabc, true);
  const { result, sink } = survive(bytes);
  t.deepEqual(sink.all, []);
  if (result.kind !== "inspected") return t.fail();
  const after = result.inspection;
  t.like(after.info!.attributes[0]!.attributes[0], {
    attribute: { value: null, rawValue: 0xee },
    value: { kind: "bytes", size: 8 },
  });
  t.like(after.sections![callgraph.index], {
    type: { value: null, rawValue: 0x7000_0099 },
    bytes: { size: callgraph.size },
  });
  t.like(after.relocations![0]!.relocations[0], { type: { value: null, rawValue: 0xabc } });
  t.regex(renderInspection(after), /unknown 0xee[^]*type 2748|type 2748[^]*unknown 0xee/);
});

test("records that name long symbols many times are shortened, with a note", (t) => {
  const bytes = cubinBytes("linked.sm_80.cubin");
  const { sections } = inspected(bytes, ["sections"]);
  const table = sections!.find(({ name }) => name === ".rela.text.k")!;
  const names = 1 << 20;
  const records = 24 * 20_000;
  const file = new Uint8Array(bytes.length + names + records);
  file.set(bytes);
  file.fill(0x61, bytes.length, bytes.length + names - 1);
  for (let at = bytes.length + names; at < file.length; at += 24)
    file.set(bytes.subarray(table.offset, table.offset + 24), at);
  const view = new DataView(file.buffer);
  const headers = Number(view.getBigUint64(40, true));
  const place = (section: number, offset: number, size: number) => {
    view.setBigUint64(headers + section * 64 + 24, BigInt(offset), true);
    view.setBigUint64(headers + section * 64 + 32, BigInt(size), true);
  };
  place(2, bytes.length, names);
  place(table.index, bytes.length + names, records);
  const { relocations, shortened } = inspected(file, ["relocations"]);
  t.true(shortened);
  const shown = relocations!.find(({ section }) => section.name === table.name)!;
  t.is(shown.count, 20_000);
  t.true(shown.relocations.length < 200);
});

test("a file of names that cannot be demangled exhausts the demangler's budget", (t) => {
  let tried = 0;
  const demangle = createDemangler(() => {
    tried++;
    return undefined;
  });
  for (let i = 0; i < 100_000; i++) t.is(demangle(`_Z${i}`), undefined);
  t.true(tried < 10_000);
});

test("all views of a file share one budget of names", (t) => {
  const entries = Array.from({ length: 3000 }, (_, i) => `.visible .entry _Z${i}() { ret; }\n`);
  const text = `.version 8.5\n.target sm_80\n.address_size 64\n${entries.join("")}`;
  const bytes = writeObject(compile("names.ptx", text));
  let tried = 0;
  const demangle = (): undefined => void tried++;
  const { kind } = inspectFile({ name: "a", bytes }, { views: ["symbols", "kernels"], demangle }, createSink());
  t.is(kind, "inspected");
  t.true(tried > 3000);
  t.true(tried < 5000);
});
