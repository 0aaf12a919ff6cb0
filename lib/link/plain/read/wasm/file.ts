// The file that is read, and where its rows go: columns as tables/tables.ts has them, at addresses that who calls has set.

// Where it is, how many bytes, and what frame.ts found in it.
export let file: usize = 0;
export let fileBytes: u32 = 0;
/** Bytes from the file's start. */
let headers: u32 = 0;
export let sectionCount: u32 = 0;
export let symbolCount: u32 = 0;
/** ELF sections: its declarations, its call graph. */
export let declared: u32 = 0;
export let graph: u32 = 0;
/** Bytes from the file's start to the sections of symbols that their records have no room for; 0 where none needs that. */
export let extended: u32 = 0;

/** The file that is read next, with so many symbols if it is right. Behind it are four zeros at least. */
export function open(start: usize, bytes: u32, headersAt: u32, sections: u32, symbols: u32): void {
  file = start;
  fileBytes = bytes;
  headers = headersAt;
  sectionCount = sections;
  symbolCount = symbols;
}

export function setFound(declarations: u32, callGraph: u32, sectionsOfSymbols: u32): void {
  declared = declarations;
  graph = callGraph;
  extended = sectionsOfSymbols;
}

// Of each file, words:
export let firstSymbol: usize = 0;
export let firstSection: usize = 0;
export let firstModule: usize = 0;
export let firstElf: usize = 0;
// Of each symbol, words, but bytes of code and flags:
export let name: usize = 0;
export let code: usize = 0;
export let flags: usize = 0;
export let shape: usize = 0;
export let place: usize = 0;
export let offset: usize = 0;
export let module: usize = 0;
export let line: usize = 0;
export let column: usize = 0;
export let symbolOf: usize = 0;
// Of each section, words, but bytes of role and halves of facts:
export let role: usize = 0;
export let owner: usize = 0;
export let at: usize = 0;
export let size: usize = 0;
export let align: usize = 0;
export let rel: usize = 0;
export let relEnd: usize = 0;
export let rela: usize = 0;
export let relaEnd: usize = 0;
export let facts: usize = 0;
export let runs: usize = 0;

export function wordOf(column: usize, row: u32): u32 {
  return load<u32>(column + 4 * row);
}

export function setWord(column: usize, row: u32, word: u32): void {
  store<u32>(column + 4 * row, word);
}

export function kindOf(row: u32): u32 {
  return load<u8>(code + row) >> 4;
}

export function linkageOf(row: u32): u32 {
  return load<u8>(code + row) & 15;
}

export function flagsOf(row: u32): u32 {
  return load<u8>(flags + row);
}

/** Of a variable. */
export function spaceOf(row: u32): u32 {
  return load<u8>(flags + row) >> 4;
}

// Fields of the header of an ELF section:
function headerOf(elf: u32): usize {
  return file + headers + 64 * elf;
}

export function nameAt(elf: u32): u32 {
  return load<u32>(headerOf(elf));
}

export function typeOf(elf: u32): u32 {
  return load<u32>(headerOf(elf), 4);
}

export function headerFlags(elf: u32): u32 {
  return load<u32>(headerOf(elf), 8);
}

/** Bytes from the file's start. */
export function placeOf(elf: u32): u32 {
  return load<u32>(headerOf(elf), 24);
}

export function bytesOf(elf: u32): u32 {
  return load<u32>(headerOf(elf), 32);
}

/** The upper words of its fields of 64 bits, all of them together. */
export function highWords(elf: u32): u32 {
  const at = headerOf(elf);
  return load<u32>(at, 12) | load<u32>(at, 28) | load<u32>(at, 36) | load<u32>(at, 52) | load<u32>(at, 60);
}

export function linkOf(elf: u32): u32 {
  return load<u32>(headerOf(elf), 40);
}

export function infoOf(elf: u32): u32 {
  return load<u32>(headerOf(elf), 44);
}

export function alignmentOf(elf: u32): u32 {
  return load<u32>(headerOf(elf), 48);
}

export function entryBytesOf(elf: u32): u32 {
  return load<u32>(headerOf(elf), 56);
}
