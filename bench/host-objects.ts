// Host objects as nvcc leaves them: PTX packed by fatbinary, in the section and with the wrapper that nvcc's own assembly text has
// (`nvcc -dc --keep`), without the host's code. What a link reads of such an object is real; making it takes a hundredth of
// what nvcc takes.

import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";

/** How fatbinary packs (`--compress-mode`): `balance` is nvcc's default and Zstandard, `speed` LZ4. */
export type Packing = "none" | "speed" | "balance";

/** Magic number and version of the wrapper, then where the fatbin is. */
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

/** Makes the host object `object` of the text in the file `ptx`; `sm`: the number of its target. Throws Error of a tool that fails. */
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

/** A shared library of these objects: their fatbins are in it one after the other, as in a program. */
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
