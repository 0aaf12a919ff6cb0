// Relocations that our own files never have: unknown types, and offsets outside of the section. nvlink says "Internal
// error: unexpected reloc"; ptxkit reports an error that names section, record, symbol and offset, and never leaves the
// bytes as they were.

import test from "ava";
import { readElf, relocationsOf } from "../../formats/elf/index.js";
import { need } from "../../formats/bytes/malformed.js";
import { writeObject } from "../../lib/object/file/write.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

const text = moduleText(
  ".visible .global .u32 v = 7;\n.visible .global .u64 p = v;\n.visible .entry k() {\n  .reg .b64 %a;\n  mov.u64 %a, v;\n  ret;\n}",
);

/** Offset of the first record of a table in the file. */
function recordOf(file: Uint8Array, table: string): number {
  const elf = need(readElf(file));
  const section = elf.sections.find(({ name }) => name === table)!;
  return need(relocationsOf(elf, section)).section.offset;
}

const damages = [
  { table: ".rel.text.k", field: 8, value: 200, says: "type 200 is not a relocation of .text.k" },
  { table: ".rel.text.k", field: 8, value: 4, says: "R_CUDA_G64 is not a relocation of .text.k" },
  { table: ".rel.nv.global.init", field: 8, value: 55, says: "R_CUDA_ABS32_32 is not a relocation of .nv.global.init" },
  { table: ".rel.nv.global.init", field: 8, value: 0, says: "R_CUDA_NONE is not a relocation of .nv.global.init" },
] as const;

for (const { table, field, value, says } of damages)
  test(`${table}: ${says}`, async (t) => {
    const file = writeObject(objectOf("a.ptx", text)).slice();
    const at = recordOf(file, table) + field;
    new DataView(file.buffer).setUint32(at, value, true);
    const { status, err, written } = await ptxkit(["link", "a.o", "-o", "out"], { files: { "a.o": file } });
    t.is(status, 1);
    const offset = table === ".rel.text.k" ? 16 : 0;
    t.is(
      err.split("\n")[0],
      `a.o:${at}: error: ${table}, record 0, for 'v' at offset ${offset}: ${says} [malformed-file]`,
    );
    t.false(written.has("out"));
  });

test("a relocation past the section's end is reported with the section's size", async (t) => {
  const file = writeObject(objectOf("a.ptx", text)).slice();
  const at = recordOf(file, ".rel.nv.global.init");
  new DataView(file.buffer).setUint32(at, 4096, true);
  const { err } = await ptxkit(["link", "a.o", "-o", "out"], { files: { "a.o": file } });
  t.regex(
    err,
    /^a\.o:\d+: error: \.rel\.nv\.global\.init, record 0, for 'v' at offset 4096: 8 bytes of \.nv\.global\.init, which has \d+ \[malformed-file\]\n/,
  );
});
