// The commands that other programs talk to: a language server, a debugger.

import { Command } from "commander";
import type { Host } from "./files/host.js";
import { addNvvmOptions, archOption } from "./options/nvvm-options.js";
import type { Status } from "./base/status.js";

/** `add` adds a command with the options of every command. */
export function addServerCommands(
  add: (command: Command, ...examples: readonly string[]) => Command,
  host: Host,
  finish: (result: Status) => void,
): void {
  const lsp = add(
    new Command("lsp")
      .summary("serve editors: diagnostics, hover, definitions, completion, rename, formatting")
      .description(
        "Serve the Language Server Protocol on standard input and output. An editor starts it: see docs/editors.md.",
      )
      .addOption(archOption())
      .option("--stdio", "accepted without effect: standard input and output are always used")
      .action(async (options) => {
        finish(await (await import("./commands/lsp.js")).lsp(options, host));
      }),
    "lsp",
    "lsp --stdio -Wno-unset-register",
  );
  addNvvmOptions(lsp);

  add(
    new Command("debug")
      .summary("serve debuggers: breakpoints, steps, registers and memory of kernels")
      .description(
        "Serve the Debug Adapter Protocol on standard input and output. An editor starts it and selects the program: see docs/debugging.md.",
      )
      .option("--stdio", "accepted without effect: standard input and output are always used")
      .action(async () => {
        finish(await (await import("./commands/debug.js")).debug(host));
      }),
    "debug",
  );
}
