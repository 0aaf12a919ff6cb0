// The options of ptxkit link that explain what it does, or help others to find out.

import { Option, type Command } from "commander";
import { collect, collectNames } from "./collecting.js";

export function addExplainOptions(command: Command): Command {
  command.optionsGroup("What the link tells of itself:");
  return command
    .option("--map <file>", "write what is where in the image, and what was discarded for what; - is standard output")
    .addOption(
      new Option("--map-format <format>", "of the map; json for FILE.json unless given").choices(["text", "json"]),
    )
    .option("-y, --trace-symbol <symbol>", "say where a symbol is defined, declared and referred to", collectNames)
    .option("--cref", "say that of every symbol, as a table")
    .option("-t, --trace", "say which files and members go in, in their order")
    .option("--why-extract <file>", "write which member was taken for which symbol; - is standard output")
    .option("--print-dependencies", "say which module uses which symbol of which other")
    .option("--print-call-graph", "say who calls whom, how deep the calls of each kernel go, and which go in circles")
    .option("--print-memory-usage", "say how much of each memory is used, and by what")
    .option("--print-symbol-counts <file>", "write for each module how many symbols it defines, and how many are used")
    .option("--stats", "say how much was read, linked and written, and how much memory that took")
    .option("--time-trace <file>", "write what the time went into, for Chrome or Perfetto")
    .option("--build-id", "put a hash of the contents into a note of the image")
    .option("--no-build-id", "take --build-id back")
    .option("--save-repro <folder>", "copy every input there, with a response file for the same link")
    .option("--remap-inputs <from=to>", "read the file TO where FROM is named", collect);
}
