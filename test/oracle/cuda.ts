// A CUDA program, whole, on ptxkit: npm run oracle:cuda -- FILE.cu... [nvcc's options] [-- the program's arguments]
//
// nvcc compiles the program to PTX alone, for compute_80 or what -arch names (-arch=sm_90a), and testdata/oracle/cuda stands in
// for CUDA's runtime; kernels are then linked and run by ptxkit, and what the program says of their results is its own. With
// -rdc=true the modules are linked by ptxkit too, not by nvlink. The status is the program's.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

const isArchitecture = (word: string): boolean => /^-arch=(sm|compute)_\d+[af]?$/.test(word);
const options = words.slice(0, end);
const architecture = options.find(isArchitecture)?.replace(/.*_/, "") ?? "80";
const given = options.filter((word) => !isArchitecture(word));
const isSource = (word: string): boolean => /\.(cu|cc|cpp|cxx|c)$/.test(word);
const isSeparate = given.some((word) => ["-rdc=true", "-dc", "--relocatable-device-code=true"].includes(word));

const runtime = ["runtime.c", "images.c", "tensor-maps.c"].map((name) =>
  fileURLToPath(new URL(`oracle/cuda/${name}`, testdata)),
);
const headers = ["/usr/local/cuda/include"].filter((path) => existsSync(path)).flatMap((path) => ["-I", path]);
const target = `arch=compute_${architecture},code=compute_${architecture}`;
const compile = ["-w", "-O2", "-gencode", target, "-cudart", "none"];
const library = ["-L", folder, "-lcudart", "-Xlinker", `-rpath=${folder}`];

/** Objects with relocatable PTX, each registered as a module by itself: what nvlink's stub does for the image that it makes. */
function linkSeparately(): number {
  const sources = given.filter(isSource);
  const rest = given.filter((word) => !isSource(word) && !word.startsWith("-l"));
  const objects = sources.map((_, i) => join(folder, `${i}.o`));
  for (const [i, source] of sources.entries()) {
    const status = run("nvcc", [...compile, ...rest, "-c", source, "-o", objects[i]!]);
    if (status !== 0) return status;
  }
  const found = objects.flatMap(
    (object) => readFileSync(object, "latin1").match(/(?<=__cudaRegisterLinkedBinary)_\w+/g) ?? [],
  );
  const registered = [...new Set(found)].map(
    (id) => `void __cudaRegisterLinkedBinary${id}(void (*learn)(void **), void *wrapper) {
  learn(__cudaRegisterFatBinary(wrapper));
}`,
  );
  const stub = join(folder, "stub.c");
  writeFileSync(stub, ["void **__cudaRegisterFatBinary(void *wrapper);", ...registered, ""].join("\n"));
  const libraries = given.filter((word) => word.startsWith("-l") && word !== "-lcudadevrt");
  const linker = ["-no-pie", ...objects, `${stub}.o`, "-o", program, "-L", folder, "-lcudart", `-Wl,-rpath=${folder}`];
  return run("gcc", ["-c", stub, "-o", `${stub}.o`]) || run("g++", [...linker, ...libraries]);
}

symlinkSync("libcudart.so", join(folder, "libcuda.so"));
const status =
  run("gcc", ["-O1", "-w", "-shared", "-fPIC", ...headers, ...runtime, "-o", join(folder, "libcudart.so")]) ||
  (isSeparate ? linkSeparately() : run("nvcc", [...compile, "-o", program, ...given, ...library])) ||
  run(program, words.slice(end + 1), {
    PTXKIT_CUDA_SERVER: fileURLToPath(new URL("cuda-server.js", import.meta.url)),
    PTXKIT_CUDA_ARCH: architecture.replace(/[af]$/, ""),
  });
rmSync(folder, { recursive: true, force: true });
process.exit(status);
