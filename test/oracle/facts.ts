// What an object file says of a module's data and kernels, read from the ELF file alone, so that NVIDIA's objects and ours
// are seen through the same eyes. Left out is what PTX does not determine: machine code and what describes it, the number
// in the name of a function-scope variable, and symbols that ptxas adds of its own accord.

import { createHash } from "node:crypto";
import { EIATTR, readInfo, readPrototypes } from "../../formats/cuda/index.js";
import {
  readElf,
  relocationKind,
  relocationsOf,
  sectionNamed,
  stringAt,
  symbolsOf,
  STB,
  STT,
  SYMBOL_BINDINGS,
  type ElfFile,
  type ElfSection,
  type SymbolTable,
} from "../../formats/elf/index.js";
import { need } from "../../formats/bytes/malformed.js";

/** Each fact as one line of text under a key: files agree when their tables do. */
export type Facts = Readonly<Record<string, string>>;

const DATA_SECTIONS = [".nv.global.init", ".nv.global", ".nv.constant3"];
const KERNEL_ATTRIBUTES: readonly number[] = [
  EIATTR.CBANK_PARAM_SIZE,
  EIATTR.KPARAM_INFO,
  EIATTR.KPARAM_INFO_V2,
  EIATTR.MAX_THREADS,
  EIATTR.REQNTID,
  EIATTR.MAX_CLUSTER_RANK,
  EIATTR.CTA_PER_CLUSTER,
];

/** What ptxas adds in compiling: pools of constants, helper routines, and what every file for sm_90 and later has. */
const ADDED = /^(_param|_SREG|__U[FD]T.*|\.nv\..*|__cuda_.*|__nv_reservedSMEM.*|.*\.const_opt\..*)$/s;

/** `$__name__20` -> `name`, which is what ptxas calls it in a module with debug information. */
const plainName = (name: string): string => name.replace(/^\$__(.+)__\d+(?:\$\d+)?$/s, "$1");

const digest = (bytes: Uint8Array): string =>
  bytes.length <= 64
    ? Buffer.from(bytes).toString("hex")
    : `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export function objectFacts(bytes: Uint8Array): Facts {
  const file = need(readElf(bytes));
  const symtab = need(symbolsOf(file, sectionNamed(file, ".symtab")!));
  const facts = new Map<string, string>();
  const add = (key: string, value: string): void => {
    let unique = key;
    for (let n = 2; facts.has(unique); n++) unique = `${key} (${n})`;
    facts.set(unique, value);
  };
  for (const section of file.sections) addSection(file, symtab, section, add);
  for (let i = 1; i < symtab.count; i++) addSymbol(file, symtab, i, add);
  addPrototypes(file, symtab, add);
  return Object.fromEntries([...facts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Add = (key: string, value: string) => void;

function addSection(file: ElfFile, symtab: SymbolTable, section: ElfSection, add: Add): void {
  const { name, data } = section;
  if (DATA_SECTIONS.includes(name)) {
    add(
      `section ${name}`,
      `type ${section.type} flags ${section.flags} size ${section.size} align ${section.addralign}`,
    );
    if (data.length > 0) add(`bytes ${name}`, digest(data));
  }
  if (name.startsWith(".nv.constant0.")) add(`parameters ${name}`, `size ${section.size} align ${section.addralign}`);
  if (name.startsWith(".nv.info.")) {
    for (const record of need(readInfo(data)))
      if (KERNEL_ATTRIBUTES.includes(record.attribute))
        add(`${name} 0x${record.attribute.toString(16)}`, Buffer.from(record.payload).toString("hex"));
  }
  if (relocationKind(file.header.machine, section.type) === undefined) return;
  const target = file.sections[section.info];
  if (target === undefined || !DATA_SECTIONS.includes(target.name)) return;
  const table = need(relocationsOf(file, section));
  for (let i = 0; i < table.count; i++) {
    const { offset, type, symbol, addend } = table.at(i);
    const name = plainName(symtab.name(symbol));
    add(`${section.name} ${String(i).padStart(4, "0")}`, `at ${offset} type ${type} ${name} + ${addend}`);
  }
}

function addSymbol(file: ElfFile, symtab: SymbolTable, index: number, add: Add): void {
  const symbol = symtab.at(index);
  const { name, type } = symbol;
  if (type === STT.SECTION || name === "" || ADDED.test(name)) return;
  const binding = SYMBOL_BINDINGS.find(({ value }) => value === symbol.binding)?.name ?? String(symbol.binding);
  const section = symbol.special === 0 ? file.sections[symbol.sectionIndex]!.name : `0x${symbol.special.toString(16)}`;
  const isCode = type === STT.FUNC;
  const size = isCode ? "" : ` size ${symbol.size}`;
  const key = isCode && symbol.binding === STB.LOCAL ? `static function ${name}` : plainName(name);
  add(`symbol ${key}`, `type ${type} ${binding} other ${symbol.other} in ${section} at ${symbol.value}${size}`);
}

/** Behind a bar ptxas notes the registers that it assumes of a system routine, which PTX knows nothing of. */
function addPrototypes(file: ElfFile, symtab: SymbolTable, add: Add): void {
  const section = sectionNamed(file, ".nv.prototype");
  if (section === undefined) return;
  const strings = file.sections.findIndex(({ name }) => name === ".strtab");
  for (const { symbol, prototype } of need(readPrototypes(section.data, section.offset)))
    if (!ADDED.test(symtab.name(symbol)))
      add(`prototype ${symtab.name(symbol)}`, need(stringAt(file, strings, prototype)).replace(/\|.*$/s, ""));
}
