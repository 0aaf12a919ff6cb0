// Files that break each rule of inspect --verify: a file and one edit of it, for verify.test.ts.

import type { ElfSection } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeIdentified } from "../../lib/object/file/build-id.js";
import { writeObject } from "../../lib/object/file/write.js";
import { cubinBytes } from "../formats/recorded.js";
import { check } from "../object/pipeline.js";
import { copyBreaches } from "./breaches-copies.js";
import { add32, symbolNamed, symbolPlace, type Edit } from "./edits.js";

export const text = `.version 8.5
.target sm_80
.address_size 64
.func (.param .b32 r) sq(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; st.param.b32 [r], %x; ret; }
.visible .func other() { ret; }
.visible .global .u32 one = 1;
.visible .global .u32 two = 2;
.visible .global .u64 table[2] = { sq, one };
.visible .shared .u32 tile[4];
.common .global .u32 common;
.visible .entry k(.param .u64 p, .param .u32 n) {
  .reg .b32 %r; .reg .b64 %d;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], 1; call (b), sq, (a); ld.param.b32 %r, [b]; }
  call other;
  mov.u64 %d, sq;
  st.shared.u32 [tile], %r;
  ret;
}
`;
const object = assemble(check(text));
export const objectBytes = writeObject(object);
const image = linkObjects([object], {}, createSink())!;
export const imageBytes = writeObject(image);

/** The offset of the name of a section, or of the symbol at an offset, in its table. */
const nameOffset = (view: DataView, of: ElfSection | number): number =>
  view.getUint32(typeof of === "number" ? of : of.headerOffset, true);

/** Every rule with an edit that breaks it. */
export const breaches: readonly (readonly [rule: string, file: Uint8Array, edit: Edit])[] = [
  ["first-section", objectBytes, (view, section) => view.setUint32(section(".shstrtab").headerOffset - 60, 1, true)],
  ["section-alignment", objectBytes, (view, section) => add32(view, section(".nv.constant0.k").headerOffset + 24, -2)],
  ["section-overlap", objectBytes, (view, section) => add32(view, section(".ptxkit.decl").headerOffset + 24, -1)],
  ["section-link", objectBytes, (view, section) => view.setUint32(section(".symtab").headerOffset + 40, 1000, true)],
  ["section-info", objectBytes, (view, section) => view.setUint32(section(".nv.info.k").headerOffset + 44, 1000, true)],
  ["entry-size", objectBytes, (view, section) => view.setUint32(section(".nv.callgraph").headerOffset + 56, 4, true)],
  ["symbols", objectBytes, (view, section) => view.setUint32(section(".symtab").offset + 24, 0xffffff, true)],
  ["notes", objectBytes, (view, section) => view.setUint32(section(".note.ptxkit").offset, 1000, true)],
  [
    "segments",
    objectBytes,
    (view, section) => (
      view.setBigUint64(32, BigInt(section(".nv.constant0.k").offset), true),
      view.setUint16(54, 56, true),
      view.setUint16(56, 1, true)
    ),
  ],
  ["segments", imageBytes, (view) => add32(view, Number(view.getBigUint64(32, true)) + 32, 100_000)],
  ["generation", objectBytes, (view) => view.setUint8(8, 9)],
  // Changing e_machine alone gives a file of an unknown machine, about which nothing else is known.
  ["generation", imageBytes, (view) => view.setUint16(18, 62, true)],
  ["generation", cubinBytes("linked.sm_90.cubin"), (view) => view.setUint16(18, 62, true)],
  ["file-header", cubinBytes("vars.sm_75.o"), (view) => view.setUint16(52, 63, true)],
  ["file-header", cubinBytes("vars.sm_75.o"), (view) => view.setUint32(20, 2, true)],
  ["file-header", cubinBytes("vars.sm_75.o"), (view) => view.setUint8(12, 1)],
  ["file-header", cubinBytes("vars.sm_75.o"), (view) => view.setUint16(56, 3, true)],
  ["flags", objectBytes, (view) => view.setUint8(7, 0x33)],
  ["flags", cubinBytes("vars.sm_75.o"), (view) => view.setUint8(48, 9)],
  ["flags", cubinBytes("vars.sm_75.o"), (view) => view.setUint8(51, 5)],
  ["file-type", objectBytes, (view) => view.setUint16(16, 4, true)],
  ["file-type", cubinBytes("linked.sm_90.cubin"), (view) => view.setUint16(16, 3, true)],
  ["no-addresses", objectBytes, (view) => view.setUint32(24, 4096, true)],
  ["section-type", objectBytes, (view, section) => view.setUint32(section(".nv.callgraph").headerOffset + 4, 1, true)],
  ["symbol-order", objectBytes, (view, section) => add32(view, section(".symtab").headerOffset + 44, 1)],
  [
    "symbol-order",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint32(section(".symtab").headerOffset + 44, 1, true),
  ],
  [
    "symbol-place",
    objectBytes,
    (view, section, bytes) => view.setUint32(symbolPlace(bytes, section, "table") + 16, 4096, true),
  ],
  [
    "symbol-place",
    objectBytes,
    (view, section, bytes) => view.setUint32(symbolPlace(bytes, section, "common") + 8, 3, true),
  ],
  [
    "symbol-place",
    objectBytes,
    (view, section, bytes) => view.setUint32(symbolPlace(bytes, section, "tile") + 8, 3, true),
  ],
  ["text-symbol", objectBytes, (view, section) => add32(view, section(".text.k").headerOffset + 44, -1)],
  ["owner", objectBytes, (view, section) => view.setUint32(section(".nv.constant0.k").headerOffset + 44, 2, true)],
  ["relocations", objectBytes, (view, section) => view.setUint32(section(".rel.text.k").offset, 100_000, true)],
  ["relocations", objectBytes, (view, section) => view.setUint32(section(".rel.text.k").offset + 8, 58, true)],
  [
    "relocations",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint32(section(".rel.nv.global.init").offset + 12, 10_000, true),
  ],
  [
    "section-header",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".nv.callgraph").headerOffset + 40, 2),
  ],
  [
    "section-header",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".nv.global.init").headerOffset + 8, 2),
  ],
  [
    "section-header",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".nv.info").headerOffset + 48, 1),
  ],
  [
    "section-header",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".nv.info").headerOffset + 56, 8),
  ],
  [
    "symbol-kind",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".symtab").offset + 24 + 4, 0x43),
  ],
  ["symbol-kind", cubinBytes("vars.sm_75.o"), (view, section) => view.setUint8(section(".symtab").offset + 24 + 8, 8)],
  [
    "relocation-width",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint32(section(".rel.nv.global.init").offset, section(".nv.global.init").size - 1, true),
  ],
  [
    "segment-kind",
    cubinBytes("linked.sm_90.cubin"),
    (view) => view.setUint8(Number(view.getBigUint64(32, true)) + 56, 2),
  ],
  [
    "segment-kind",
    cubinBytes("linked.sm_100.cubin"),
    (view) => view.setUint8(Number(view.getBigUint64(32, true)) + 4, 7),
  ],
  [
    "segment-kind",
    cubinBytes("linked.sm_90.cubin"),
    (view) => add32(view, Number(view.getBigUint64(32, true)) + 56 + 8, 2),
  ],
  [
    "segment-kind",
    cubinBytes("linked.sm_90.cubin"),
    (view) => add32(view, Number(view.getBigUint64(32, true)) + 2 * 56 + 32, -2),
  ],
  [
    "section-name",
    cubinBytes("vars.sm_75.o"),
    (view, section) =>
      view.setUint8(section(".shstrtab").offset + nameOffset(view, section(".nv.callgraph")) + 4, 0x58),
  ],
  [
    "text-symbol",
    cubinBytes("linked.sm_100.cubin"),
    (view, section) => view.setUint8(section(".shstrtab").offset + nameOffset(view, section(".text.k2")) + 7, 0x33),
  ],
  [
    "owner",
    cubinBytes("linked.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.info.k2").headerOffset + 44, 1),
  ],
  [
    "owner",
    cubinBytes("linked.sm_80.cubin"),
    (view, section) => add32(view, section(".rel.text.k").headerOffset + 44, 1),
  ],
  [
    "section-header",
    cubinBytes("linked.sm_90.cubin"),
    (view, section) => view.setUint32(section(".nv.global").headerOffset + 40, 3, true),
  ],
  [
    "file-layout",
    cubinBytes("linked.sm_75.cubin"),
    (view, section) => add32(view, section(".nv.callgraph").headerOffset + 32, -8),
  ],
  [
    "symbol-name",
    cubinBytes("linked.sm_75.cubin"),
    (view, section, bytes) => add32(view, symbolPlace(bytes, section, "table"), 1),
  ],
  [
    "symbol-name",
    cubinBytes("vars.sm_100.o"),
    (view, section, bytes) =>
      view.setUint8(section(".strtab").offset + nameOffset(view, symbolPlace(bytes, section, "table")), 0xc1),
  ],
  [
    "symbol-other",
    cubinBytes("vars.sm_75.o"),
    (view, section, bytes) => view.setUint8(symbolPlace(bytes, section, "table") + 5, 0x40),
  ],
  [
    "symbol-other",
    cubinBytes("vars.sm_100.o"),
    (view, section, bytes) => view.setUint8(symbolPlace(bytes, section, "table") + 5, 0),
  ],
  [
    "symbol-other",
    cubinBytes("linked.sm_90.cubin"),
    (view, section, bytes) => view.setUint8(symbolPlace(bytes, section, "k2") + 5, 0),
  ],
  [
    "symbol-size",
    cubinBytes("vars.sm_90.o"),
    (view, section, bytes) => add32(view, symbolPlace(bytes, section, "table") + 16, 4),
  ],
  [
    "symbol-order",
    cubinBytes("vars.sm_75.o"),
    (view, section) => add32(view, section(".symtab").headerOffset + 44, -1),
  ],
  [
    "relocation-type",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint32(section(".rel.nv.global.init").offset + 8, 55, true),
  ],
  [
    "relocation-type",
    cubinBytes("vars.sm_100.o"),
    (view, section) => add32(view, section(".rela.debug_frame").offset + 8, 1),
  ],
  // An address whose halves belong to two symbols.
  [
    "relocation-type",
    cubinBytes("linked.sm_90.cubin"),
    (view, section) => add32(view, section(".rela.text.k").offset + 8, 1),
  ],
  [
    "relocation-type",
    cubinBytes("calls.sm_90.o"),
    (view, section) => add32(view, section(".rela.text.dispatch").offset + 24 + 16, 3),
  ],
  // The second copy of code: an offset, a type, and an instruction of another function.
  [
    "relocation-type",
    cubinBytes("linked.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.merc.rela.text.k").offset, 4),
  ],
  [
    "relocation-type",
    cubinBytes("linked.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.merc.rela.text.k").offset + 8, 30),
  ],
  [
    "relocation-type",
    cubinBytes("linked.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.merc.rela.text.k").offset + 24 + 12, -1),
  ],
  [
    "relocation-copy",
    cubinBytes("linked.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.merc.rela.nv.global.init").offset + 16, 4),
  ],
  [
    "relocation-copy",
    cubinBytes("linked.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.merc.rela.nv.global.init").headerOffset + 32, -24),
  ],
  ...copyBreaches,
  [
    "frame-relocation",
    cubinBytes("linked.sm_90.cubin"),
    (view, section) => add32(view, section(".rela.debug_frame").offset, 8),
  ],
  // In the second copy: another function's size, and a common entry that is none.
  [
    "frame-relocation",
    cubinBytes("vars.sm_100.o"),
    (view, section) => add32(view, section(".nv.merc.rela.debug_frame").offset + 12, -5),
  ],
  [
    "frame-relocation",
    cubinBytes("vars.sm_100.o"),
    (view, section) => add32(view, section(".nv.merc.rela.debug_frame").offset + 48 + 16, 8),
  ],
  ["flags", cubinBytes("vars.sm_100.o"), (view) => view.setUint8(50, 1)],
  ["flags", cubinBytes("vars.sm_100.o"), (view) => view.setUint8(49, 104)],
  [
    "toolkit",
    cubinBytes("vars.sm_100.o"),
    (view, section) => view.setUint8(section(".note.nv.cuinfo").offset + 28, 128),
  ],
  ["info", objectBytes, (view, section) => view.setUint8(section(".nv.info.k").offset, 9)],
  ["info", objectBytes, (view, section) => view.setUint32(section(".nv.info.k").offset + 4, 10_000, true)],
  ["info", objectBytes, (view, section) => view.setUint16(section(".nv.info.k").offset + 8, 0x100, true)],
  ["info", cubinBytes("linked.sm_90.cubin"), (view, section) => view.setUint8(section(".nv.info.k").offset, 9)],
  ["call-graph", objectBytes, (view, section) => view.setInt32(section(".nv.callgraph").offset + 4, -2, true)],
  ["call-graph", objectBytes, (view, section) => view.setUint32(section(".nv.callgraph").offset + 8, 1, true)],
  ["prototypes", objectBytes, (view, section) => view.setUint32(section(".nv.prototype").offset + 4, 1, true)],
  ["toolkit", objectBytes, (view, section) => view.setUint16(section(".note.nv.cuinfo").offset + 26, 120, true)],
  ["declarations", objectBytes, (view, section) => view.setUint8(section(".ptxkit.decl").offset + 4, 99)],
  ["code", objectBytes, (view, section) => add32(view, section(".rel.text.k").offset, 4)],
  ["declarations", objectBytes, (view, section) => view.setUint32(section(".rel.text.k").offset + 8, 4, true)],
  [
    "code",
    objectBytes,
    (view, section, bytes) => view.setUint32(section(".rel.text.k").offset + 12, symbolNamed(bytes, "one"), true),
  ],
  ["code", objectBytes, (view, section) => view.setUint8(section(".text.k").offset + 4, 99)],
  [
    // In an object such a name is no declaration.
    "names",
    imageBytes,
    (view, section, bytes) =>
      view.setUint8(section(".strtab").offset + nameOffset(view, symbolPlace(bytes, section, "table")) + 1, 0x20),
  ],
  [
    "declarations",
    imageBytes,
    (view, section, bytes) => view.setUint32(symbolPlace(bytes, section, "two") + 8, 16, true),
  ],
  // sh_flags, st_other, p_flags and values of attributes, which no other rule checks.
  ["canonical", objectBytes, (view, section) => view.setUint8(section(".ptxkit.decl").headerOffset + 8, 2)],
  ["canonical", objectBytes, (view, section, bytes) => view.setUint8(symbolPlace(bytes, section, "table") + 5, 0x40)],
  ["canonical", imageBytes, (view) => view.setUint8(Number(view.getBigUint64(32, true)) + 4, 7)],
  ["build-id", writeIdentified(image), (view, section) => view.setUint8(section(".nv.global.init").offset, 7)],
];
