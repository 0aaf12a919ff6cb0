// Checks the relocations that nvlink -preserve-relocs keeps of code for sm_100 and later. Both the code and its second copy have
// them: record for record with the same symbols, and with other types and offsets. Observed in 1,600 images of nvlink 13.0.88.

import { SHT_CUDA } from "../../../formats/elf/index.js";
import { recordsOf, type Records } from "./cuda-relocations.js";
import { isFromKnownToolkit } from "./cuda-sections.js";
import { named } from "./elf.js";
import type { Report, Rule } from "./rule.js";

const COPY = /^\.nv\.merc\.nv\.resolvedrela\.text\./;
const OWN = ".nv.resolvedrela.text.";
const SYMBOL_FIELD = 12;

function checkTwice(copy: Records, own: Records | undefined, report: Report): void {
  const { section, table, symbols } = copy;
  if (own === undefined || own.table.count !== table.count) {
    const count = own === undefined ? "no section" : `${own.table.count} records`;
    report(section.headerOffset, `${named(section)} has ${table.count} records; the code has ${count} of that name`);
    return;
  }
  for (let i = 0; i < table.count; i++) {
    const [mine, its] = [table.at(i), own.table.at(i)];
    if (mine.addend === its.addend && symbols.name(mine.symbol) === own.symbols.name(its.symbol)) continue;
    report(
      section.offset + i * section.entsize + SYMBOL_FIELD,
      `${named(section)}, record ${i} refers to ${symbols.name(mine.symbol)} + ${mine.addend}; the record of the code refers to ${own.symbols.name(its.symbol)} + ${its.addend}`,
    );
  }
}

export const cudaAppliedRules: readonly Rule[] = [
  {
    name: "relocation-applied",
    about: "relocations kept by -preserve-relocs have the same symbols and addends for the code and its second copy",
    check(subject, report) {
      if (!isFromKnownToolkit(subject)) return 0;
      const all = recordsOf(subject);
      const own = new Map(
        all
          .filter(({ section }) => section.type === SHT_CUDA.RESOLVED_RELA)
          .map((records) => [records.section.name, records]),
      );
      const copies = all.filter(({ section }) => COPY.test(section.name));
      for (const copy of copies) checkTwice(copy, own.get(copy.section.name.replace(COPY, OWN)), report);
      return copies.reduce((count, { table }) => count + table.count, 0);
    },
  },
];
