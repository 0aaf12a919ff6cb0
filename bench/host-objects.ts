// Makes host objects like nvcc's: PTX packed by fatbinary, in the section and with the wrapper of nvcc's own assembly text (`nvcc
// -dc --keep`), without the host's code. The parts that a link reads are real; making such an object takes a hundredth of nvcc's
// time.

import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";

/** Compression by fatbinary (`--compress-mode`): `balance` is nvcc's default, Zstandard; `speed` is LZ4. */
export type Packing = "none" | "speed" | "balance";

/** The wrapper: magic number and version, then a pointer to the fatbin. */
const assembly = (fatbin: string): string => `
.section __nv_relfatbin,"a",@progbits
.align 8
fatbin: .incbin "${fatbin}"
.section .nvFatBinSegment,"aw",@progbits
.align 8
.long 0x466243b1, 1
.quad fatbin, 0
.section .note.GNU-stack,"",@progbits
`;

/** Makes the host object `object` from the text in the file `ptx`; `sm`: number of its target. Throws Error if a tool fails. */
export function makeHostObject(ptx: string, sm: number, packing: Packing, object: string): void {
  const fatbin = `${object}.fatbin`;
  run([
    "fatbinary",
    "-64",
    `--create=${fatbin}`,
    "--device-c",
    `--compress-mode=${packing}`,
    `--image3=kind=ptx,sm=${sm},file=${ptx}`,
  ]);
  run(["as", "-o", object, "-"], assembly(fatbin));
  rmSync(fatbin);
}

/** Makes a shared library of these objects, which contains their fatbins one after the other, as in a program. */
export function makeHostLibrary(objects: readonly string[], library: string): void {
  const list = `${library}.list`;
  writeFileSync(list, objects.join("\n"));
  run(["ld", "-shared", "-o", library, `@${list}`]);
  rmSync(list);
}

function run([tool, ...args]: readonly string[], input = ""): void {
  const { status, stderr, error } = spawnSync(tool!, args, { input });
  if (status !== 0) throw new Error(error?.message ?? stderr.toString());
}
