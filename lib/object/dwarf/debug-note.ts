// What `.ptxkit.decl` says of debug sections: which part of which is whose. docs/format.md, "Declarations". Writer and reader side
// by side.

import type { ByteReader } from "../../../formats/bytes/reader.js";
import { readVarU, writeVarU } from "../../../formats/bytes/varint.js";
import type { ByteWriter } from "../../../formats/bytes/writer.js";
import type { DebugSection } from "./debug-sections.js";
import { readCount, readIndex, readText, type StringPool } from "../code/string-pool.js";

/** One module's part of a debug section. */
export interface DebugNote {
  readonly name: string;
  readonly module: number;
  /** Index in the ELF file. */
  readonly elf: number;
  /** Bytes from that section's start. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** debug-sections.ts */
  readonly shape: Uint8Array;
}

/** Writes all parts; `places` says where each is: the ELF section, and the offset of the part in it. */
export function writeDebugParts(
  body: ByteWriter,
  pool: StringPool,
  parts: readonly DebugSection[],
  places: readonly Pick<DebugNote, "elf" | "offset">[],
): void {
  writeVarU(body, parts.length);
  parts.forEach(({ name, module, data, shape }, i) => {
    const { elf: section, offset } = places[i]!;
    writeVarU(body, pool.index(name));
    for (const number of [module, section, offset, data.length, shape.length]) writeVarU(body, number);
    body.put(shape);
  });
}

export function readDebugNote(reader: ByteReader, pool: readonly string[], modules: number): DebugNote {
  const name = readText(reader, pool, "name of a debug section");
  const module = readIndex(reader, modules, "module of a debug section");
  const elf = readVarU(reader, "debug section");
  const offset = readVarU(reader, "offset of a debug section");
  const size = readVarU(reader, "size of a debug section");
  const shape = reader.view8(readCount(reader, "shape of a debug section"), "shape of a debug section");
  return { name, module, elf, offset, size, shape };
}
