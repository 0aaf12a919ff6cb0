// Other compilers of NVVM IR, where they are installed: PTX from a module's text, each in a process of its own.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Level } from "./random/writer.js";

const driver = `#include <nvvm.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  size_t room = 1 << 26, size = 0;
  char *text = malloc(room);
  size = fread(text, 1, room, stdin);
  nvvmProgram program;
  nvvmCreateProgram(&program);
  int failed = nvvmAddModuleToProgram(program, text, size, "module");
  if (!failed) failed = nvvmCompileProgram(program, count - 1, (const char **)words + 1);
  if (failed ? nvvmGetProgramLogSize(program, &size) : nvvmGetCompiledResultSize(program, &size)) return 2;
  char *result = malloc(size + 1);
  if (failed) nvvmGetProgramLog(program, result);
  else nvvmGetCompiledResult(program, result);
  fwrite(result, 1, size ? size - 1 : 0, stdout);
  return failed != 0;
}
`;

export interface Compiled {
  /** Undefined where the compiler refused or died. */
  readonly ptx: string | undefined;
  readonly message: string;
}

export interface Compiler {
  readonly name: string;
  /** The newest words that it knows: 0 for LLVM 7's, 1 for 14's, 2 for 20's. */
  readonly level: Level;
  compile(text: string): Compiled;
}

function run(program: string, words: readonly string[], text: string): Compiled {
  const options = { input: text, encoding: "utf8", timeout: 600_000, maxBuffer: 2 ** 28 } as const;
  const { status, signal, stdout, stderr } = spawnSync(program, words, options);
  if (status === 0) return { ptx: stdout, message: "" };
  const said = `${stdout}${stderr}`.trim();
  const why = /^.*(LLVM ERROR|Assertion|UNREACHABLE).*$/m.exec(said)?.[0] ?? "";
  return { ptx: undefined, message: signal === null ? said : `died of ${signal} ${why}` };
}

/** libNVVM 13 has LLVM 7 for compute_75 to 90, and LLVM 20 from compute_100 on. */
const libNvvm = (program: string, architecture: 80 | 100, optimisation: number): Compiler => ({
  name: `libNVVM compute_${architecture} -opt=${optimisation}`,
  level: architecture === 80 ? 0 : 2,
  compile: (text) => run(program, [`-arch=compute_${architecture}`, `-opt=${optimisation}`, "-fma=0"], text),
});

/** LLVM 14's, without fused products. */
const llc = (optimisation: number): Compiler => ({
  name: `llc -O${optimisation}`,
  level: 1,
  compile: (text) =>
    run(
      "llc-14",
      ["-march=nvptx64", "-mcpu=sm_80", "-mattr=+ptx74", `-O${optimisation}`, "-nvptx-fma-level=0", "-o", "-"],
      text,
    ),
});

const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** Those that this machine has. `home` is CUDA's folder, `scratch` one for the driver. */
export function openCompilers(home: string, scratch: string): readonly Compiler[] {
  const found: Compiler[] = [];
  if (existsSync(join(home, "include", "nvvm.h"))) {
    mkdirSync(scratch, { recursive: true });
    const [source, program] = [join(scratch, "nvvm-compile.c"), join(scratch, "nvvm-compile")];
    writeFileSync(source, driver);
    const folders = ["lib", "lib64", "nvvm/lib64"].flatMap((name) => [
      `-L${join(home, name)}`,
      `-Wl,-rpath,${join(home, name)}`,
    ]);
    const made = spawnSync("gcc", [`-I${join(home, "include")}`, source, "-o", program, ...folders, "-lnvvm"]);
    if (made.status === 0) {
      for (const architecture of [80, 100] as const)
        for (const optimisation of [0, 3]) found.push(libNvvm(program, architecture, optimisation));
    }
  }
  if (isThere("llc-14")) found.push(llc(0), llc(2));
  return found;
}
