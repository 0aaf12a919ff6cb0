// The command line (docs/cli.md). Each command is a file of its own, loaded when it is called, so that a start
// loads only what the command needs.

import { Command, CommanderError, type Option } from "commander";
import { InternalError } from "../lib/base/assert.js";
import { escapeControls } from "../lib/diag/escape.js";
import { addCompletion } from "./completion.js";
import { addCommonOptions, detailsOf, usageCode } from "./options/common.js";
import { withSlowGrowthForLists } from "./base/engine.js";
import { foreignHint, translateOptions } from "./options/foreign-options.table.js";
import type { Host } from "./files/host.js";
import { addAs, addCheck, addLink, addRun, type CommandContext } from "./module-commands.js";
import { optionWords } from "./inputs/placed-inputs.js";
import { expandResponseFiles, plainLine, type CommandLine } from "./options/response-file.js";
import { translateInspectOptions } from "./options/inspect-words.table.js";
import { addInspectCommands } from "./inspect-commands.js";
import { addServerCommands } from "./server-commands.js";
import { status, type Status } from "./base/status.js";
import { addTimingCommands } from "./timing-commands.js";
import { versionFlags } from "./version.js";
import { versionLines } from "./base/version-lines.js";

/** Width of help, in columns, if it is not written to a terminal. */
const widthElsewhere = 100;

/** Runs one command line; resolves to the exit status. */
export async function runProgram(args: readonly string[], host: Host): Promise<Status> {
  let result: Status = status.done;
  try {
    // Only link accepts response files: an argument of run's kernel may begin with @ too.
    const isLink = args[0] === "link";
    const isInspect = args[0] === "inspect";
    const given = args.slice(1);
    const line = isLink ? linkLine(given, host) : plainLine(isInspect ? translateInspectOptions(given) : given);
    const program = createProgram(host, (of) => (result = of), line);
    return await withSlowGrowthForLists(line.length, async () => {
      const words = isLink
        ? [args[0]!, ...parseOptions(linkIn(program), line.words)]
        : isInspect
          ? [args[0]!, ...line.words]
          : helpWords(program, args);
      await program.parseAsync(words, { from: "user" });
      return result;
    });
  } catch (error) {
    return await failed(error, host);
  }
}

/** The words without "help" if the command after it is unknown: commander reports an unknown command, but not an unknown help. */
function helpWords({ commands }: Command, args: readonly string[]): string[] {
  const [first, name] = args;
  const isUnknown = name !== undefined && !name.startsWith("-") && !commands.some((each) => each.name() === name);
  return first === "help" && isUnknown ? [name] : [...args];
}

/** `args`: the arguments after "link". Throws HostError and UsageError. */
function linkLine(args: readonly string[], host: Host): CommandLine {
  const { words, ...files } = expandResponseFiles(args, host);
  return { words: translateOptions(words), ...files };
}

const linkIn = (program: Command): Command => program.commands.find((command) => command.name() === "link")!;

/**
 * Makes a command parse the options among its words; returns unknown options. The command takes its inputs from the words itself.
 */
function parseOptions(command: Command, words: readonly string[]): readonly string[] {
  const unknown: string[] = [];
  for (const part of optionWords(words, command.options))
    for (const word of command.parseOptions([...part]).unknown) unknown.push(word);
  return unknown;
}

/** The end of the program's help text. */
const afterHelp = `
Exit status:
  0   done
  1   an input is invalid: a syntax, type, link or format error
  2   the command line is invalid, or a file cannot be read or written
  3   the kernel faulted
  70  an internal error of ptxkit

'ptxkit help COMMAND' shows a command's options, 'ptxkit explain CODE' explains a diagnostic.`;

/** The description of an option, with its choices and its default. */
function describeOptionOf(option: Option): string {
  const { description, argChoices, defaultValue } = option;
  const choices = argChoices === undefined ? "" : `: ${argChoices.join(", ")}`;
  const given = defaultValue === undefined || defaultValue === false ? "" : ` (default: ${String(defaultValue)})`;
  return description + choices + given;
}

/** Our reasons follow commander's "is invalid." as a clause. */
const asSentence = (text: string): string => text.replace(/ is invalid\. (?!Allowed)/, " is invalid: ");

/** Escapes the words that a message of Commander quotes, so that it fits a terminal; its advice, in brackets, keeps its lines. */
function onOneLine(text: string): string {
  const advice = /(?:\n\([^\n]*\))*\n$/.exec(text)?.[0] ?? "";
  return escapeControls(text.slice(0, text.length - advice.length)) + advice;
}

/**
 * Completes the message about an unknown option. Names the whole word, from which Commander has removed letters that are options,
 * and the equivalent of another linker's option.
 */
function withHint(text: string, words: readonly string[], isOption: (name: string) => boolean): string {
  const option = /unknown option '([^']+)'/.exec(text)?.[1];
  if (option === undefined) return text;
  const word = option.startsWith("--") ? option : (words.find((each) => isClusterOf(each, option)) ?? option);
  const said = text.split("\n")[0]!.replace(`'${option}'`, `'${word}'`);
  const hint = foreignHint(word);
  if (hint !== undefined) return `${said}\n(${hint})\n`;
  // Other linkers also accept long options with one dash.
  if (/^-[^-]/.test(word) && isOption(`-${/^[^=]*/.exec(word)![0]}`)) return `${said}\n(write -${word})\n`;
  if (word === option) return text;
  const letters = [...word.slice(1, 1 - option.length)].map((letter) => `-${letter}`).join(" ");
  return `${said}\n(after one '-' each letter is an option: ${letters} ${letters.length > 2 ? "are some" : "is one"}, ${option.slice(0, 2)} is none; long options begin with '--')\n`;
}

/** Whether Commander shortened the word to that option: "-shared" to "-hared". */
const isClusterOf = (word: string, option: string): boolean =>
  /^-[^-]/.test(word) && word.length > option.length && word.endsWith(option.slice(1));

/**
 * Declares all commands with their options; `finish` receives the status of the command that was run. A test compares docs/cli.md
 * with it.
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
    .version(versionLines(), versionFlags, "show the versions of ptxkit, PTX ISA, object format and Node.js")
    .helpCommand("help [command]", "show the help of a command")
    .addHelpText("after", afterHelp)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out(text),
      writeErr: (text) => host.err(text),
      getOutHelpWidth: () => host.outColumns ?? widthElsewhere,
      getErrHelpWidth: () => host.errColumns ?? widthElsewhere,
      outputError: (text, write) =>
        write(
          `ptxkit: ${withHint(asSentence(onOneLine(text)), line.words, isOption).replace("\n", " [command-line]\n")}`,
        ),
    })
    .configureHelp({ optionDescription: describeOptionOf })
    .showHelpAfterError("(--help shows the options of the command)");
  program.helpOption("-h, --help", "show this help");

  const add = (command: Command, ...examples: readonly string[]): Command => {
    addCommonOptions(command).exitOverride().copyInheritedSettings(program).helpOption("-h, --help", "show this help");
    command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  ptxkit ${line}`).join("\n")}`);
    program.addCommand(command);
    return command;
  };

  const context: CommandContext = { add, host, finish, line };
  addCheck(context);
  addAs(context);
  addLink(context);
  addInspectCommands(add, host, finish);
  addRun(context);
  addTimingCommands(add, host, finish);
  addServerCommands(add, host, finish);
  addCompletion(add, host, program);
  addExplain(context);
  return program;
}

function addExplain({ add, host, finish }: CommandContext): void {
  add(
    new Command("explain")
      .argument("[code]", "the code in brackets at the end of a message (default: list all codes)")
      .summary("explain a diagnostic")
      .description("Explain a diagnostic, with an example and its correction.")
      .option("--json", "write one JSON document")
      .action(async (code: string | undefined, options) => {
        finish(await (await import("./commands/explain.js")).explain(code, options, host));
      }),
    "explain undefined-symbol",
    "explain",
  );
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
  const stack = error instanceof Error ? (await import("./base/stack.js")).originalStack(error.stack ?? "") : "";
  host.err(
    `ptxkit: defect: ${what}\nThis is a fault in ptxkit itself. Please report it with the command and its inputs.\n${stack}\n`,
  );
  return status.defect;
}
