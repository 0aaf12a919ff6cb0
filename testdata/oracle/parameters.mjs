// Records where ptxas puts the parameters of kernels in constant bank 0: lists of parameters, for each architecture that
// places them otherwise, and the attributes of .nv.info.k that say so.
//   node testdata/oracle/parameters.mjs        (needs ptxas 13.0 on the PATH, and a build)
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { attributeFacts } from "../../dist/test/oracle/attribute-facts.js";
import { readElf, sectionNamed, symbolsOf } from "../../dist/formats/elf/index.js";

const targets = ["sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_120"];
const lists = [
  [".s8", ".align 64 .b8[65]", ".s8"],
  [".s8", ".align 128 .b8[65]"],
  [".align 256 .b8[65]", ".u64"],
  [".align 512 .b8[65]", ".u64"],
  [".u8", ".align 4096 .b8[65]"],
  [".align 1024 .b8[4356]", ".u64"],
  [".align 64 .b8[4320]"],
  [".align 64 .b8[4352]"],
  [".align 64 .b8[4356]"],
  [".align 256 .b8[32764]"],
  [".align 4 .b8[4348]", ".u32"],
  [".align 4 .b8[4352]", ".u32"],
  [".u8", ".align 4 .b8[4348]", ".u64 .ptr .global .align 16"],
  [".texref"],
  [".s8", ".texref"],
  [".u64", ".s8", ".surfref"],
  [".s8", ".texref", ".s8"],
  [".s8", ".surfref", ".surfref", ".s8", ".texref"],
  [".texref", ".align 256 .b8[3]"],
  [".align 1 .b8[4350]", ".texref", ".texref"],
  [".align 1 .b8[32762]", ".texref"],
];

// Older targets refuse what ends beyond the bank (testdata/check/whole-modules.txt).
const wideTargets = ["sm_90", "sm_100", "sm_120"];
const wideLists = [
  [".align 65536 .b8[4]"],
  [".align 65536 .b8[527]"],
  [".align 65536 .b8[528]"],
  [".align 131072 .b8[3]", ".u64"],
  [".align 131072 .b8[4000]"],
  [".align 1048576 .b8[4353]"],
  [".texref", ".align 2147483648 .b8[32764]"],
];
const kernels = [
  ...lists.map((list) => ({ list, on: targets })),
  ...wideLists.map((list) => ({ list, on: wideTargets })),
];

const textOf = (target, list) => {
  const parameters = list.map((type, i) => `.param ${type.replace(/(\[\d+\])?$/, ` p${i}$1`)}`).join(", ");
  return `.version 9.0\n.target ${target}\n.address_size 64\n.visible .entry k(${parameters}) { ret; }\n`;
};

const folder = mkdtempSync(path.join(os.tmpdir(), "parameters-"));
const [text, object] = ["m.ptx", "m.o"].map((name) => path.join(folder, name));
const factsOf = (bytes) => {
  const file = readElf(bytes).value;
  const table = symbolsOf(file, sectionNamed(file, ".symtab")).value;
  const symbols = Array.from({ length: table.count }, (_, i) => table.at(i));
  return attributeFacts(file, symbols).map(([, attribute, value]) => `0x${attribute.toString(16)} ${value}`).sort();
};
const cases = kernels.flatMap(({ list, on }) =>
  on.map((target) => {
    const ptx = textOf(target, list);
    writeFileSync(text, ptx);
    execFileSync("ptxas", ["-c", `-arch=${target}`, text, "-o", object]);
    return { text: ptx, facts: factsOf(readFileSync(object)) };
  }),
);
rmSync(folder, { recursive: true });
const lines = cases.map((each) => `  ${JSON.stringify(each)}`).join(",\n");
const record = `{\n"command": "ptxas -c -arch=TARGET m.ptx -o m.o (CUDA 13.0)",\n"cases": [\n${lines}\n]\n}\n`;
writeFileSync(new URL("parameters.json", import.meta.url), record);
