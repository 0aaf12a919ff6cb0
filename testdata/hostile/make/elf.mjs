// Binary files that lie: real cubins of base.ptx with single fields changed, and headers of other containers.

const HEAD_SIZE = 64;
const SECTION_SIZE = 64;

/** A cubin opened for changing: each method sets one field, and `bytes` is the result. */
const open = (original) => {
  const bytes = Buffer.from(original);
  const start = Number(bytes.readBigUInt64LE(0x28));
  const count = bytes.readUInt16LE(0x3c);
  const header = (index) => start + index * SECTION_SIZE;
  const nameTable = Number(bytes.readBigUInt64LE(header(bytes.readUInt16LE(0x3e)) + 24));
  const nameOf = (index) => {
    const at = nameTable + bytes.readUInt32LE(header(index));
    return bytes.toString("latin1", at, bytes.indexOf(0, at));
  };
  const section = (name) => {
    for (let index = 0; index < count; index++) if (nameOf(index) === name) return header(index);
    throw new Error(`base has no section ${name}`);
  };
  const dataOf = (name) => Number(bytes.readBigUInt64LE(section(name) + 24));
  return { bytes, start, count, section, dataOf };
};

const edit = (change) => (base) => {
  const file = open(base);
  change(file.bytes, file);
  return file.bytes;
};
const cut = (length) => (base) => base.subarray(0, length(open(base)));
const u64 = (field, value) => edit((bytes) => bytes.writeBigUInt64LE(value, field));
const u32 = (field, value) => edit((bytes) => bytes.writeUInt32LE(value, field));
const u16 = (field, value) => edit((bytes) => bytes.writeUInt16LE(value, field));
const inSection = (name, field, write) => edit((bytes, file) => write(bytes, file.section(name) + field));
const big = (value) => (bytes, at) => bytes.writeBigUInt64LE(value, at);
const small = (value) => (bytes, at) => bytes.writeUInt32LE(value, at);
const inData = (name, field, write) => edit((bytes, file) => write(bytes, file.dataOf(name) + field));

/** [name, how it is made from base.o, view to ask for, what must be said, status if not 1]; all are given to `inspect` */
export const changes = [
  ["cut-in-magic", cut(() => 3), "--header", "recogni|not|ELF|empty|truncat|format"],
  ["cut-in-ident", cut(() => 12), "--header", "ELF|header|truncat|end"],
  ["cut-in-header", cut(() => 40), "--header", "header|truncat|end"],
  ["cut-after-header", cut(() => HEAD_SIZE), "--sections", "section|end|truncat"],
  ["cut-in-half", cut((file) => file.bytes.length >> 1), "--sections", "section|end|truncat"],
  ["cut-in-sections", cut((file) => file.start + 5 * SECTION_SIZE + 17), "--sections", "section|end|truncat"],
  ["32-bit", edit((bytes) => (bytes[4] = 1)), "--header", "32|64|class"],
  ["big-endian", edit((bytes) => (bytes[5] = 2)), "--header", "endian|byte order|data"],
  ["sections-past-end", u64(0x28, 0x7fffffffn), "--sections", "section|offset|end"],
  ["sections-at-2-64", u64(0x28, 0xffffffffffffffffn), "--sections", "section|offset|end|large"],
  ["sections-overflow", u64(0x28, 0xffffffffffffffc0n), "--sections", "section|offset|end|large"],
  ["sections-65535", u16(0x3c, 0xffff), "--sections", "section|end|count"],
  ["section-entry-size-0", u16(0x3a, 0), "--sections", "section|entry|size"],
  ["section-entry-size-1", u16(0x3a, 1), "--sections", "section|entry|size"],
  ["names-index-past-end", u16(0x3e, 0xfff0), "--sections", "name|index|section|string"],
  ["names-index-no-strings", u16(0x3e, 3), "--sections", "name|string|section"],
  [
    "segments-past-end",
    edit(
      (bytes) => (
        bytes.writeBigUInt64LE(0x7fffffffn, 0x20),
        bytes.writeUInt16LE(56, 0x36),
        bytes.writeUInt16LE(4, 0x38)
      ),
    ),
    "--header",
    "segment|program|end",
  ],
  ["section-name-past-end", inSection(".nv.global.init", 0, small(0x7fffffff)), "--sections", "name|string|end"],
  [
    "section-offset-past-end",
    inSection(".nv.global.init", 24, big(0x7fffffffn)),
    "--sections",
    "\\.nv\\.global\\.init|offset|end",
  ],
  [
    "section-size-past-end",
    inSection(".nv.global.init", 32, big(0x7fffffffn)),
    "--sections",
    "\\.nv\\.global\\.init|size|end",
  ],
  [
    "section-size-2-64",
    inSection(".nv.global.init", 32, big(0xffffffffffffffffn)),
    "--sections",
    "\\.nv\\.global\\.init|size|end|large",
  ],
  ["section-alignment-3", inSection(".nv.global.init", 48, big(3n)), "--sections", "align", [0, 1]],
  ["symbols-entry-size-0", inSection(".symtab", 56, big(0n)), "--symbols", "symbol|symtab|entry|size"],
  ["symbols-entry-size-8", inSection(".symtab", 56, big(8n)), "--symbols", "symbol|symtab|entry|size"],
  ["symbols-not-whole", inSection(".symtab", 32, big(100n)), "--symbols", "symbol|symtab|entry|size|multiple"],
  [
    "symbols-link-to-themselves",
    edit((bytes, file) =>
      bytes.writeUInt32LE((file.section(".symtab") - file.start) / SECTION_SIZE, file.section(".symtab") + 40),
    ),
    "--symbols",
    "symbol|symtab|string|link",
  ],
  ["symbols-link-past-end", inSection(".symtab", 40, small(0xffff)), "--symbols", "symbol|symtab|string|link|section"],
  ["strings-not-terminated", inSection(".strtab", 32, big(5n)), "--symbols", "name|string|end|terminat"],
  ["symbol-name-past-end", inData(".symtab", 24 * 5, small(0x7fffffff)), "--symbols", "name|string|end"],
  [
    "symbol-section-past-end",
    inData(".symtab", 24 * 5 + 6, (bytes, at) => bytes.writeUInt16LE(0xfe00, at)),
    "--symbols",
    "section|symbol|index",
  ],
  ["relocations-entry-size-1", inSection(".rel.nv.global.init", 56, big(1n)), "--relocations", "reloc|entry|size"],
  [
    "relocations-not-whole",
    inSection(".rel.nv.global.init", 32, big(17n)),
    "--relocations",
    "reloc|entry|size|multiple",
  ],
  [
    "relocations-of-no-section",
    inSection(".rel.nv.global.init", 44, small(0xffff)),
    "--relocations",
    "reloc|section|target|info",
  ],
  [
    "relocations-of-themselves",
    edit((bytes, file) =>
      bytes.writeUInt32LE(
        (file.section(".rel.nv.global.init") - file.start) / SECTION_SIZE,
        file.section(".rel.nv.global.init") + 44,
      ),
    ),
    "--relocations",
    "reloc|section|target|info|itself",
  ],
  ["relocations-without-symbols", inSection(".rel.nv.global.init", 40, small(1)), "--relocations", "reloc|symbol|link"],
  ["relocation-symbol-past-end", inData(".rel.nv.global.init", 12, small(0xffffff)), "--relocations", "reloc|symbol"],
  [
    "relocation-offset-past-end",
    inData(".rel.nv.global.init", 0, big(0x7fffffffn)),
    "--relocations",
    "reloc|offset|end",
  ],
  [
    "relocation-offset-2-64",
    inData(".rel.nv.global.init", 0, big(0xfffffffffffffffcn)),
    "--relocations",
    "reloc|offset|end|large",
  ],
  [
    "info-record-past-end",
    edit((bytes, file) => {
      const at = file.dataOf(".nv.info");
      bytes[at] = 4;
      bytes.writeUInt16LE(0xfff0, at + 2);
    }),
    "--info",
    "info|record|attribute|end|length",
  ],
  [
    "info-format-unknown",
    edit((bytes, file) => (bytes[file.dataOf(".nv.info")] = 9)),
    "--info",
    "info|format|record|attribute",
    [0, 1],
  ],
];

/** Unknown things are shown as unknown and are no errors: status 0. */
export const unknowns = [
  ["unknown-section-type", inSection(".nv.global.init", 4, small(0x7000abcd)), "--sections"],
  ["unknown-relocation", inData(".rel.nv.global.init", 8, small(250)), "--relocations"],
  ["unknown-attribute", edit((bytes, file) => (bytes[file.dataOf(".nv.info") + 1] = 0xee)), "--info"],
  ["unknown-symbol-type", inData(".symtab", 24 * 5 + 4, (bytes, at) => (bytes[at] = 0x0f)), "--symbols"],
];

const fatbin = (entry, rest = entry.length) => {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(0xba55ed50, 0);
  header.writeUInt16LE(1, 4);
  header.writeUInt16LE(16, 6);
  header.writeBigUInt64LE(BigInt(rest), 8);
  return Buffer.concat([header, entry]);
};
const entry = ({ headerSize = 64, payload = 8n, compressed = 0, flags = 1n, uncompressed = 0n, options = 0 }) => {
  const bytes = Buffer.alloc(72);
  bytes.writeUInt16LE(1, 0);
  bytes.writeUInt16LE(0x0101, 2);
  bytes.writeUInt32LE(headerSize, 4);
  bytes.writeBigUInt64LE(payload, 8);
  bytes.writeUInt32LE(compressed, 16);
  bytes.writeUInt32LE(options, 20);
  bytes.writeUInt16LE(5, 24);
  bytes.writeUInt16LE(8, 26);
  bytes.writeUInt32LE(80, 28);
  bytes.writeBigUInt64LE(flags, 40);
  bytes.writeBigUInt64LE(uncompressed, 56);
  return bytes;
};

/** [name, bytes, what must be said]: other containers, given to `inspect` */
export const containers = [
  ["fatbin-header-cut.fatbin", fatbin(entry({})).subarray(0, 10), "fatbin|header|end|truncat|recogni"],
  ["fatbin-longer-than-file.fatbin", fatbin(entry({}), 0x7fffffff), "fatbin|size|end|truncat"],
  ["fatbin-entry-header-of-0.fatbin", fatbin(entry({ headerSize: 0 })), "fatbin|entry|header|size"],
  ["fatbin-payload-past-end.fatbin", fatbin(entry({ payload: 0x7fffffffffffffffn })), "fatbin|entry|payload|size|end"],
  ["fatbin-options-past-end.fatbin", fatbin(entry({ options: 0xffffff00 })), "fatbin|entry|option|end"],
  [
    "fatbin-lz4-of-petabytes.fatbin",
    fatbin(entry({ flags: 0x2001n, compressed: 8, uncompressed: 1n << 52n })),
    "fatbin|compress|LZ4|size|large",
  ],
  [
    "fatbin-lz4-garbage.fatbin",
    fatbin(entry({ flags: 0x2001n, compressed: 8, uncompressed: 100n })),
    "fatbin|compress|LZ4",
  ],
];
