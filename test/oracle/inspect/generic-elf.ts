// A generic ELF file as llvm-readobj and readelf show it, field by field, in the inspector's terms.

import { spawnSync } from "node:child_process";
import type { Inspection } from "../../../lib/inspect/inspection.js";

/** A field by its path ("section 3 size"), with its value. */
export type Fields = ReadonlyMap<string, string | number>;

interface Named {
  readonly Value: string;
  readonly RawValue: number;
}
interface LlvmSection {
  readonly Index: number;
  readonly Name: Named;
  readonly Type: Named | string;
  readonly Flags: { readonly RawFlags: number };
  readonly Address: number;
  readonly Offset: number;
  readonly Size: number;
  readonly Link: number;
  readonly Info: number;
  readonly AddressAlignment: number;
  readonly EntrySize: number;
}
interface LlvmSymbol {
  readonly Name: Named;
  readonly Value: number;
  readonly Size: number;
  readonly Binding: Named;
  readonly Type: Named;
  readonly Section: Named;
}
interface LlvmFile {
  readonly ElfHeader: Readonly<Record<string, unknown>>;
  readonly Sections: readonly { readonly Section: LlvmSection }[];
  readonly Symbols: readonly { readonly Symbol: LlvmSymbol }[];
}

function output(tool: string, ...words: readonly string[]): string {
  const { stdout, error } = spawnSync(tool, words, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (error !== undefined) throw error;
  return stdout;
}

/** Numbers above 2^53 are not in what nvcc makes. */
export function llvmFields(file: string): Fields {
  const text = output("llvm-readobj", "--elf-output-style=JSON", "-h", "-S", "--symbols", file);
  const [answer] = JSON.parse(text) as readonly Readonly<Record<string, LlvmFile>>[];
  const { ElfHeader, Sections, Symbols } = Object.values(answer!)[0]!;
  const fields = new Map<string, string | number>();
  const headerRows = {
    entry: "Entry",
    programHeaderOffset: "ProgramHeaderOffset",
    sectionHeaderOffset: "SectionHeaderOffset",
  };
  for (const [ours, theirs] of Object.entries(headerRows)) fields.set(`header ${ours}`, Number(ElfHeader[theirs]));
  fields.set("header machine", (ElfHeader["Machine"] as Named).RawValue);
  fields.set("header flags", (ElfHeader["Flags"] as { readonly RawFlags: number }).RawFlags);
  for (const { Section: one } of Sections) {
    if (one.Index === 0) continue;
    const at = `section ${one.Index}`;
    fields.set(`${at} name`, one.Name.Value);
    if (typeof one.Type !== "string") fields.set(`${at} type`, one.Type.RawValue);
    fields.set(`${at} flags`, one.Flags.RawFlags);
    fields.set(`${at} address`, one.Address);
    fields.set(`${at} offset`, one.Offset);
    fields.set(`${at} size`, one.Size);
    fields.set(`${at} link`, one.Link);
    fields.set(`${at} info`, one.Info);
    fields.set(`${at} align`, one.AddressAlignment);
    fields.set(`${at} entrySize`, one.EntrySize);
  }
  Symbols.forEach(({ Symbol: one }, index) => {
    if (index === 0) return;
    const at = `symbol ${index}`;
    fields.set(`${at} name`, one.Name.Value);
    fields.set(`${at} value`, one.Value);
    fields.set(`${at} size`, one.Size);
    fields.set(`${at} binding`, one.Binding.RawValue);
    fields.set(`${at} type`, one.Type.RawValue);
    fields.set(`${at} section`, one.Section.RawValue);
  });
  return fields;
}

/** Relocations of each section: offset, r_info, addend. */
export function readelfRelocations(file: string): Fields {
  const fields = new Map<string, string | number>();
  let section = "";
  let count = 0;
  for (const line of output("readelf", "-W", "-r", file).split("\n")) {
    const head = /^Relocation section '(.*)' at offset/.exec(line);
    if (head !== null) [section, count] = [head[1]!, 0];
    const row = /^([0-9a-f]{12,16})\s+([0-9a-f]{12,16})\s+(.*)$/.exec(line);
    if (row === null) continue;
    const at = `relocation ${section} ${count++}`;
    const info = BigInt(`0x${row[2]}`);
    fields.set(`${at} offset`, Number(BigInt(`0x${row[1]}`)));
    fields.set(`${at} type`, Number(info & 0xffffffffn));
    fields.set(`${at} symbol`, Number(info >> 32n));
    const addend = /([+-]) ([0-9a-f]+)$/.exec(row[3]!);
    if (addend !== null) fields.set(`${at} addend`, Number(`${addend[1]}1`) * Number.parseInt(addend[2]!, 16));
  }
  return fields;
}

/** The same fields of an inspection with the views header, sections, symbols and relocations. */
export function ourFields({ header, sections = [], symbols = [], relocations = [] }: Inspection): Fields {
  const fields = new Map<string, string | number>();
  if (header !== undefined) {
    fields.set("header entry", Number(header.entry.hex));
    fields.set("header programHeaderOffset", header.programHeaderOffset);
    fields.set("header sectionHeaderOffset", header.sectionHeaderOffset);
    fields.set("header machine", rawOf(header.machine));
    fields.set("header flags", Number(header.flags.hex));
  }
  for (const one of sections) {
    const at = `section ${one.index}`;
    fields.set(`${at} name`, one.name);
    fields.set(`${at} type`, rawOf(one.type));
    fields.set(`${at} flags`, one.flags.rawFlags);
    fields.set(`${at} address`, Number(one.address.hex));
    for (const key of ["offset", "size", "link", "info", "align", "entrySize"] as const)
      fields.set(`${at} ${key}`, one[key]);
  }
  for (const table of symbols) {
    if (table.section.name !== ".symtab") continue;
    for (const { index, name, value, size, binding, type, section } of table.symbols) {
      const at = `symbol ${index}`;
      fields.set(`${at} name`, name);
      fields.set(`${at} value`, Number(value.hex));
      fields.set(`${at} size`, size);
      fields.set(`${at} binding`, rawOf(binding));
      fields.set(`${at} type`, rawOf(type));
      fields.set(`${at} section`, section.kind === "section" ? section.index : rawOf(section.special));
    }
  }
  for (const { section, relocations: rows } of relocations)
    rows.forEach(({ offset, type, symbol, addend }, i) => {
      const at = `relocation ${section.name} ${i}`;
      fields.set(`${at} offset`, Number(offset.hex));
      fields.set(`${at} type`, rawOf(type));
      fields.set(`${at} symbol`, symbol.index);
      fields.set(`${at} addend`, addend.value ?? Number(addend.hex));
    });
  return fields;
}

const rawOf = (value: { readonly rawValue: number } | number): number =>
  typeof value === "number" ? value : value.rawValue;
