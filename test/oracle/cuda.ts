// A CUDA program, whole, on ptxkit: npm run oracle:cuda -- FILE.cu... [nvcc's options] [-- the program's arguments]
//
// nvcc compiles the program with PTX for compute_80 alone and links it with testdata/oracle/cuda/runtime.c instead of CUDA's
// runtime; its kernels are then linked and run by ptxkit, and what it says of their results is its own. The status is the program's.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testdata } from "./programs.js";

const words = process.argv.slice(2);
const end = words.includes("--") ? words.indexOf("--") : words.length;
if (end === 0) {
  console.error("usage: npm run oracle:cuda -- FILE.cu... [nvcc's options] [-- the program's arguments]");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "ptxkit-cuda-"));
const program = join(folder, "program");

function run(command: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): number {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...environment } });
  if (error !== undefined) console.error(error.message);
  return status ?? 1;
}

const source = fileURLToPath(new URL("oracle/cuda/runtime.c", testdata));
const headers = ["/usr/local/cuda/include"].filter((path) => existsSync(path)).flatMap((path) => ["-I", path]);
const compile = ["-w", "-O2", "-gencode", "arch=compute_80,code=compute_80", "-cudart", "none", "-o", program];
const library = ["-L", folder, "-lcudart", "-Xlinker", `-rpath=${folder}`];
const status =
  run("gcc", ["-O1", "-w", "-shared", "-fPIC", ...headers, source, "-o", join(folder, "libcudart.so")]) ||
  run("nvcc", [...compile, ...words.slice(0, end), ...library]) ||
  run(program, words.slice(end + 1), {
    PTXKIT_CUDA_SERVER: fileURLToPath(new URL("cuda-server.js", import.meta.url)),
  });
rmSync(folder, { recursive: true, force: true });
process.exit(status);
