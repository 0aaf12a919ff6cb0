// The command line: CONTRACT.md. Each command is a file of its own, loaded only when it is called, so that starting the
// program costs what the command needs.

import { Command, CommanderError, Option } from "commander";
import { InternalError } from "../lib/base/assert.js";
import { escapeControls } from "../lib/diag/escape.js";
import { addCompletion } from "./completion.js";
import { collect } from "./collecting.js";
import { addCommonOptions, byteCount, detailsOf, positiveNumber, usageCode, wholeNumber } from "./common.js";
import { whileListing } from "./engine.js";
import { foreignHint, inOurWords } from "./foreign-options.table.js";
import type { Host } from "./host.js";
import { addLinkOptions } from "./link-options.js";
import { addInspectionOptions } from "./inspection-options.js";
import { addNvvmOptions, archOption } from "./nvvm-options.js";
import { optionWords, placedInputs } from "./placed-inputs.js";
import { expandResponseFiles, plainLine, type CommandLine } from "./response-file.js";
import { inspectInOurWords } from "./inspect-words.table.js";
import { addInspectCommands } from "./inspect-commands.js";
import { addServerCommands } from "./server-commands.js";
import { status, type Status } from "./status.js";
import { addTimingCommands, addTimingOptions } from "./timing-options.js";
import { version, versionFlags } from "./version.js";

/** Columns of help that is not written to a terminal. */
const widthElsewhere = 100;

/** Runs one command line; the exit status. */
export async function runProgram(args: readonly string[], host: Host): Promise<Status> {
  let result: Status = status.done;
  try {
    // Only link takes response files: an argument of run's kernel may begin with @ too.
    const isLink = args[0] === "link";
    const isInspect = args[0] === "inspect";
    const given = args.slice(1);
    const line = isLink ? linkLine(given, host) : plainLine(isInspect ? inspectInOurWords(given) : given);
    const program = createProgram(host, (of) => (result = of), line);
    return await whileListing(line.length, async () => {
      const words = isLink
        ? [args[0]!, ...parseOptions(linkIn(program), line.words)]
        : isInspect
          ? [args[0]!, ...line.words]
          : [...args];
      await program.parseAsync(words, { from: "user" });
      return result;
    });
  } catch (error) {
    return await failed(error, host);
  }
}

/** `args`: behind "link". Throws HostError and UsageError. */
function linkLine(args: readonly string[], host: Host): CommandLine {
  const { words, ...files } = expandResponseFiles(args, host);
  return { words: inOurWords(words), ...files };
}

const linkIn = (program: Command): Command => program.commands.find((command) => command.name() === "link")!;

/** Has a command parse the options among its words; those that it does not know. Its inputs it reads from the words itself. */
function parseOptions(command: Command, words: readonly string[]): readonly string[] {
  const unknown: string[] = [];
  for (const part of optionWords(words, command.options))
    for (const word of command.parseOptions([...part]).unknown) unknown.push(word);
  return unknown;
}

/** The end of the program's help. */
const afterHelp = `
Exit status:
  0   done
  1   an input is wrong: a syntax, type, link or format error
  2   the command line is wrong, or a file cannot be read or written
  3   the kernel faulted
  70  a defect in ptxkit itself

'ptxkit help COMMAND' shows a command's options, 'ptxkit explain CODE' what a message means.`;

/** The effect of an option, with its choices and its default. */
function describeOptionOf(option: Option): string {
  const { description, argChoices, defaultValue } = option;
  const choices = argChoices === undefined ? "" : `: ${argChoices.join(", ")}`;
  const given = defaultValue === undefined || defaultValue === false ? "" : ` (${String(defaultValue)} unless given)`;
  return description + choices + given;
}

/** A message of commander's with the words that it quotes made fit for a terminal; its advice, in brackets, keeps its lines. */
function onOneLine(text: string): string {
  const advice = /(?:\n\([^\n]*\))*\n$/.exec(text)?.[0] ?? "";
  return escapeControls(text.slice(0, text.length - advice.length)) + advice;
}

/**
 * Completes the message about an unknown option: names the whole word from which commander has removed letters that are options,
 * and the equivalent of another linker's option.
 */
function withHint(text: string, words: readonly string[], isOption: (name: string) => boolean): string {
  const option = /unknown option '([^']+)'/.exec(text)?.[1];
  if (option === undefined) return text;
  const word = option.startsWith("--") ? option : (words.find((each) => isClusterOf(each, option)) ?? option);
  const said = text.split("\n")[0]!.replace(`'${option}'`, `'${word}'`);
  const hint = foreignHint(word);
  if (hint !== undefined) return `${said}\n(${hint})\n`;
  // Other linkers take their long options behind one dash, too.
  if (/^-[^-]/.test(word) && isOption(`-${/^[^=]*/.exec(word)![0]}`)) return `${said}\n(write -${word})\n`;
  if (word === option) return text;
  const letters = [...word.slice(1, 1 - option.length)].map((letter) => `-${letter}`).join(" ");
  return `${said}\n(behind one '-' each letter is an option: ${letters} ${letters.length > 2 ? "are some" : "is one"}, ${option.slice(0, 2)} is none; long options begin with '--')\n`;
}

/** "-shared" of "-hared" */
const isClusterOf = (word: string, option: string): boolean =>
  /^-[^-]/.test(word) && word.length > option.length && word.endsWith(option.slice(1));

/**
 * All commands with their options; `finish` receives the status of the command that was run. A test compares docs/cli.md with it.
 */
export function createProgram(
  host: Host,
  finish: (result: Status) => void,
  line: CommandLine = plainLine([]),
): Command {
  const isOption = (name: string): boolean =>
    program.commands.some(({ options }) => options.some(({ long }) => long === name));
  const program = new Command("ptxkit")
    .description("Link, inspect and run NVIDIA PTX without a GPU.")
    .version(version(), versionFlags, "show the version")
    .helpCommand("help [command]", "show the help of a command")
    .addHelpText("after", afterHelp)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out(text),
      writeErr: (text) => host.err(text),
      getOutHelpWidth: () => host.outColumns ?? widthElsewhere,
      getErrHelpWidth: () => host.errColumns ?? widthElsewhere,
      outputError: (text, write) =>
        write(`ptxkit: ${withHint(onOneLine(text), line.words, isOption).replace("\n", " [command-line]\n")}`),
    })
    .configureHelp({ optionDescription: describeOptionOf })
    .showHelpAfterError("(--help shows what the command takes)");
  program.helpOption("-h, --help", "show this help");

  const add = (command: Command, ...examples: readonly string[]): Command => {
    addCommonOptions(command).exitOverride().copyInheritedSettings(program).helpOption("-h, --help", "show this help");
    command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  ptxkit ${line}`).join("\n")}`);
    program.addCommand(command);
    return command;
  };

  const check = add(
    new Command("check")
      .argument("<file...>", "PTX and NVVM IR modules; - is standard input")
      .summary("parse and verify PTX and NVVM IR modules")
      .description(
        "Parse and verify modules: PTX as ptxas would judge it, NVVM IR (.ll, .bc) by its specification. Says nothing when all are right.",
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

  const as = add(
    new Command("as")
      .argument("<file>", "a module of PTX or NVVM IR; - is standard input")
      .summary("assemble one module into a relocatable object")
      .description("Assemble one module of PTX or NVVM IR into a relocatable object.")
      .addOption(archOption())
      .option("-o, --output <file>", "the object; the input's name with .o unless given")
      .action(async (file: string, options) => {
        finish(await (await import("./commands/as.js")).as(file, options, host));
      }),
    "as kernel.ptx",
    "as kernel.ptx -o build/kernel.o",
    "as --arch sm_90 kernel.ll",
  );
  addNvvmOptions(as);

  const link = add(
    addLinkOptions(new Command("link"), "link")
      .argument(
        "[input...]",
        "objects, PTX and NVVM IR modules, archives, fatbins, nvcc's host objects, @response files",
      )
      .summary("link objects, PTX and NVVM IR modules into an image")
      .description(
        "Link objects, PTX and NVVM IR modules into an image. Inputs are recognised by content, in any mixture. Of archives the members are taken that are needed, of fatbins and of nvcc's host objects the PTX for the target; 'lib.a(scale.o)' is one member alone.",
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

  addInspectCommands(add, host, finish);

  const run = add(
    new Command("run")
      .argument("[input...]", "an image, or what link takes")
      .summary("load (linking first where needed) and execute kernels")
      .description(
        "Load an image, linking first where needed, and execute kernels: those of a specification, or one with -k, -g, -b.",
      )
      .option("--launch <spec.json>", "a launch specification")
      .option("-k, --kernel <name>", "the kernel to launch")
      .option("-g, --grid <x,y,z>", "blocks of the grid")
      .option("-b, --block <x,y,z>", "threads of a block")
      .option(
        "-a, --arg <argument>",
        "TYPE=VALUE, TYPE[N]=FILL, @FILE.npy or TYPE@FILE, once for each parameter",
        collect,
      )
      .option("--shared <bytes>", "dynamic shared memory of the launch", byteCount)
      .option("--cooperative", "all blocks are there together and may wait for each other: grid.sync()")
      .option("--json", "one JSON document")
      .option("--out <folder>", "write each output as .npy")
      .addOption(
        new Option("--out-format <format>", "of the outputs' files; raw: the elements alone, little endian").choices([
          "npy",
          "raw",
        ]),
      )
      .option("--sanitize", "check memory accesses, races, initialisation and barriers")
      .option("--suppressions <file>", "with --sanitize: leave out findings that the file names")
      .option("--dump <file>", "after a fault: write the block's registers and memory as JSON")
      .option("--max-instructions <n>", "stop a launch after that many warp instructions", wholeNumber)
      .addOption(
        new Option("--engine <name>", "compile hot code, or interpret everything")
          .choices(["fast", "reference"])
          .default("fast"),
      )
      .addOption(
        new Option("--async <when>", "when asynchronous copies complete: at their wait, or as they are issued")
          .choices(["late", "early"])
          .default("late"),
      )
      .option("-j, --jobs <n>", "threads that run blocks; all that can run at a time unless given", positiveNumber)
      .action(async (_inputs: string[], options, command: Command) => {
        // It lists the models, and runs nothing.
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

  addTimingCommands(add, host, finish);
  addServerCommands(add, host, finish);
  addCompletion(add, host, program);

  add(
    new Command("explain")
      .argument("[code]", "the word in brackets at the end of a message; all codes unless given")
      .summary("explain a diagnostic")
      .description("Tell what a message means, with an example and how to put it right.")
      .option("--json", "one JSON document")
      .action(async (code: string | undefined, options) => {
        finish(await (await import("./commands/explain.js")).explain(code, options, host));
      }),
    "explain undefined-symbol",
    "explain",
  );

  return program;
}

async function failed(error: unknown, host: Host): Promise<Status> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? status.done : status.usage;
  const code = usageCode(error);
  if (code !== undefined) {
    const { remedy } = detailsOf(error);
    const help = remedy === undefined ? "" : `help: ${escapeControls(remedy)}\n`;
    host.err(`ptxkit: error: ${escapeControls((error as Error).message)} [${code}]\n${help}`);
    return status.usage;
  }
  const what = error instanceof InternalError ? error.message : String(error);
  const stack = error instanceof Error ? (await import("./stack.js")).originalStack(error.stack ?? "") : "";
  host.err(
    `ptxkit: defect: ${what}\nThis is a fault in ptxkit itself. Please report it with the command and its inputs.\n${stack}\n`,
  );
  return status.defect;
}
