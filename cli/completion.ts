// `ptxkit completion SHELL`: completion of commands, options and their choices, generated from the program's table of options.
// The man page (docs/ptxkit.1) is generated from the same table.

import { Argument, Command, type Option } from "commander";
import type { Host } from "./files/host.js";
import { version } from "./version.js";

export function addCompletion(
  add: (command: Command, ...examples: readonly string[]) => Command,
  host: Host,
  program: Command,
): void {
  add(
    new Command("completion")
      .addArgument(new Argument("<shell>", "the shell for which to print the script").choices(Object.keys(shells)))
      .summary("print completion for a shell")
      .description("Print a script that completes commands, options and their values in a shell.")
      .action((shell: keyof typeof shells) => host.out(shells[shell](commandsOf(program)))),
    "completion bash > ~/.local/share/bash-completion/completions/ptxkit",
    "completion zsh > ~/.zfunc/_ptxkit",
    "completion fish > ~/.config/fish/completions/ptxkit.fish",
  );
}

interface CompletedOption {
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Allowed values of its first argument; if empty, files are completed. */
  readonly choices: readonly string[];
}

function commandsOf(program: Command): readonly CompletedCommand[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    options: [
      ...command.options.map(completed),
      { flags: ["-h", "--help"], description: "show this help", takesValue: false, choices: [] },
    ],
  }));
}

const completed = (option: Option): CompletedOption => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
  description: option.description,
  takesValue: option.required,
  choices: option.argChoices ?? [],
});

const shells = { bash, zsh, fish };

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options, choices }) => {
    const values = options
      .filter((option) => option.choices.length > 0)
      .map(
        ({ flags, choices }) =>
          `        ${flags.join("|")}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$word")); return ;;\n`,
      );
    const words = options.flatMap(({ flags }) => flags).join(" ");
    const inner = values.length === 0 ? "" : `      case "$before" in\n${values.join("")}      esac\n`;
    return `    ${name})\n${inner}      options="${words}"; values="${choices.join(" ")}" ;;\n`;
  });
  return `# bash completion for ptxkit, made by: ptxkit completion bash
_ptxkit() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options="" values=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} help --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("")}    help) values="${commands.map(({ name }) => name).join(" ")}" ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi ;;
  esac
}
complete -o filenames -F _ptxkit ptxkit
`;
}

/** Escapes text between single quotes for zsh's _arguments, and for fish. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''");

function zsh(commands: readonly CompletedCommand[]): string {
  const spec = ({ flags, description, takesValue, choices }: CompletedOption): string => {
    const about = quoted(description.replaceAll("[", "\\[").replaceAll("]", "\\]").replaceAll(":", "\\:"));
    const value = !takesValue ? "" : choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
    return flags.map((flag) => `'*${flag}[${about}]${value}'`).join(" ");
  };
  const cases = commands.map(
    ({ name, options, choices }) =>
      `    ${name}) _arguments -s ${options.map(spec).join(" \\\n      ")} \\\n      '*:file:${choices.length > 0 ? `(${choices.join(" ")})` : "_files"}' ;;\n`,
  );
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary.replaceAll(":", "\\:"))}'\n`);
  return `#compdef ptxkit
# zsh completion for ptxkit, made by: ptxkit completion zsh
_ptxkit() {
  local -a commands=(
${names.join("")}    'help:show the help of a command'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("")}    help) _describe command commands ;;
  esac
}
compdef _ptxkit ptxkit
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const none = "not __fish_seen_subcommand_from " + commands.map(({ name }) => name).join(" ");
  const lines = commands.flatMap(({ name, summary, options, choices }) => [
    `complete -c ptxkit -n '${none}' -f -a ${name} -d '${quoted(summary)}'`,
    ...(choices.length === 0
      ? []
      : [`complete -c ptxkit -n '__fish_seen_subcommand_from ${name}' -f -a '${choices.join(" ")}'`]),
    ...options.map(({ flags, description, takesValue, choices }) => {
      const named = flags
        .map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
        .join(" ");
      const value = !takesValue ? "" : choices.length > 0 ? ` -x -a '${choices.join(" ")}'` : " -r";
      return `complete -c ptxkit -n '__fish_seen_subcommand_from ${name}' ${named}${value} -d '${quoted(description)}'`;
    }),
  ]);
  return `# fish completion for ptxkit, made by: ptxkit completion fish\n${lines.join("\n")}\n`;
}

/** The manual page ptxkit(1), in man macros. */
export function manualPage(program: Command): string {
  const text = (words: string): string =>
    words
      .replaceAll("\\", "\\e")
      .replaceAll("-", "\\-")
      .replace(/^([.'])/gm, "\\&$1");
  const option = ({ flags, description }: Option): string => `.TP\n.B ${text(flags)}\n${text(description)}\n`;
  const section = (command: Command): string =>
    `.SS ptxkit ${command.name()} ${text(command.usage())}\n${text(command.description())}\n${command.options.map(option).join("")}`;
  return `.TH PTXKIT 1 "" "ptxkit ${version()}" "User Commands"
.SH NAME
ptxkit \\- link, inspect and run NVIDIA PTX without a GPU
.SH SYNOPSIS
.B ptxkit
.I COMMAND
[\\fIoptions\\fR] [\\fIfiles\\fR]
.SH DESCRIPTION
${text(program.description())}
.SH COMMANDS
${program.commands.map(section).join("")}.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
an input is wrong, or two builds differ
.TP
.B 2
the command line is wrong, or a file cannot be read or written
.TP
.B 3
the kernel faulted, or the sanitizer found something
.TP
.B 70
a defect in ptxkit itself
`;
}
