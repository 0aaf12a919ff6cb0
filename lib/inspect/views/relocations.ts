// The relocations, by name and symbol. System V ABI, "Relocation"; types of EM_CUDA: formats/cuda/relocations. Types of
// other machines are shown as their numbers.

import { relocationFacts } from "../../../formats/cuda/index.js";
import {
  EM,
  relocationKind,
  relocationsOf,
  SHF,
  SHT_CUDA,
  type ElfSection,
  type RelocationTable,
} from "../../../formats/elf/index.js";
import { areApplied, relocatedIn, type Relocated } from "../context/applied.js";
import type { ElfContext, SymbolRef } from "../context/elf-context.js";
import { named, wide, type Named, type Wide } from "../context/values.js";

export interface RelocationView {
  /** Byte offset in the target section; in a host image an address. */
  readonly offset: Wide;
  readonly type: Named;
  /** The value that the type writes, in a few words. */
  readonly meaning?: string;
  readonly symbol: SymbolRef;
  readonly addend: Wide;
}

export interface RelocationTableView {
  readonly section: { readonly index: number; readonly name: string };
  /** The relocated section; absent in host images, whose offsets are addresses. */
  readonly target?: { readonly index: number; readonly name: string };
  readonly kind: "rel" | "rela";
  /** Whether a linker has already applied the records, which are kept for information. */
  readonly applied: boolean;
  readonly count: number;
  readonly relocations: readonly RelocationView[];
}

export function relocationTableViews(context: ElfContext): readonly RelocationTableView[] {
  const { machine } = context.file.header;
  const relocated = relocatedIn(context.file);
  return context.file.sections.flatMap((section) => {
    const kind = relocationKind(machine, section.type);
    return kind === undefined ? [] : (tableView(context, section, kind, relocated) ?? []);
  });
}

function tableView(
  context: ElfContext,
  section: ElfSection,
  kind: RelocationTableView["kind"],
  relocated: ReturnType<typeof relocatedIn>,
): RelocationTableView | undefined {
  const { file, budget } = context;
  const table = context.accept(relocationsOf(file, section));
  if (table === undefined) return undefined;
  const target = targetOf(context, section);
  if (target !== undefined) checkOffsets(context, section, table, target, relocated(section, target));
  const relocations: RelocationView[] = [];
  for (let i = 0; i < table.count; i++) {
    const type = table.type(i);
    const offset = table.offset(i);
    const facts = file.header.machine === EM.CUDA ? relocationFacts(type) : undefined;
    const symbol = context.symbol(section.link, table.symbol(i));
    if (!budget.spend(450)) break;
    relocations.push({
      offset: wide(Math.min(offset, Number.MAX_VALUE)),
      type: named(facts?.name, type),
      ...(facts === undefined ? {} : { meaning: facts.doc }),
      symbol,
      addend: wide(table.addend64(i)),
    });
  }
  return {
    section: { index: section.index, name: section.name },
    ...(target === undefined ? {} : { target: { index: target.index, name: target.name } }),
    kind,
    applied: file.header.machine === EM.CUDA && areApplied(section),
    count: table.count,
    relocations,
  };
}

/** Reports the first record that writes past the end of its section, and the number of such records. */
function checkOffsets(
  context: ElfContext,
  section: ElfSection,
  table: RelocationTable,
  target: ElfSection,
  { size, mayBeLeftOver }: Relocated,
): void {
  // From sm_100 on, offsets in tables of the second copy may exceed the section that sh_info refers to.
  if (section.type === SHT_CUDA.MERC_RELA || section.type === SHT_CUDA.MERC_RESOLVED_RELA) return;
  if (mayBeLeftOver) return;
  let first: number | undefined;
  let wrong = 0;
  for (let i = 0; i < table.count; i++) {
    if (table.offset(i) < size) continue;
    first ??= i;
    wrong++;
  }
  if (first === undefined) return;
  const others = wrong === 1 ? "" : `, and ${wrong - 1} more like it`;
  context.fault(
    section.offset + first * section.entsize,
    `section ${section.index} (${section.name}), record ${first}: offset ${table.offset64(first)} is past the end of ${target.name}, which has ${target.size} bytes${others}`,
  );
}

/** The section in sh_info; undefined for allocated relocation sections of host images, whose sh_info is 0 or the PLT. */
function targetOf(context: ElfContext, section: ElfSection): ElfSection | undefined {
  const { file } = context;
  const isDynamic = file.header.machine !== EM.CUDA && (section.flags & SHF.ALLOC) !== 0;
  if (isDynamic) return undefined;
  const target = file.sections[section.info];
  const what = `section ${section.index} (${section.name})`;
  if (target === undefined || section.info === 0) {
    context.fault(section.headerOffset + 44, `${what}: sh_info ${section.info} is not a section to relocate`);
    return undefined;
  }
  if (target === section || relocationKind(file.header.machine, target.type) !== undefined) {
    context.fault(section.headerOffset + 44, `${what}: sh_info ${section.info} relocates relocations`);
    return undefined;
  }
  return target;
}
