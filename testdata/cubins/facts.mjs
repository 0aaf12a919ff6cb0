// Turns what GNU readelf prints about one ELF file into JSON: header, sections, symbols, relocations, segments.
// Used by make.sh to record facts, so that the tests need no readelf; the parsing shares nothing with formats/elf.
import { execFileSync } from "node:child_process";

const [file] = process.argv.slice(2);
const readelf = (...options) => execFileSync("readelf", ["-W", ...options, file], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const lines = (text) => text.split("\n");
const hex = (text) => Number.parseInt(text, 16);

const headerText = readelf("-h");
const field = (name) => new RegExp(`^ *${name}: *(.*)$`, "m").exec(headerText)?.[1].trim();
const number = (name) => Number(/^(0x[0-9a-f]+|\d+)/.exec(field(name))[1]);
const magic = field("Magic").split(/ +/).map(hex);
const header = {
  osabi: magic[7],
  abiVersion: magic[8],
  type: { REL: 1, EXEC: 2, DYN: 3 }[field("Type").split(" ")[0]],
  machineName: field("Machine"),
  flags: number("Flags"),
  programHeaderOffset: number("Start of program headers"),
  sectionHeaderOffset: number("Start of section headers"),
  segments: number("Number of program headers"),
  sections: number("Number of section headers"),
  sectionNameTable: number("Section header string table index"),
};

const TYPES = { NULL: 0, PROGBITS: 1, SYMTAB: 2, STRTAB: 3, RELA: 4, NOTE: 7, NOBITS: 8, REL: 9, "LOPROC+0": 0x70000000 };
const sectionType = (text) => TYPES[text] ?? 0x70000000 + hex(/^LOPROC\+0x([0-9a-f]+)$/.exec(text)[1]);
const sections = [];
// `-t` prints three lines for each section: name; type and numbers; flags.
const details = lines(readelf("-t"));
for (let i = 0; i < details.length; i++) {
  const head = /^ {2}\[ *(\d+)\] ?(.*)$/.exec(details[i]);
  if (head === null) continue;
  const row = /^ +(\S+) +([0-9a-f]+) +([0-9a-f]+) +([0-9a-f]+) +([0-9a-f]+) +(\d+) +(\d+) +(\d+)$/.exec(details[i + 1]);
  if (row === null) continue;
  const flags = /\[([0-9a-f]+)\]/.exec(details[i + 2])[1];
  sections.push({
    name: head[2],
    type: sectionType(row[1]),
    offset: hex(row[3]),
    size: hex(row[4]),
    entsize: hex(row[5]),
    link: Number(row[6]),
    info: Number(row[7]),
    addralign: Number(row[8]),
    flags: hex(flags),
  });
}

const STT = { NOTYPE: 0, OBJECT: 1, FUNC: 2, SECTION: 3 };
const STB = { LOCAL: 0, GLOBAL: 1, WEAK: 2 };
const STV = { DEFAULT: 0, INTERNAL: 1, HIDDEN: 2, PROTECTED: 3 };
const NDX = { UND: 0, ABS: 0xfff1, COM: 0xfff2 };
const symbols = lines(readelf("-s")).flatMap((line) => {
  const row = /^ *\d+: ([0-9a-f]+) +(\d+|0x[0-9a-f]+) (?:(\w+)|<(?:processor|OS) specific>: (\d+)) +(\w+) +(\w+) +(?:\[<other>: ([0-9a-f]+)\] +)?(\w+) ?(.*)$/.exec(line);
  if (row === null) return [];
  const [, value, size, type, typeNumber, binding, visibility, other, index, name] = row;
  return [{
    name,
    type: type === undefined ? Number(typeNumber) : STT[type],
    binding: STB[binding],
    other: STV[visibility] + (other === undefined ? 0 : hex(other)),
    shndx: NDX[index] ?? Number(index),
    value: hex(value),
    size: Number(size),
  }];
});

const relocations = {};
let current;
for (const line of lines(readelf("-r"))) {
  const title = /^Relocation section '(.*)' at offset/.exec(line);
  if (title !== null) current = relocations[title[1]] = [];
  const row = /^([0-9a-f]{16}) +([0-9a-f]{8})([0-9a-f]{8}) unrecognized: [0-9a-f]+ +[0-9a-f]+ +\S*(?: ([+-]) ([0-9a-f]+))?$/.exec(line);
  if (row === null) continue;
  const addend = row[5] === undefined ? 0 : hex(row[5]);
  current.push({ offset: hex(row[1]), symbol: hex(row[2]), type: hex(row[3]), addend: row[4] === "-" ? -addend : addend });
}

const PT = { LOAD: 1, PHDR: 6 };
const segments = lines(readelf("-l")).flatMap((line) => {
  const row = /^ {2}(LOAD|PHDR) +0x([0-9a-f]+) 0x[0-9a-f]+ 0x[0-9a-f]+ 0x([0-9a-f]+) 0x([0-9a-f]+) ([R ])([W ])([E ]) 0x([0-9a-f]+)/.exec(line);
  if (row === null) return [];
  const flags = (row[5] === "R" ? 4 : 0) + (row[6] === "W" ? 2 : 0) + (row[7] === "E" ? 1 : 0);
  return [{ type: PT[row[1]], flags, offset: hex(row[2]), fileSize: hex(row[3]), memorySize: hex(row[4]), align: hex(row[8]) }];
});

const rows = (list) => `[\n${list.map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]`;
const groups = Object.entries(relocations).map(([name, list]) => `    ${JSON.stringify(name)}: ${JSON.stringify(list)}`);
console.log(`{
  "header": ${JSON.stringify(header)},
  "sections": ${rows(sections)},
  "symbols": ${rows(symbols)},
  "relocations": {\n${groups.join(",\n")}\n  },
  "segments": ${rows(segments)}
}`);
