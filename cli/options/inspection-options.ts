// Parses the options of run that show events of a run: --watch, --trace-thread, --break. inspection.ts implements them.

import { InvalidArgumentError, type Command } from "commander";
import { collecting } from "./collecting.js";

/** The argument of --watch: `VAR` or `VAR+OFFSET`. */
export interface WatchOption {
  readonly text: string;
  readonly name: string;
  readonly offset: number | undefined;
}

/** The argument of --trace-thread: numbers of block and thread, or their coordinates. */
export interface ThreadOption {
  readonly text: string;
  readonly numbers: readonly number[];
}

export interface BreakOption {
  readonly text: string;
  readonly file: string | undefined;
  readonly line: number;
}

export interface InspectionOptions {
  readonly watch?: readonly WatchOption[];
  readonly traceThread?: readonly ThreadOption[];
  readonly break?: readonly BreakOption[];
}

export function addInspectionOptions(command: Command): Command {
  return command
    .option("--watch <place>", "show each change of a variable or buffer, VAR or VAR+BYTES", collecting(watchOption))
    .option(
      "--trace-thread <block,thread>",
      "show each instruction of a thread with its values",
      collecting(threadOption),
    )
    .option(
      "--break <line>",
      "show the state of the block that first reaches a line: LINE of the PTX, or FILE:LINE",
      collecting(breakOption),
    );
}

function watchOption(text: string): WatchOption {
  const [, name, offset] = /^(.+?)(?:\+(0x[0-9a-f]+|\d+))?$/i.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("name a variable or buffer: VAR or VAR+BYTES");
  return { text, name, offset: offset === undefined ? undefined : Number(offset) };
}

function threadOption(text: string): ThreadOption {
  const numbers = text.replaceAll(/[()]/g, "").split(",");
  if ((numbers.length !== 2 && numbers.length !== 6) || !numbers.every((each) => /^\d{1,10}$/.test(each.trim())))
    throw new InvalidArgumentError(
      "specify block and thread by number, such as 1,33, or by coordinates, such as (1,0,0),(1,2,0)",
    );
  return { text, numbers: numbers.map(Number) };
}

function breakOption(text: string): BreakOption {
  const [, file, line] = /^(?:(.+):)?(\d{1,9})$/.exec(text) ?? [];
  if (line === undefined || Number(line) === 0) throw new InvalidArgumentError("name a line: 12, or k.cu:12");
  return { text, file, line: Number(line) };
}
