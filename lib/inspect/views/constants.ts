// Constant memory by bank: the owner of each section of constants, its known variables, and its first bytes.

import { EM, STT, type ElfSection } from "../../../formats/elf/index.js";
import type { ElfContext } from "../context/elf-context.js";
import { rawBytes, type RawBytes } from "../context/values.js";
import { purposeOf } from "./sections.js";

export interface ConstantVariable {
  readonly name: string;
  readonly demangled?: string;
  /** Byte offset in the bank's section. */
  readonly offset: number;
  readonly size: number;
  /** Its initial value. */
  readonly bytes: RawBytes;
}

export interface ConstantSection {
  readonly bank: number;
  readonly section: { readonly index: number; readonly name: string };
  /** The function that owns the constants; absent for the module's. */
  readonly function?: string;
  /** The purpose of the bank. */
  readonly description?: string;
  /** Byte offset in the file, and size in the file. */
  readonly offset: number;
  readonly size: number;
  readonly variables: readonly ConstantVariable[];
  readonly bytes: RawBytes;
}

const BANK = /^\.nv\.constant(\d+)(?:\.|$)/;
/** Limit of shown bytes for each variable and each section. */
const SHOWN = 64;

export function constantsView(context: ElfContext): readonly ConstantSection[] {
  const { sections, header } = context.file;
  const variables = variablesBySection(context);
  return sections
    .flatMap((section): readonly ConstantSection[] => {
      const bank = BANK.exec(section.name)?.[1];
      if (bank === undefined || !context.budget.spend(400 + section.name.length)) return [];
      const { function: owner, description } = header.machine === EM.CUDA ? purposeOf(header.machine, section) : {};
      return [
        {
          bank: Number(bank),
          section: { index: section.index, name: section.name },
          ...(owner === undefined ? {} : { function: owner }),
          ...(description === undefined ? {} : { description }),
          offset: section.offset,
          size: section.size,
          variables: variables.get(section) ?? [],
          bytes: rawBytes(section.data, SHOWN),
        },
      ];
    })
    .sort((a, b) => a.bank - b.bank);
}

function variablesBySection(context: ElfContext): ReadonlyMap<ElfSection, readonly ConstantVariable[]> {
  const { sections } = context.file;
  const found = new Map<ElfSection, ConstantVariable[]>();
  const table = context.symbols(context.tableFor(0));
  for (let i = 1; table !== undefined && i < table.count; i++) {
    const section = sections[table.sectionIndex(i)];
    const isVariable = table.type(i) === STT.OBJECT || table.type(i) === STT.CUDA_OBJECT;
    if (section === undefined || !isVariable || !BANK.test(section.name)) continue;
    if (!context.budget.spend(300 + 2 * table.name(i).length)) break;
    const { name, demangled } = context.symbol(table.section.index, i);
    const [offset, size] = [table.value(i), table.size(i)];
    const own = found.get(section) ?? [];
    if (own.length === 0) found.set(section, own);
    own.push({
      name,
      ...(demangled === undefined ? {} : { demangled }),
      offset,
      size,
      bytes: rawBytes(section.data.subarray(offset, offset + size), SHOWN),
    });
  }
  for (const own of found.values()) own.sort((a, b) => a.offset - b.offset);
  return found;
}
