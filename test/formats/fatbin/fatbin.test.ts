// The fatbin reader, compared with fatbins of fatbinary, nvcc and nvlink 13.0 (testdata/containers/make.sh), and on
// hostile changes.
import test from "ava";
import { readElf } from "../../../formats/elf/index.js";
import {
  entryFlagNames,
  entryKindName,
  readFatbins,
  readHostFatbins,
  readPayload,
  type FatbinEntry,
} from "../../../formats/fatbin/index.js";
import { containerBytes } from "../containers.js";
import { mutations, truncations } from "../hostile.js";

/** An entry in one line: the options it was made with. */
function line({ kind, target, compression, size, identifier, options }: FatbinEntry): string {
  return [entryKindName(kind), target, compression, size, identifier ?? "-", options ?? "-"].join(" ");
}

const cubin = "cubin sm_90 none 2816 - -";

const fatbins: readonly (readonly [file: string, entries: readonly string[]])[] = [
  ["empty.fatbin", []],
  // Uncompressed text is padded to eight bytes.
  ["twice.none.fatbin", [cubin, "ptx sm_75 none 272 - --compile-only", "ptx sm_90 none 272 - --compile-only"]],
  ["twice.speed.fatbin", [cubin, "ptx sm_75 lz4 267 - --compile-only", "ptx sm_90 lz4 267 - --compile-only"]],
  ["twice.balance.fatbin", [cubin, "ptx sm_75 zstd 267 - --compile-only", "ptx sm_90 zstd 267 - --compile-only"]],
  ["twice.default.fatbin", [cubin, "ptx sm_75 zstd 267 - --compile-only", "ptx sm_90 zstd 267 - --compile-only"]],
  [
    "twice.size.fatbin",
    ["cubin sm_90 zstd 2816 - -", "ptx sm_75 zstd 267 - --compile-only", "ptx sm_90 zstd 267 - --compile-only"],
  ],
  [
    "named.fatbin",
    [
      "cubin sm_90 lz4 2816 src/twice.cu -",
      "ptx sm_90a lz4 267 src/twice.cu -O1",
      "ptx sm_100f lz4 267 src/twice.cu -O1",
    ],
  ],
];

for (const [file, entries] of fatbins) {
  test(`${file}: its entries`, (t) => {
    const { items, fault } = readFatbins(containerBytes(file));
    t.is(fault, undefined);
    t.is(items.length, 1);
    t.deepEqual(items[0]!.entries.map(line), entries);
  });

  test(`${file}: every entry has the bytes that were put in`, (t) => {
    // fatbinary removes comments from the text, but keeps their line ends.
    const text = Buffer.from(containerBytes("twice.sm_90.ptx"))
      .toString()
      .replaceAll(/\/\/.*/g, "");
    for (const entry of readFatbins(containerBytes(file)).items[0]!.entries) {
      const payload = readPayload(entry);
      if (!payload.ok) return t.fail(payload.error.what);
      if (entryKindName(entry.kind) === "cubin")
        t.deepEqual(Buffer.from(payload.value), Buffer.from(containerBytes("twice.sm_90.cubin")));
      else {
        const words = (ptx: string): readonly string[] => ptx.split(/\s+/).filter(Boolean);
        const wanted = entry.target === "sm_75" ? text.replace("sm_90", "sm_75") : text;
        t.deepEqual(words(Buffer.from(payload.value).toString()), words(wanted));
      }
    }
    t.pass();
  });
}

test("flags are named, and unknown ones are numbers", (t) => {
  const [, second] = readFatbins(containerBytes("named.fatbin")).items[0]!.entries;
  t.deepEqual(entryFlagNames(second!.flags), ["64bit", "debug", "linux", "lz4", "arch-specific"]);
  t.deepEqual(entryFlagNames(0x4000_0001), ["64bit", "0x40000000"]);
});

/** Files with the sections of their fatbins, "!" for one that device linking made, and targets of the entries. */
const hosts: readonly (readonly [file: string, fatbins: readonly string[]])[] = [
  ["scale.o", ["__nv_relfatbin: ptx sm_90"]],
  ["twice.o", ["__nv_relfatbin: ptx sm_75, cubin sm_90, ptx sm_90"]],
  ["twice.sass.o", ["__nv_relfatbin: cubin sm_90"]],
  ["twice.lto.o", ["__nv_relfatbin: lto-ir sm_90"]],
  ["whole.o", [".nv_fatbin: ptx sm_90"]],
  ["both.o", ["__nv_relfatbin: ptx sm_90", "__nv_relfatbin: ptx sm_75, cubin sm_90, ptx sm_90"]],
  [
    "program",
    ["__nv_relfatbin: ptx sm_90", "__nv_relfatbin: ptx sm_75, cubin sm_90, ptx sm_90", ".nv_fatbin!: cubin sm_90"],
  ],
];

function hostFatbins(bytes: Uint8Array): ReturnType<typeof readHostFatbins> | undefined {
  const elf = readElf(bytes);
  return elf.ok ? readHostFatbins(elf.value) : undefined;
}

for (const [file, wanted] of hosts) {
  test(`${file}: its fatbins`, (t) => {
    const { fatbins: found, faults } = hostFatbins(containerBytes(file))!;
    t.deepEqual(faults, []);
    t.deepEqual(
      found.map(({ section, isDeviceLinked, entries }) => {
        const kinds = entries.map(({ kind, target }) => `${entryKindName(kind)} ${target}`);
        return `${section}${isDeviceLinked ? "!" : ""}: ${kinds.join(", ")}`;
      }),
      wanted,
    );
  });
}

test("LTO-IR is named, and not decompressed where it is compressed", (t) => {
  const [entry] = hostFatbins(containerBytes("twice.lto.o"))!.fatbins[0]!.entries;
  t.is(entry!.options, "-ftz=0 -prec_div=1 -prec_sqrt=1 -fmad=1");
  t.like(readPayload(entry!), { ok: false, error: { code: "unsupported" } });
  const [raw] = hostFatbins(containerBytes("twice.lto.raw.o"))!.fatbins[0]!.entries;
  t.deepEqual(entryFlagNames(raw!.flags), ["64bit", "linux"]);
  const payload = readPayload(raw!);
  t.deepEqual(payload.ok && [...payload.value.subarray(0, 4)], [0xed, 0x43, 0x4e, 0x7f]);
});

// ---------------------------------------------------------------------------------------------------------- hostile bytes

/** A copy with one field changed. */
function changed(field: 2 | 4 | 8, at: number, value: number): Uint8Array {
  const bytes = containerBytes("twice.balance.fatbin");
  const view = new DataView(bytes.buffer);
  if (field === 2) view.setUint16(at, value, true);
  else if (field === 4) view.setUint32(at, value, true);
  else view.setBigUint64(at, BigInt(value), true);
  return bytes;
}

/** Offset of the second entry, PTX for sm_75. */
const SECOND = 16 + 64 + 2816;

const wrong: readonly (readonly [what: string, bytes: Uint8Array, offset: number, entries: number])[] = [
  ["another version", changed(2, 4, 2), 4, -1],
  ["a header of 8 bytes", changed(2, 6, 8), 6, -1],
  ["a size past the end", changed(8, 8, 2 ** 52), 8, 3],
  ["a size no number holds", changed(8, 8, 2 ** 60), 8, -1],
  ["a cut file", containerBytes("twice.balance.fatbin").subarray(0, SECOND + 80), 8, 1],
  ["an entry's header of 0", changed(4, 16 + 4, 0), 20, 0],
  ["an entry's header past the end", changed(4, SECOND + 4, 100_000), SECOND + 4, 1],
  ["a payload past the end", changed(8, SECOND + 8, 2 ** 52), SECOND + 8, 1],
  ["more compressed bytes than payload", changed(4, SECOND + 16, 185), SECOND + 16, 1],
  ["options past the header", changed(4, SECOND + 20, 84), SECOND + 20, 1],
  ["a name past the header", changed(4, SECOND + 32, 80).with(SECOND + 36, 9), SECOND + 32, 1],
  ["something else after the fatbin", Buffer.concat([containerBytes("empty.fatbin"), Uint8Array.of(0, 1)]), 17, 0],
];

for (const [what, bytes, offset, entries] of wrong) {
  test(`${what} is a fault with its place, and entries before it are returned`, (t) => {
    const { items, fault } = readFatbins(bytes);
    t.is(fault?.offset, offset);
    t.is(items[0]?.entries.length ?? -1, entries);
  });
}

test("sizes that a payload cannot have allocate no memory", (t) => {
  for (const size of [266, 268, 2 ** 28, 2 ** 50]) {
    const [, entry] = readFatbins(changed(8, SECOND + 56, size)).items[0]!.entries;
    t.false(readPayload(entry!).ok, `${size}`);
  }
});

test("damaged and truncated files give a result", (t) => {
  const exercise = (bytes: Uint8Array): number => {
    const found = hostFatbins(bytes)?.fatbins ?? readFatbins(bytes).items;
    const entries = found.flatMap((fatbin) => fatbin.entries);
    return entries.filter((entry) => readPayload(entry).ok).length;
  };
  let refused = 0;
  for (const file of ["twice.speed.fatbin", "twice.size.fatbin", "both.o", "program"])
    for (const bytes of mutations(containerBytes(file), 5, 250)) refused += exercise(bytes) < 3 ? 1 : 0;
  t.true(refused > 0);
  for (const bytes of truncations(containerBytes("named.fatbin"), 17)) t.true(exercise(bytes) <= 3);
});
