// How many warp instructions kernels of clang -O2 take as ptxkit and as llc -O2 compile them, both run by ptxkit:
// node dist/test/oracle/nvvm/kernels.js

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { linkSources, openDevice } from "../../../lib/index.js";
import { testdata } from "../programs.js";

const folder = new URL("nvvm/kernels/", testdata);

export const kernelNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".ll"))
  .map((name) => name.slice(0, -3));

export const kernelText = (name: string): string => readFileSync(new URL(`${name}.ll`, folder), "utf8");

const sizes: Readonly<
  Record<
    string,
    { readonly grid: number | readonly [number, number]; readonly block: number | readonly [number, number] }
  >
> = {
  tiled: { grid: [4, 4], block: [16, 16] },
  matmul: { grid: 64, block: 64 },
};

export interface Counted {
  readonly warpInstructions: number;
  /** What it leaves. */
  readonly bytes: Uint8Array;
}

/** Runs `k(x, y, n)` over 4096 floats, all of them small. */
export async function countKernel(name: string, file: string, text: string): Promise<Counted> {
  const device = openDevice(linkSources({ [file]: text }));
  const x = device.alloc(Float32Array.from({ length: 4096 }, (_, i) => (i % 61) / 8));
  const y = device.alloc(new Float32Array(4096));
  const { grid, block } = sizes[name] ?? { grid: 4, block: 64 };
  const { fault, warpInstructions } = await device.launch("k", { grid, block, args: [x, y, { s32: 256 }] });
  if (fault !== undefined) throw new Error(`${file}: ${fault.message}`);
  return { warpInstructions, bytes: device.read(y, new Uint8Array(4096 * 4)) };
}

if (process.argv[1]?.endsWith("kernels.js") === true) {
  for (const name of kernelNames) {
    const text = kernelText(name);
    const { stdout } = spawnSync("llc-14", ["-march=nvptx64", "-mcpu=sm_80", "-mattr=+ptx74", "-O2", "-o", "-"], {
      input: text,
      encoding: "utf8",
    });
    const [ours, theirs] = [await countKernel(name, "k.ll", text), await countKernel(name, "k.ptx", stdout)];
    const same = Buffer.compare(ours.bytes, theirs.bytes) === 0 ? "" : ", other results";
    const ratio = (ours.warpInstructions / theirs.warpInstructions).toFixed(3);
    console.log(`${name}: ${ours.warpInstructions} to ${theirs.warpInstructions} of llc -O2: ${ratio}${same}`);
  }
}
