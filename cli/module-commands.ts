// The commands that compile, link and run modules, with their options.

import { Command, Option } from "commander";
import { collect } from "./options/collecting.js";
import { byteCount, positiveNumber, wholeNumber } from "./options/common.js";
import type { Host } from "./files/host.js";
import { addInspectionOptions } from "./options/inspection-options.js";
import { addLinkOptions } from "./options/link-options.js";
import { addNvvmOptions, archOption } from "./options/nvvm-options.js";
import { placedInputs } from "./inputs/placed-inputs.js";
import type { CommandLine } from "./options/response-file.js";
import type { Status } from "./base/status.js";
import { addTimingOptions } from "./timing-commands.js";

/** The context for adding commands. */
export interface CommandContext {
  /** Adds a command with the options of every command, and examples for its help. */
  readonly add: (command: Command, ...examples: readonly string[]) => Command;
  readonly host: Host;
  /** Receives the command's exit status. */
  readonly finish: (result: Status) => void;
  readonly line: CommandLine;
}

export function addCheck({ add, host, finish }: CommandContext): void {
  const check = add(
    new Command("check")
      .argument("<file...>", "PTX and NVVM IR modules; - is standard input")
      .summary("parse and verify PTX and NVVM IR modules")
      .description(
        "Parse and verify modules: PTX as ptxas does, NVVM IR (.ll, .bc) according to its specification. Prints nothing if there are no errors or warnings.",
      )
      .addOption(archOption())
      .action(async (files: string[], options) => {
        finish(await (await import("./commands/check.js")).check(files, options, host));
      }),
    "check kernel.ptx",
    "check --werror -Wno-float-raw-bits *.ptx",
    "check --diagnostics sarif kernel.ptx 2> kernel.sarif",
    "check --arch sm_90 kernel.ll",
  );

  addNvvmOptions(check);
}

export function addAs({ add, host, finish }: CommandContext): void {
  const as = add(
    new Command("as")
      .argument("<file>", "a module of PTX or NVVM IR; - is standard input")
      .summary("assemble one module into a relocatable object")
      .description("Assemble one module of PTX or NVVM IR into a relocatable object.")
      .addOption(archOption())
      .option("-o, --output <file>", "the object (default: the input's name with .o)")
      .action(async (file: string, options) => {
        finish(await (await import("./commands/as.js")).as(file, options, host));
      }),
    "as kernel.ptx",
    "as kernel.ptx -o build/kernel.o",
    "as --arch sm_90 kernel.ll",
  );
  addNvvmOptions(as);
}

export function addLink({ add, host, finish, line }: CommandContext): void {
  const link = add(
    addLinkOptions(new Command("link"), "link")
      .argument(
        "[input...]",
        "objects, PTX and NVVM IR modules, archives, fatbins, nvcc's host objects, @response files",
      )
      .summary("link objects, PTX and NVVM IR modules into an image")
      .description(
        "Link objects, PTX and NVVM IR modules into an image. Inputs are recognised by content. Archive members are extracted if needed; from fatbins and nvcc's host objects, the PTX for the target is used. 'lib.a(scale.o)' is a single member.",
      )
      .action(async (_inputs: string[], options, command: Command) => {
        if (options.output === undefined) command.error("error: required option '-o, --output <file>' not specified");
        const inputs = placedInputs(line.words, command.options);
        finish(await (await import("./commands/link.js")).link(inputs, options, line, host));
      }),
    "link main.ptx helpers.o -o program.img",
    "link --arch sm_90 @objects.txt -o program.img",
    "link main.o libkernels.a -o program.img",
    "link --gc-sections --print-gc-sections *.o -o program.img",
  );
  addNvvmOptions(link);
  for (const group of ["inputs", "names", "reports"] as const) addLinkOptions(link, group);
}

export function addRun({ add, host, finish, line }: CommandContext): void {
  const run = add(
    new Command("run")
      .argument("[input...]", "an image, or inputs of link")
      .summary("load (and link if needed) and execute kernels")
      .description(
        "Load an image, or link inputs to one, and execute kernels: those of a launch specification, or one with -k, -g, -b.",
      )
      .option("--launch <spec.json>", "a launch specification")
      .option("-k, --kernel <name>", "the kernel to launch")
      .option("-g, --grid <x,y,z>", "number of blocks of the grid")
      .option("-b, --block <x,y,z>", "number of threads of a block")
      .option(
        "-a, --arg <argument>",
        "argument of the next parameter: TYPE=VALUE, TYPE[N]=FILL, @FILE.npy or TYPE@FILE",
        collect,
      )
      .option("--shared <bytes>", "dynamic shared memory of the launch", byteCount)
      .option("--cooperative", "cooperative launch: all blocks are resident, so that grid.sync() works")
      .option("--json", "write one JSON document")
      .option("--out <folder>", "write each output as .npy")
      .addOption(
        new Option(
          "--out-format <format>",
          "format of the output files; raw: only the elements, little-endian",
        ).choices(["npy", "raw"]),
      )
      .option("--sanitize", "check memory accesses, races, initialisation and barriers")
      .option("--suppressions <file>", "with --sanitize: omit findings that match the file")
      .option("--dump <file>", "after a fault: write the block's registers and memory as JSON")
      .option("--max-instructions <n>", "stop a launch after this number of warp instructions", wholeNumber)
      .addOption(
        new Option("--engine <name>", "execution engine: fast compiles hot code, reference only interprets")
          .choices(["fast", "reference"])
          .default("fast"),
      )
      .addOption(
        new Option("--async <when>", "when asynchronous copies complete: late at their wait, early when issued")
          .choices(["late", "early"])
          .default("late"),
      )
      .option("-j, --jobs <n>", "number of threads that execute blocks (default: all hardware threads)", positiveNumber)
      .action(async (_inputs: string[], options, command: Command) => {
        // Lists the models without running anything.
        const inputs = options.gpu === "help" ? [] : placedInputs(line.words, command.options);
        finish(await (await import("./commands/run.js")).run(inputs, options, host));
      }),
    "run saxpy.ptx -k saxpy -g 4 -b 256 -a u32=1024 -a f32=2 -a f32[1024]=iota -a f32[1024]=1",
    "run program.img --launch launch.json --json",
    "run program.img --launch launch.json --gpu a100",
  );
  addInspectionOptions(run);
  addTimingOptions(run);
  addNvvmOptions(run.addOption(archOption()));
  addLinkOptions(run, "inputs");
}
