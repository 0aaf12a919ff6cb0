// The archive reader, compared with archives of GNU ar and llvm-ar (testdata/containers/make.sh), the writer, compared
// with the reader, and both on hostile bytes.
import test from "ava";
import fc from "fast-check";
import { readArchive, readSymbolIndex, writeArchive, type IndexKind } from "../../../formats/ar/index.js";
import { containerBytes } from "../containers.js";
import { mutations, truncations } from "../hostile.js";

const LONG = "a-member-with-a-long-name.ptx";

/** Contents of each recorded archive: the kind of its index, and members with their sizes. */
const recorded: readonly (readonly [file: string, index: IndexKind | undefined, members: Record<string, number>])[] = [
  ["gnu.a", "gnu32", { "scale.o": 7672, "twice.o": 6080, [LONG]: 79 }],
  ["llvm.a", "gnu32", { "scale.o": 7672, [LONG]: 79 }],
  ["bsd.a", "bsd32", { "scale.o": 7672, [LONG]: 79 }],
  // Padded to eight bytes with newlines, which count as part of the member.
  ["darwin.a", "bsd32", { "scale.o": 7672, [LONG]: 80 }],
  ["unindexed.a", undefined, { "scale.o": 7672, "twice.o": 6080 }],
  ["thin.a", "gnu32", { "scale.o": 7672, "twice.o": 6080 }],
];

for (const [file, index, members] of recorded) {
  test(`${file}: members, names and index`, (t) => {
    const archive = readArchive(containerBytes(file));
    t.is(archive.fault, undefined);
    t.is(archive.index?.kind, index);
    t.deepEqual(Object.fromEntries(archive.items.map(({ name, size }) => [name, size])), members);
    for (const { name, data } of archive.items) {
      if (archive.isThin) t.is(data, undefined);
      else t.deepEqual(Buffer.from(data!.subarray(0, 79)), Buffer.from(containerBytes(name).subarray(0, 79)));
    }
    const symbols = readSymbolIndex(archive);
    t.is(symbols?.ok, index === undefined ? undefined : true);
    const names = symbols?.ok === true ? symbols.value : [];
    const kernel = names.find(({ name }) => name === "_Z5scalePi");
    t.is(kernel === undefined ? undefined : archive.items[kernel.member]!.name, index && "scale.o");
  });
}

test("a thin archive of an archive gives the file and the offset of each member", (t) => {
  const { isThin, items } = readArchive(containerBytes("nested.a"));
  t.true(isThin);
  t.deepEqual(
    items.map(({ name, nestedOffset }) => [name, nestedOffset]),
    [
      ["gnu.a", 816],
      ["gnu.a", 8548],
      ["gnu.a", 14688],
    ],
  );
  const inner = readArchive(containerBytes("gnu.a"));
  t.deepEqual(
    items.map(({ nestedOffset }) => nestedOffset),
    inner.items.map(({ headerOffset }) => headerOffset),
  );
});

test("GNU's index of 64 bits is read", (t) => {
  const bytes = Buffer.from(writeArchive([{ name: "x", data: Uint8Array.of(1, 2) }]));
  const index = Buffer.alloc(8 + 8 + 4);
  index.writeBigUInt64BE(1n, 0);
  const member = 8 + 60 + index.length;
  index.writeBigUInt64BE(BigInt(member), 8);
  index.write("abc", 16);
  const header = Buffer.from(`${"/SYM64/".padEnd(48)}${String(index.length).padEnd(10)}\`\n`);
  const archive = readArchive(Buffer.concat([bytes.subarray(0, 8), header, index, bytes.subarray(8)]));
  t.deepEqual(readSymbolIndex(archive), { ok: true, value: [{ name: "abc", member: 0 }] });
});

test("a written archive is read back, whatever the names and sizes", (t) => {
  const name = fc.stringMatching(/^[\w #.é/-]{1,24}$/).filter((text) => !text.endsWith("/") && text.trim() === text);
  const member = fc.record({
    name,
    data: fc.uint8Array({ maxLength: 20 }),
    symbols: fc.array(fc.stringMatching(/^\w{1,8}$/), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), (members) => {
      const archive = readArchive(writeArchive(members));
      t.is(archive.fault, undefined);
      t.deepEqual(
        archive.items.map(({ name, data }) => ({ name, data: [...data!] })),
        members.map(({ name, data }) => ({ name, data: [...data] })),
      );
      const symbols = readSymbolIndex(archive);
      const wanted = members.flatMap(({ symbols }, at) => symbols.map((name) => ({ name, member: at })));
      t.deepEqual(symbols ?? { ok: true, value: [] }, { ok: true, value: wanted });
    }),
    { numRuns: 100 },
  );
});

test("a name with a newline cannot be written", (t) => {
  t.throws(() => writeArchive([{ name: "a\nb", data: new Uint8Array() }]), { instanceOf: RangeError });
});

/** A header of one member, as text. */
const header = (name: string, size: string, end = "`\n"): string =>
  `${name.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"644".padEnd(8)}${size.padEnd(10)}${end}`;

const wrong: readonly (readonly [what: string, text: string, code: string, offset: number])[] = [
  ["no magic", "!<arch>", "bad-magic", 0],
  ["half a header", `!<arch>\n${header("a/", "1").slice(0, 30)}`, "truncated", 8],
  ["another end mark", `!<arch>\n${header("a/", "0", "x\n")}`, "malformed", 66],
  ["a size that is not a number", `!<arch>\n${header("a/", "-1")}`, "malformed", 56],
  ["a size past the end", `!<arch>\n${header("a/", "9999999999")}`, "truncated", 56],
  ["a long name without a table", `!<arch>\n${header("/0", "0")}`, "malformed", 8],
  ["a long name past its table", `!<arch>\n${header("//", "2")}x\n${header("/2", "0")}`, "out-of-range", 70],
  ["a BSD name longer than the member", `!<arch>\n${header("#1/9", "4")}abcd`, "out-of-range", 8],
];

for (const [what, text, code, offset] of wrong) {
  test(`${what} is a fault with its place`, (t) => t.like(readArchive(Buffer.from(text)).fault, { code, offset }));
}

test("members before a fault are returned", (t) => {
  const { items, fault } = readArchive(containerBytes("gnu.a").subarray(0, 9000));
  t.deepEqual(
    items.map(({ name }) => name),
    ["scale.o"],
  );
  t.is(fault?.code, "truncated");
});

test("a hostile index is refused: counts, offsets and names that do not exist", (t) => {
  const withIndex = (data: readonly number[]): ReturnType<typeof readSymbolIndex> =>
    readSymbolIndex(
      readArchive(Buffer.concat([Buffer.from(`!<arch>\n${header("/", String(data.length))}`), Uint8Array.from(data)])),
    );
  t.like(withIndex([0xff, 0xff, 0xff, 0xff]), { ok: false, error: { code: "truncated" } });
  t.like(withIndex([0, 0, 0, 1, 0, 0, 0, 8, 65, 66]), { ok: false, error: { code: "malformed" } });
  t.like(withIndex([0, 0, 0, 1, 0, 0, 0, 9, 65, 0]), { ok: false, error: { code: "out-of-range" } });
  t.deepEqual(withIndex([]), { ok: true, value: [] });
});

test("damaged and truncated archives give a result", (t) => {
  const bytes = containerBytes("gnu.a");
  const read = (damaged: Uint8Array): number => {
    const archive = readArchive(damaged);
    readSymbolIndex(archive);
    return archive.items.length;
  };
  for (const name of ["bsd.a", "thin.a"]) for (const damaged of mutations(containerBytes(name), 1, 300)) read(damaged);
  for (const damaged of mutations(bytes, 2, 300)) t.true(read(damaged) < 300);
  for (const damaged of truncations(bytes, 61)) t.true(read(damaged) <= 3);
});
