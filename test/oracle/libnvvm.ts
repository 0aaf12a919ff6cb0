// libNVVM's verdict on a module, from a child process, since it crashes on some: a driver of a few lines of C is compiled
// into the folder for scratch files when it is first needed.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const driver = `#include <nvvm.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  size_t room = 1 << 26, size;
  char *text = malloc(room);
  size = fread(text, 1, room, stdin);
  nvvmProgram program;
  const char *options[] = {words[1]};
  nvvmCreateProgram(&program);
  int failed = nvvmAddModuleToProgram(program, text, size, "module");
  if (!failed) failed = nvvmVerifyProgram(program, 1, options);
  if (failed && nvvmGetProgramLogSize(program, &size) == 0) {
    char *log = malloc(size + 1);
    nvvmGetProgramLog(program, log);
    fwrite(log, 1, size ? size - 1 : 0, stdout);
  }
  return failed != 0;
}
`;

export interface LibNvvm {
  /** What the verifier says of a module: "" where it accepts, "died of …" where the process ended. */
  readonly ask: (text: Uint8Array, architecture: string) => string;
}

/** Undefined where there is no libNVVM or no compiler. `home` is CUDA's folder. */
export function openLibNvvm(home: string, scratch: string): LibNvvm | undefined {
  if (!existsSync(join(home, "include", "nvvm.h"))) return undefined;
  mkdirSync(scratch, { recursive: true });
  const [source, program] = [join(scratch, "nvvm-driver.c"), join(scratch, "nvvm-driver")];
  writeFileSync(source, driver);
  const folders = ["lib", "lib64", "nvvm/lib64"].flatMap((name) => [
    `-L${join(home, name)}`,
    `-Wl,-rpath,${join(home, name)}`,
  ]);
  const made = spawnSync("gcc", [`-I${join(home, "include")}`, source, "-o", program, ...folders, "-lnvvm"]);
  if (made.status !== 0) return undefined;
  return {
    ask(text, architecture) {
      const options = { input: text, encoding: "utf8", timeout: 600_000 } as const;
      const { status, signal, stdout } = spawnSync(program, [`-arch=${architecture}`], options);
      if (status === 0) return "";
      return signal !== null || status === null ? `died of ${signal}` : stdout.trim() || "refused";
    },
  };
}
