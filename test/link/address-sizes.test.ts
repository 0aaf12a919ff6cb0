// Links of modules with 32-bit addresses: with each other, with modules that fit both sizes, and with modules of 64-bit
// addresses.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx, linkRelocatable } from "../../lib/link/link-objects.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import { loadImage, findVariable, variableBytes } from "../../lib/load/load.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { addressSizeOf, type ObjectFile, type RelocObject, type VariableSymbol } from "../../lib/object/object.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { bytesIn, linkAll, objectOf, symbolsOf } from "./build.js";

const module = (size: string, body: string, target = "sm_80"): string =>
  `.version 8.5\n.target ${target}\n${size}\n${body}\n`;
const narrow = (name: string, body: string, target?: string): RelocObject =>
  objectOf(name, module(".address_size 32", body, target));

const first = `.extern .global .u32 values[4]; .common .global .u32 shared_by_all; .weak .global .u32 chosen = 1;
.const .u32 scale = 3; .const .u32 next = 4;
.func (.param .b32 r) f() { .reg .u32 %r; mov.u32 %r, values; st.param.b32 [r], %r; ret; }
.visible .entry k() { ret; }
.global .u32 pointers[6] = { values+4, generic(scale), next, f, k, generic(shared_by_all) };
.global .u8 bytes[5] = { 0xff(values), 0xff00(values), 0xff0000(values), 0xff000000(values), 0xff00000000(values) };
.global .u64 wide = chosen;`;
const second = `.visible .global .u32 values[4] = { 5, 6, 7, 8 }; .common .global .u32 shared_by_all; .visible .global .u32 chosen = 2;`;

const written = (object: ObjectFile): ObjectFile => {
  const read = decodeObject(writeObject(object), object.name);
  if (!read.ok) throw new Error(read.error.what);
  return read.value;
};

test("32-bit pointers hold the addresses of their variables, by 32-bit relocations", (t) => {
  for (const [target, types] of [
    ["sm_80", [3, 3, 1, 1, 34, 3]],
    ["sm_90", [3, 3, 1, 103, 34, 3]],
  ] as const) {
    const a = narrow("a.ptx", first, target);
    const data = a.sections.find(({ role }) => role.kind === "global-init")!;
    const { placement } = a.symbols.find(({ name }) => name === "pointers") as VariableSymbol;
    const start = placement.kind === "section" ? placement.offset : -1;
    const typeAt = (offset: number): number | undefined =>
      data.relocations.find((each) => each.offset === start + offset)?.type;
    t.deepEqual([0, 4, 8, 12, 16, 20].map(typeAt), [...types]);
    const objects = [a, narrow("b.ptx", second, target)];
    for (const inputs of [objects, objects.map(written) as RelocObject[]]) {
      const { image, diagnostics } = linkAll(inputs);
      t.deepEqual(diagnostics, []);
      t.is(addressSizeOf(image!), 32);
      const process = loadImage(written(image!) as typeof image & object);
      t.is(process.space.bits, 32);
      const variable = (name: string) => {
        const found = findVariable(process, name);
        if (typeof found !== "object") throw new Error(name);
        return found;
      };
      const view = (name: string): DataView => {
        const bytes = variableBytes(process, variable(name));
        return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      };
      const pointers = view("pointers");
      const at = (i: number): number => pointers.getUint32(4 * i, true);
      t.is(at(0), variable("values").address + 4);
      t.is(at(1), variable("scale").address);
      t.is(at(2), variable("next").address - variable("scale").address);
      t.is(process.functionAt(at(3))?.name, "f");
      t.is(process.functionAt(at(4))?.name, "k");
      t.is(at(5), variable("shared_by_all").address);
      t.is(view("bytes").getUint32(0, true), variable("values").address);
      t.is(view("bytes").getUint8(4), 0);
      t.is(view("wide").getBigUint64(0, true), BigInt(variable("chosen").address));
      t.is(bytesIn(image!, symbolsOf(image!, "chosen")[0] as VariableSymbol), "02000000");
    }
  }
});

test("e_flags has the 64-bit bit where addresses have 64 bits", (t) => {
  const flags = (size: string, target: string): number =>
    Buffer.from(
      writeObject(objectOf("a.ptx", module(size, ".global .u32 x = 1;", target).replace("8.5", "8.8"))),
    ).readUInt32LE(48);
  t.is(flags(".address_size 64", "sm_80"), 0x06005004);
  t.is(flags("", "sm_80"), 0x06005004);
  t.is(flags(".address_size 32", "sm_80"), 0x06005000);
  t.is(flags(".address_size 32", "sm_100"), 0x06006400);
  const bytes = Buffer.from(writeObject(objectOf("a.ptx", module(".address_size 32", ""))));
  bytes[48] = 4;
  t.like(decodeObject(bytes, "a.o"), { ok: false });
});

test("inspect shows addresses of 32 bits, and finds nothing wrong with them", (t) => {
  const bytes = writeObject(linkAll([narrow("a.ptx", first), narrow("b.ptx", second)]).image!);
  const sink = createSink();
  const result = inspectFile({ name: "a.img", bytes }, { views: [], verify: true }, sink);
  t.deepEqual(sink.all, []);
  if (result.kind !== "inspected") return t.fail();
  const summary = inspectFile({ name: "a.img", bytes }, { views: [] }, sink);
  if (summary.kind !== "inspected") return t.fail();
  t.regex(renderInspection(summary.inspection), /a\.ptx, PTX 8\.5 for sm_80, 32-bit addresses/);
});

test("modules of two sizes are refused, with every module and its place", (t) => {
  const wide = (name: string): RelocObject => objectOf(name, module(".address_size 64", ""));
  const any = objectOf("any.ptx", module("", ".visible .global .u32 x;"));
  const { diagnostics } = linkAll([any, narrow("a.ptx", ""), wide("b.ptx"), wide("c.ptx")]);
  t.is(diagnostics.length, 1);
  t.like(diagnostics[0], {
    code: "address-size",
    message: "b.ptx has addresses of 64 bits, which cannot be linked with a.ptx of 32 bits",
    place: { kind: "line", file: "b.ptx", line: 2 },
  });
  t.deepEqual(
    diagnostics[0]!.notes?.map(({ message }) => message),
    ["a.ptx has addresses of 32 bits", "c.ptx has addresses of 64 bits too"],
  );
  for (const [objects, size] of [
    [[any, narrow("a.ptx", "")], 32],
    [[any, wide("a.ptx")], 64],
    [[any], 64],
  ] as const)
    t.is(addressSizeOf(linkAll(objects).image!), size);
  for (const link of [linkRelocatable, emitPtx]) {
    const sink = createSink();
    t.is(link([narrow("a.ptx", ""), wide("b.ptx")], {}, sink), undefined);
    t.deepEqual(
      sink.all.map(({ code }) => code),
      ["address-size"],
    );
  }
});

test("a partial link and a merged text keep their address size", (t) => {
  const objects = [narrow("a.ptx", first), narrow("b.ptx", second)];
  const sink = createSink();
  const joined = linkRelocatable(objects, {}, sink)!;
  t.deepEqual(writeObject(linkAll([written(joined) as RelocObject]).image!), writeObject(linkAll(objects).image!));
  const head = (all: readonly RelocObject[]): readonly string[] =>
    Buffer.from(emitPtx(all, {}, sink)!)
      .toString()
      .split("\n")
      .slice(0, 3);
  t.deepEqual(head(objects), [".version 8.5", ".target sm_80", ".address_size 32"]);
  t.is(head([objectOf("any.ptx", module("", ".visible .global .u32 x;"))])[2], ".visible .global .u32 x;");
  const merged = objectOf("merged.ptx", Buffer.from(emitPtx(objects, {}, sink)!).toString());
  t.is(merged.modules[0]!.addressSize, 32);
  t.deepEqual(sink.all, []);
  const collected = linkAll(objects, { gcSections: true }).image!;
  t.is(addressSizeOf(collected), 32);
});

test("driver functions take addresses of the module's size", (t) => {
  const declare = (word: string): string => `.extern .func (.param .${word} p) malloc(.param .${word} size);
.visible .entry k() { .param .${word} a; .param .${word} r; st.param.${word} [a], 64; call (r), malloc, (a); ret; }`;
  const codes = (size: string, word: string): readonly string[] =>
    linkAll([objectOf("a.ptx", module(size, declare(word)))]).diagnostics.map(({ code }) => code);
  t.deepEqual(codes(".address_size 32", "b32"), []);
  t.deepEqual(codes(".address_size 64", "b64"), []);
  t.deepEqual(codes(".address_size 32", "b64"), ["driver-prototype"]);
  t.deepEqual(codes(".address_size 64", "b32"), ["driver-prototype"]);
});
