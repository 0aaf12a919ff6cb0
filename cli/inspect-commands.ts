// The commands that show the contents of files: inspect, and diff, which compares two builds.

import { Command, InvalidArgumentError, Option } from "commander";
import type { DiffPart } from "../lib/inspect/compare/diff.js";
import { collect } from "./options/collecting.js";
import { smVersion, targetName, wholeNumber } from "./options/common.js";
import { inspectWordsHelp } from "./options/inspect-words.table.js";
import type { Host } from "./files/host.js";
import type { Status } from "./base/status.js";

/**
 * All parts of a comparison; `satisfies` makes a missing part a compile error. The comparison itself is loaded when the command
 * runs.
 */
const diffParts = Object.keys({
  code: true,
  resources: true,
  interface: true,
  data: true,
  relocations: true,
} satisfies Record<DiffPart, true>);

/** Parses a TCP port number. */
function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65535) throw new InvalidArgumentError("a port is a number up to 65535");
  return port;
}

/** Adds a command with the options of every command, and examples for its help. */
type Add = (command: Command, ...examples: readonly string[]) => Command;

export function addInspectCommands(add: Add, host: Host, finish: (result: Status) => void): void {
  addInspect(add, host, finish);
  addDiff(add, host, finish);
  addServe(add, host, finish);
}

function addInspect(add: Add, host: Host, finish: (result: Status) => void): void {
  const command = new Command("inspect")
    .argument(
      "<file...>",
      "objects, images, archives, cubins, fatbins or host files; FILE(NAME) is a member or an entry",
    )
    .summary("show the contents of files")
    .description(
      "Show the contents of objects, images, archives, fatbins, host files and NVIDIA's cubins. Without a view option, shows a summary. For containers, a view shows all contents. 'lib.a(scale.o)' is a member of an archive, 'scale.o(1.sm_90.ptx)' an entry of a fatbin.",
    );
  addViewOptions(command);
  addSelectionOptions(command);
  command.addHelpText("after", inspectWordsHelp()).action(async (files: string[], options) => {
    finish(await (await import("./commands/inspect.js")).inspect(files, options, host));
  });
  add(
    command,
    "inspect program.img",
    "inspect program.img --symbols --relocations",
    "inspect kernel.cubin --info --json",
    "inspect libkernels.a --kernels --function scale",
    "inspect program --resource-usage",
    "inspect program --html program.html",
    "inspect libkernels.a --entry scale.o --entry 1",
    "inspect program --list --kind cubin",
  );
}

/** Adds the options that select views. */
function addViewOptions(command: Command): void {
  command
    .option("--header", "the ELF header")
    .option("-S, --sections", "the sections")
    .option("-s, --symbols", "the symbols")
    .option("-r, --relocations", "the relocations")
    .option("--info", "the .nv.info attributes")
    .option("--kernels", "the kernels with their parameters")
    .option("--layout", "the address of each variable")
    .option("--disassemble", "the code as PTX")
    .option("--resource-usage", "registers, stack, shared, local and constant memory, like cuobjdump -res-usage")
    .option("--sizes", "code size by function, target and template, and duplicate code")
    .option("--occupancy", "resident blocks of each kernel on an SM, for each GPU model that can load it")
    .option("--constants", "constant memory by bank, with variables and bytes")
    .option("--debug-line", "files and lines of the code, from .debug_line")
    .option("-x, --hex <section>", "the bytes of a section, by name or number", collect)
    .option(
      "--loads-on <target>",
      "which images a device of that version, such as sm_90, loads, and why not the others",
      smVersion,
    )
    .option("--compare-images", "differences between the PTX and cubins of each fatbin: kernels, parameters, sizes");
}

/** Adds the options that select the contents, and the form of the output. */
function addSelectionOptions(command: Command): void {
  command
    .option("--function <name>", "show only this kernel or function, by its mangled or C++ name", collect)
    .option("--entry <name>", "inspect a member of an archive or an entry of a fatbin, by name or number", collect)
    .option("--html <file>", "write an HTML page to explore the contents: a tree, details, bytes and fields, sizes")
    .option("--list", "the names of embedded PTX and machine code, like cuobjdump -lelf and -lptx")
    .addOption(new Option("--kind <kind>", "show only embedded files of this kind").choices(["ptx", "cubin"]))
    .option("--arch <target>", "show only fatbin entries for this target, such as sm_90a", targetName)
    .option("--match <part>", "show only embedded files whose names contain this text")
    .option("--extract <folder>", "write embedded PTX and machine code to files")
    .option(
      "--verify",
      "check the file and its contents against the rules of their formats, and compare with the elfy package",
    )
    .option("--cross-check", "show what the elfy package reads differently")
    .option("--json", "write one JSON document");
}

function addDiff(add: Add, host: Host, finish: (result: Status) => void): void {
  add(
    new Command("diff")
      .argument("<before>", "an object, image, cubin, archive, fatbin, host file or PTX text")
      .argument("<after>", "another build of it")
      .summary("compare two builds, by kernel, variable and relocation")
      .description(
        "Compare the contents of two files. The exit status is 0 if they are equal, 1 if they differ, and 2 if a file cannot be read. With --ratchet it is 1 only if a function grew more than the file allows.",
      )
      .addOption(
        new Option("--ignore <part>", "exclude a part from the comparison")
          .choices(diffParts)
          .argParser((part: string, parts: readonly string[] = []) => {
            if (!diffParts.includes(part)) throw new InvalidArgumentError(`parts are ${diffParts.join(", ")}`);
            return [...parts, part];
          }),
      )
      .option("--ratchet <file>", "a file with the allowed growth of each function property, such as: registers 0")
      .option("--json", "write one JSON document")
      .action(async (before: string, after: string, options) => {
        finish(await (await import("./commands/diff.js")).diff(before, after, options, host));
      }),
    "diff old.cubin new.cubin",
    "diff old.so new.so --ignore data --json",
    "diff old.cubin new.cubin --ratchet kernels.ratchet",
  );
}

function addServe(add: Add, host: Host, finish: (result: Status) => void): void {
  add(
    new Command("serve")
      .summary("serve a page to explore files and try modules in a browser")
      .description(
        "Serve a page on this machine. It shows the contents of files that are dropped on it, and has a playground that checks, links, runs and times PTX and NVVM IR as you type. Everything runs in the browser; no file leaves it.",
      )
      .option("--port <n>", "port to listen on; 0 selects a free one", portNumber, 8090)
      .action(async (options) => {
        finish(await (await import("./commands/serve.js")).serve(options, host));
      }),
    "serve",
    "serve --port 0",
  );
}
