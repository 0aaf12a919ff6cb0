// A reader of our objects written from docs/format.md alone, which shares nothing with lib/object: what it cannot read,
// the page does not describe. It reads symbols, declarations and the instructions of a function.

import test from "ava";
import { readFileSync } from "node:fs";
import { need } from "../../formats/bytes/malformed.js";
import { createSink } from "../../lib/diag/sink.js";
import { assemble } from "../../lib/object/assemble.js";
import { decodeFunction } from "../../lib/object/code/decode.js";
import { decodeObject, readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { check } from "./pipeline.js";

const text = `.version 8.5
.target sm_80, texmode_independent
.address_size 64
.visible .const .align 16 .f32 scale[4] = {1.0, 2.0};
.func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; add.s32 %x, %x, %x; st.param.b32 [r], %x; ret; }
.visible .entry k(.param .u64 .ptr .global .align 8 p, .param .align 8 .b8 n[8]) .maxntid 64, 2 {
  .reg .b64 %d<2>; .reg .f32 %f<3>; .reg .pred %p;
  ld.param.u64 %d0, [p];
  setp.eq.u64 %p, %d0, 0;
  @!%p bra done;
  ld.const.v2.f32 {%f0, %f1}, [scale+8];
  fma.rn.f32 %f2, %f0, %f1, 0f40000000;
  st.global.f32 [%d0+-4], %f2;
done:
  ret;
}
.visible .global .samplerref s = { filter_mode = linear, addr_mode_1 = clamp_to_edge };
`;

/** A cursor over bytes with the page's primitives. */
function cursor(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let texts: readonly string[] = [];
  const u8 = (): number => view.getUint8(at++);
  const varu64 = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = u8();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const varu = (): number => Number(varu64());
  const fold = (x: number): number => (x % 2 === 0 ? x / 2 : -(x + 1) / 2);
  const raw = (length: number): string => new TextDecoder().decode(bytes.subarray(at, (at += length)));
  const list = <T>(item: () => T): readonly T[] => Array.from({ length: varu() }, item);
  return {
    u8,
    varu,
    varu64,
    vars: () => fold(varu()),
    fold,
    list,
    raw,
    skip: (count: number) => void (at += count),
    u32: () => view.getUint32((at += 4) - 4, true),
    readTexts: () => void (texts = list(() => raw(varu()))),
    text: () => texts[varu()]!,
  };
}
type Cursor = ReturnType<typeof cursor>;

const layout = (c: Cursor) => {
  const type = c.text();
  const packed = c.u8();
  const dimensions = c.list(() => c.varu() - 1);
  return { type, align: 2 ** (packed >> 2), vector: 2 ** (packed & 3), dimensions, size: c.varu() };
};
const parameter = (c: Cursor) => {
  const flags = c.u8();
  const name = c.text();
  const held = layout(c);
  const space = (flags & 4) === 0 ? undefined : c.text();
  const align = (flags & 8) === 0 ? undefined : c.varu();
  return { name, ...held, ...((flags & 2) === 0 ? {} : { space, align: [held.align, align] }) };
};
const prototype = (c: Cursor) => ({
  noreturn: c.u8() === 1,
  returns: c.list(() => parameter(c)),
  takes: c.list(() => parameter(c)),
});

/** Sections by name, with what their headers say. */
function sectionsOf(file: Uint8Array) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = Number(view.getBigUint64(40, true));
  const headers = Array.from({ length: view.getUint16(60, true) }, (_, i) => {
    const at = start + 64 * i;
    const [offset, size] = [Number(view.getBigUint64(at + 24, true)), Number(view.getBigUint64(at + 32, true))];
    return {
      name: view.getUint32(at, true),
      type: view.getUint32(at + 4, true),
      info: view.getUint32(at + 44, true),
      bytes: file.subarray(offset, offset + size),
    };
  });
  const nameAt = (table: Uint8Array, offset: number) =>
    new TextDecoder().decode(table.subarray(offset, table.indexOf(0, offset)));
  return { headers: headers.map((h) => ({ ...h, name: nameAt(headers[1]!.bytes, h.name) })), nameAt };
}

function operand(c: Cursor, slots: number, deep = 0): string {
  if (deep > 4) throw new Error("operands nest at most four deep");
  const head = c.varu64();
  const v = Number(head >> 3n);
  const inner = () => operand(c, slots, deep + 1);
  const base = () => {
    const b = c.varu();
    return ["r", "s", "f", "-"][b & 3]! + (b >> 2);
  };
  const off = () => c.vars();
  switch (Number(head & 7n)) {
    case 1:
      return `r${v}`;
    case 2:
      return `#${(head >> 3n).toString(16)}`;
    case 3:
      return `[r${v}${signed(off())}]`;
    case 4:
      return `[f${v}${signed(off())}]`;
    case 5:
      if (v >= slots) throw new Error("no such slot");
      return `[s${v}${signed(off())}]`;
    case 6:
      return `label${signed(c.fold(v))}`;
    case 7:
      return `{${Array.from({ length: v }, inner).join(" ")}}`;
  }
  const special: readonly (() => string)[] = [
    () => "",
    () => `r${c.varu()}/${c.u8()}/${c.text()}`,
    () => `%${c.text()}`,
    () => `##${c.varu64()},${c.varu64()}`,
    () => `${base()}${signed(off())}`,
    () => `[${base()}${signed(off())} ${c.list(inner).join(" ")}]`,
    () => `${inner()}|${inner()}`,
    () => `(${c.list(inner).join(" ")})`,
    () => `table${c.varu()}`,
    () => "_",
  ];
  return special[v]!();
}
const signed = (n: number): string => (n < 0 ? `${n}` : `+${n}`);

/** One line for each instruction: source line, guard, spelling, operands. */
function instructionsOf(bytes: Uint8Array): readonly string[] {
  const c = cursor(bytes);
  if (c.raw(4) !== "PTXc" || c.u8() !== 1) throw new Error("no function of version 1");
  const flags = c.u8();
  c.skip(2);
  const slots = c.u32();
  c.skip(4 + 8 * slots + slots);
  const name = () => ((flags & 1) === 0 ? "" : c.text());
  c.readTexts();
  c.list(() => [c.text(), c.varu(), c.text(), c.varu()]);
  c.list(() => ((c.u8() & 4) === 0 ? [name(), layout(c)] : [name(), layout(c), c.varu()]));
  if ((flags & 2) !== 0) c.list(() => [c.varu(), c.varu()]);
  c.list(() => [name(), c.list(() => c.varu())]);
  c.list(() => [name(), c.list(() => c.varu())]);
  c.list(() => [name(), prototype(c)]);
  c.list(() => {
    const parts = c.u8();
    const where = [c.varu(), c.vars(), c.varu()];
    return [
      where,
      (parts & 1) === 0 ? [] : [c.text(), c.varu()],
      (parts & 2) === 0 ? [] : [c.varu(), c.varu(), c.varu()],
    ];
  });
  c.list(() => [c.varu(), c.text()]);
  const opcodes = c.list(() => ({ form: c.text(), spelling: c.text(), operands: c.varu() }));
  let line = 0;
  return c.list(() => {
    const head = c.varu();
    const { spelling, operands } = opcodes[head >> 2]!;
    line += (head & 2) === 0 ? 1 : c.vars();
    if ((head & 2) !== 0) c.vars();
    const guard = (head & 1) === 0 ? 0 : c.varu();
    const guarded = (head & 1) === 0 ? "" : `@${guard % 2 === 1 ? "!" : ""}r${guard >> 1} `;
    const given = Array.from({ length: operands }, () => operand(c, slots)).filter((text) => text !== "");
    return `${line} ${guarded}${spelling} ${given.join(", ")}`;
  });
}

const file = writeObject(assemble(check(text)));
const { headers, nameAt } = sectionsOf(file);
const bytesOf = (name: string): Uint8Array => headers.find((header) => header.name === name)!.bytes;

test("a reader made from docs/format.md finds the instructions of a kernel", (t) => {
  t.deepEqual(instructionsOf(bytesOf(".text.k")), [
    "8 ld.param.u64 r0, [f0+0]",
    "9 setp.eq.u64 r1, r0, #0",
    "10 @!r1 bra label+4",
    "11 ld.const.v2.f32 {r2 r3}, [s0+8]",
    "12 fma.rn.f32 r4, r2, r3, #40000000",
    "13 st.global.f32 [r0-4], r4",
    "15 ret ",
  ]);
});

/** Words of a module or type: numbers, texts, and numbers of 64 bits. */
function wordCursor(words: Int32Array, texts: readonly string[]) {
  let at = 0;
  const wide = (): number => {
    if (words[at] !== -0x80000000) throw new Error("no wide number");
    at += 4;
    return words[at - 3]! + words[at - 2]! * 2 ** 22 + words[at - 1]! * 2 ** 44;
  };
  const number = (): number => (words[at]! >= 0 ? words[at++]! : wide());
  const text = (): string => texts[~words[at++]!]!;
  const list = <T>(item: () => T): readonly T[] => Array.from({ length: number() }, item);
  const held = () => {
    const type = text();
    const packed = number();
    const dimensions = list(() => number() - 1);
    return { type, align: 2 ** (packed >> 2), vector: 2 ** (packed & 3), dimensions, size: number() };
  };
  const parameter = () => {
    const flags = number();
    const name = text();
    const own = held();
    const space = (flags & 4) === 0 ? undefined : text();
    const align = (flags & 8) === 0 ? undefined : number();
    return { name, ...own, ...((flags & 2) === 0 ? {} : { space, align: [own.align, align] }) };
  };
  const signature = () => ({
    noreturn: number() === 1,
    returns: list(parameter),
    takes: list(parameter),
  });
  return { number, wide, text, list, held, signature, isAtEnd: () => at === words.length };
}

test("a reader made from docs/format.md finds the declarations", (t) => {
  const bytes = bytesOf(".ptxkit.decl");
  const words = new Int32Array(bytes.slice(0, bytes.length & ~3).buffer);
  t.deepEqual([words[0], words[1], words[3]], [0x64585450, 9, 85]);
  const [textCount, typeCount, typeSize, modules, moduleSize] = words.subarray(4, 9);
  const [symbolCount, sectionCount, runWords, kernels, debug] = words.subarray(9, 14);
  let at = 16;
  const table = (count: number): Int32Array => words.subarray(at, (at += count));
  const textEnds = table(textCount!);
  const typeEnds = table(typeCount!);
  const typeWords = table(typeSize!);
  const moduleWords = table(moduleSize!);
  const symbolRows = table(6 * symbolCount!);
  const sectionRows = table(4 * sectionCount!);
  const runs = table(runWords!);
  const kernelRows = table(3 * kernels!);
  table(6 * debug!);
  t.is(4 * at + words[14]! + words[15]!, bytes.length);
  const texts = [...textEnds].map((end, i) =>
    new TextDecoder().decode(bytes.subarray(4 * at + (textEnds[i - 1] ?? 0), 4 * at + end)),
  );
  t.is(texts[words[2]!], "sm_80");
  const m = wordCursor(moduleWords, texts);
  t.is(modules, 1);
  t.deepEqual(
    [m.text(), m.number(), m.text(), m.list(m.text), m.number(), m.list(() => [m.number(), m.text()])],
    ["m.ptx", 85, "sm_80", ["texmode_independent"], 2, []],
  );
  t.true(m.isAtEnd());
  const symtab = bytesOf(".symtab");
  const view = new DataView(symtab.buffer, symtab.byteOffset, symtab.byteLength);
  const symbols = Array.from({ length: symbolCount! }, (_, i) => {
    const [elf, coded, type, module, line, column] = symbolRows.subarray(6 * i, 6 * i + 6);
    const name = nameAt(bytesOf(".strtab"), view.getUint32(24 * elf!, true));
    const [kind, flags] = [(coded! >> 4) & 15, coded! >> 8];
    const head = { name, linkage: coded! & 15, module, line, column };
    const c = wordCursor(typeWords.subarray(typeEnds[type! - 1] ?? 0, typeEnds[type!]), texts);
    const unifiedOf = () => ((flags & 8) === 0 ? [] : [c.wide(), c.wide()]);
    const whole = <T>(value: T): T => (c.isAtEnd() ? value : (t.fail(name), value));
    if (kind === 0) {
      const layout = c.held();
      return whole({
        ...{ ...head, space: flags, layout, scope: (flags & 4) === 0 ? "" : c.text(), unified: unifiedOf() },
      });
    }
    if (kind === 2) return whole({ ...head, reference: flags, fields: c.list(() => [c.number(), c.wide()]) });
    const signature = c.signature();
    const directives = c.list(() => [c.text(), c.list(c.number), c.list(c.text)]);
    return whole({ ...head, flags, signature, directives, unified: unifiedOf() });
  });
  const named = (index: number): string => headers[index]!.name;
  t.deepEqual(
    Array.from({ length: sectionCount! }, (_, i) => {
      const [elf, role, owner, run] = sectionRows.subarray(4 * i, 4 * i + 4);
      return [named(elf!), role, owner, runs.subarray(run! + 1, run! + 1 + 2 * runs[run!]!).join(" ")];
    }),
    [
      [".nv.constant3", 3, -1, ""],
      [".text.twice", 0, 1, ""],
      [".text.k", 0, 2, "1 16"],
    ],
  );
  t.deepEqual([...kernelRows], [2, 0, 0]);
  const b32 = (name: string) => ({ name, type: "b32", align: 4, vector: 1, dimensions: [], size: 4 });
  t.deepEqual(symbols, [
    {
      ...{ name: "scale", linkage: 1, module: 0, line: 4, column: 32, space: 16 + 2, scope: "", unified: [] },
      layout: { type: "f32", align: 16, vector: 1, dimensions: [4], size: 16 },
    },
    {
      ...{ name: "twice", linkage: 0, module: 0, line: 5, column: 23, flags: 0, directives: [], unified: [] },
      signature: { noreturn: false, returns: [b32("r")], takes: [b32("a")] },
    },
    {
      ...{ name: "k", linkage: 1, module: 0, line: 6, column: 17, flags: 1, unified: [] },
      signature: {
        noreturn: false,
        returns: [],
        takes: [
          { name: "p", type: "u64", align: [8, 8], vector: 1, dimensions: [], size: 8, space: "global" },
          { name: "n", type: "b8", align: 8, vector: 1, dimensions: [8], size: 8 },
        ],
      },
      directives: [["maxntid", [64, 2], []]],
    },
    {
      ...{ name: "s", linkage: 1, module: 0, line: 17, column: 30, reference: 1 },
      fields: [
        [7, 1],
        [9, 3],
      ],
    },
  ]);
});

/** The section of that name, the offset in it, and the message's subject. */
const versions = [
  [".note.ptxkit", 12 + 8, "container version", 2, 1],
  [".ptxkit.decl", 4, "version", 10, 9],
] as const;
for (const [section, place, what, newer, ours] of versions)
  test(`${section} of a newer version is refused, and the message names both`, (t) => {
    const changed = Uint8Array.from(file);
    changed[bytesOf(section).byteOffset - file.byteOffset + place] = newer;
    const sink = createSink();
    t.is(readObject(changed, "new.o", sink), undefined);
    const message = sink.all[0]?.message ?? "";
    t.regex(message, new RegExp(`${what}.* ${newer}\\b.* ${ours}\\b`));
    t.true(decodeObject(file, "m.o").ok);
  });

/** Objects of earlier versions, recorded when these were current. */
for (const version of [1, 7, 8])
  test(`an object with declarations of version ${version} is refused by name, with a remedy`, (t) => {
    const recorded = new URL(`../../../testdata/containers/declarations-${version}.o`, import.meta.url);
    const bytes = Uint8Array.from(readFileSync(recorded));
    t.is(bytes[Buffer.from(bytes).indexOf("PTXd") + 4], version);
    const sink = createSink();
    t.is(readObject(bytes, "old.o", sink), undefined);
    t.regex(
      sink.all[0]!.message,
      new RegExp(`^declarations of version ${version}: .* version 9; assemble or link the file's inputs again$`),
    );
  });

test("a function of a newer encoding is refused, and the message names both versions", (t) => {
  const changed = Uint8Array.from(file);
  changed[bytesOf(".text.k").byteOffset - file.byteOffset + 4] = 3;
  const decoded = need(decodeObject(changed, "new.o")).sections.flatMap((section) =>
    section.role.kind === "text" ? [decodeFunction(section.data!)] : [],
  );
  const fault = decoded.find(({ ok }) => !ok);
  t.regex(fault?.ok === false ? fault.error.what : "", /version 3\b.*\b2\b/);
});
