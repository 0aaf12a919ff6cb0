// PE, COFF and Mach-O files of GNU's and LLVM's tools (testdata/containers/make.sh), compared with llvm-readobj 14, and
// hostile changes. Truncations and mutations are sampled.
import test from "ava";
import { entryKindName, readMachOFatbins, readPeFatbins, type HostFatbins } from "../../formats/fatbin/index.js";
import { looksLikeMachO, readMachO } from "../../formats/macho/index.js";
import { looksLikeCoff, looksLikePe, readPe } from "../../formats/pe/index.js";
import { rounds } from "../sample.js";
import { containerBytes } from "./containers.js";
import { mutations, truncations } from "./hostile.js";

const windows = ["windows.obj", "windows.big.obj", "windows.exe", "windows.dll"];
const mac = ["macos.universal.o", "macos.dylib"];

function fatbinsIn(bytes: Uint8Array): HostFatbins {
  const none = { fatbins: [], faults: [] };
  const pe = readPe(bytes);
  if (pe.ok) return readPeFatbins(pe.value);
  const macho = readMachO(bytes);
  return macho.ok ? readMachOFatbins(macho.value) : none;
}

const inOrder = (name: string): readonly string[] =>
  fatbinsIn(containerBytes(name)).fatbins.map(({ section, isDeviceLinked, entries }) => {
    const kinds = entries.map(({ kind, target }) => `${entryKindName(kind)} ${target}`);
    return `${section}${isDeviceLinked ? "!" : ""}: ${kinds.join(", ")}`;
  });

const modules = ["ptx sm_90", "ptx sm_75, cubin sm_90, ptx sm_90"];
const linked = "cubin sm_90";
const all = (relocatable: string, loaded: string): readonly string[] => [
  ...modules.map((entries) => `${relocatable}: ${entries}`),
  `${loaded}: ${linked}`,
];

for (const [name, wanted] of [
  ["windows.obj", all("__nv_relfatbin", ".nv_fatbin!")],
  ["windows.big.obj", all("__nv_relfatbin", ".nv_fatbin!")],
  ["windows.exe", all("__nv_rel", ".nv_fatb!")],
  ["windows.dll", [`.nv_fatb!: ${linked}`, ...modules.map((entries) => `__nv_rel: ${entries}`)]],
  ["macos.dylib", all("__NV_CUDA,__nv_relfatbin", "__NV_CUDA,__nv_fatbin!")],
  ["macos.universal.o", [1, 2].flatMap(() => all("__NV_CUDA,__nv_relfatbin", "__NV_CUDA,__nv_fatbin"))],
] as const)
  test(`${name}: its fatbins`, (t) => {
    t.deepEqual(inOrder(name), wanted);
    t.deepEqual(fatbinsIn(containerBytes(name)).faults, []);
  });

test("sections of an image, as llvm-readobj reads them", (t) => {
  const file = readPe(containerBytes("windows.exe"));
  if (!file.ok) return t.fail(file.error.what);
  t.is(file.value.kind, "program");
  t.is(file.value.imageBase, 0x1_4000_0000n);
  t.deepEqual(
    file.value.sections.map((one) => [one.name, one.virtualSize, one.virtualAddress, one.size, one.offset]),
    [
      [".text", 0x30, 0x1000, 512, 0x400],
      [".nvFatBi", 0x18, 0x2000, 512, 0x600],
      ["__nv_rel", 0x798, 0x3000, 2048, 0x800],
      [".nv_fatb", 0x1440, 0x4000, 5632, 0x1000],
      [".idata", 0x18, 0x6000, 512, 0x2600],
      [".reloc", 0xc, 0x7000, 512, 0x2800],
    ],
  );
  const library = readPe(containerBytes("windows.dll"));
  t.is(library.ok && library.value.kind, "library");
});

test("files with similar first bytes are not recognised", (t) => {
  const dos = new Uint8Array(4096);
  dos.set([0x4d, 0x5a]);
  dos.fill(0xff, 0x3c, 0x40);
  t.false(looksLikePe(dos));
  t.false(looksLikePe(Buffer.from("MZ: a text that is longer than the header of a program of DOS, by some words.")));
  // A class file of Java 8.
  t.false(looksLikeMachO(Uint8Array.of(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 10)));
  t.false(looksLikeCoff(Buffer.from("d")));
});

test("a section past the end keeps its existing bytes, and is a fault", (t) => {
  const bytes = containerBytes("windows.exe").subarray(0, 0x1000 + 100);
  const { fatbins, faults } = fatbinsIn(bytes);
  t.deepEqual(
    fatbins.map(({ section, entries }) => [section, entries.length]),
    [
      ["__nv_rel", 1],
      ["__nv_rel", 3],
      [".nv_fatb", 0],
    ],
  );
  t.deepEqual(
    faults.map(({ code, what }) => [code, /^(section \d+|fatbin)/.exec(what)?.[0]]),
    [
      ["truncated", "section 4"],
      ["truncated", "section 5"],
      ["truncated", "section 6"],
      ["truncated", "fatbin"],
    ],
  );
  const cut = fatbinsIn(containerBytes("macos.dylib").subarray(0, 6000));
  t.deepEqual(
    cut.fatbins.map(({ entries }) => entries.length),
    [1, 2],
  );
  t.regex(
    cut.faults[0]!.what,
    /^section __NV_CUDA,__nv_relfatbin: 1944 bytes at 4096 reach past the end of 6000 bytes$/,
  );
});

test("big-endian and 32-bit Mach-O are refused by name", (t) => {
  for (const magic of [0xfeedface, 0xfeedfacf, 0xcefaedfe]) {
    const bytes = new Uint8Array(64);
    new DataView(bytes.buffer).setUint32(0, magic);
    t.like(readMachO(bytes), { ok: false, error: { code: "unsupported", offset: 0 } });
  }
});

test("sections that each claim the whole file are a fault", (t) => {
  const bytes = new Uint8Array(20 + 40 * 1000);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x8664, true);
  view.setUint16(2, 1000, true);
  for (let i = 0; i < 1000; i++) {
    bytes.set(Buffer.from(".nv_fatb"), 20 + 40 * i);
    view.setUint32(20 + 40 * i + 16, bytes.length - 1, true);
    view.setUint32(20 + 40 * i + 20, 1, true);
  }
  t.like(readPe(bytes), { ok: false, error: { code: "limit" } });
});

test("damaged and truncated files give a result", (t) => {
  let whole = 0;
  for (const name of [...windows, ...mac]) {
    for (const bytes of mutations(containerBytes(name), 7, rounds(400, 4)))
      whole += fatbinsIn(bytes).faults.length === 0 ? 1 : 0;
    for (const bytes of truncations(containerBytes(name), rounds(1, 4) === 1 ? 97 : 9)) fatbinsIn(bytes);
  }
  t.true(whole > 0);
});
