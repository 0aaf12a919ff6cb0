// The options of `run` for GPU models, and the commands that use models.

import { Command, InvalidArgumentError, Option } from "commander";
import { collect } from "./options/collecting.js";
import { positiveNumber } from "./options/common.js";
import type { Host } from "./files/host.js";
import type { Status } from "./base/status.js";

export function addTimingOptions(run: Command): void {
  run
    .option(
      "--gpu <name>",
      "time the run on a model of that GPU, of the library's or of a JSON file; `help` lists them",
    )
    .option(
      "--cubin <file>",
      "with --gpu: NVIDIA's cubin of the same kernels, for their true registers; once for each file",
      collect,
    )
    .option("--hot", "with --gpu: list the lines of the source and of the PTX at which warps wait longest")
    .option("--warm", "with --gpu: the L2 keeps from one launch to the next what it holds, as it does in any case")
    .option("--no-warm", "with --gpu: every launch begins with a cold L2")
    .option("--trace <file>", "with --gpu: write what warps did as a trace for Perfetto, or as a log for Konata")
    .addOption(
      new Option(
        "--trace-format <format>",
        "of the trace; konata for files named .kanata or .log, else perfetto, unless given",
      ).choices(["perfetto", "konata"]),
    )
    .option("--trace-sms <list>", "SMs whose warps the trace shows: 0,2-5; 0 unless given", smList)
    .option(
      "--trace-limit <n>",
      "waits and issues of warps in the trace, at most; 200000 unless given",
      positiveNumber,
    );
}

/** Limit of SM numbers: no GPU has as many. */
const MOST_SMS = 1024;

/** Parses a list of SMs: "0,2-5". */
function smList(text: string): readonly number[] {
  const sms = text.split(",").flatMap((part) => {
    const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part);
    const [from, to] = match === null ? [1, 0] : [Number(match[1]), Number(match[2] ?? match[1])];
    if (from > to || to >= MOST_SMS) throw new InvalidArgumentError("name SMs by their numbers, such as 0,2-5");
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  return [...new Set(sms)];
}

/** Adds a command with the options of every command, and examples for its help. */
type Add = (command: Command, ...examples: readonly string[]) => Command;

export function addTimingCommands(add: Add, host: Host, finish: (result: Status) => void): void {
  addGpus(add, host, finish);
  addReport(add, host, finish);
  addSweep(add, host, finish);
}

function addGpus(add: Add, host: Host, finish: (result: Status) => void): void {
  add(
    new Command("gpus")
      .argument("[name]", "a model, of which every number is shown with its source; all models unless given")
      .summary("list the GPU models that run --gpu knows")
      .description("List the GPU models that run --gpu knows, or every number of one with its source.")
      .option("--json", "one JSON document, with every number and its source")
      .action(async (name: string | undefined, options) => {
        finish(await (await import("./commands/gpus.js")).gpus(name, options, host));
      }),
    "gpus",
    "gpus h200",
    "gpus --json",
  );
}

function addReport(add: Add, host: Host, finish: (result: Status) => void): void {
  add(
    new Command("report")
      .argument("<run.json...>", "documents that run --gpu --json wrote")
      .summary("show timed runs as one HTML page")
      .description(
        "Show timed runs as one HTML page that needs no network: what bounds each launch, rooflines, stalls, occupancy, memory, source beside PTX, and runs or GPUs compared.",
      )
      .option("-o, --output <file>", "the page; report.html unless given")
      .action(async (files: string[], options) => {
        finish(await (await import("./commands/report.js")).report(files, options, host));
      }),
    "report run.json",
    "report a100.json h100.json -o compared.html",
  );
}

function addSweep(add: Add, host: Host, finish: (result: Status) => void): void {
  add(
    new Command("sweep")
      .argument("[spec.json]", "the program, GPU models, parameters and the launch")
      .summary("time one program over GPU models and parameters")
      .description(
        "Time one program over GPU models, block sizes and other parameters: a row for each launch, or a page of plots. What was interrupted goes on where it was.",
      )
      .option("-o, --output <file>", "the results; standard output unless given")
      .addOption(
        new Option("--format <format>", "of the results; by the file's name, else csv, unless given").choices([
          "csv",
          "json",
          "ndjson",
          "html",
        ]),
      )
      .option(
        "-j, --jobs <n>",
        "threads; all that can run at a time unless given, none with --queue and a specification",
        positiveNumber,
      )
      .option("--restart", "begin anew although OUTPUT.journal or the queue holds results")
      .option("--queue <url>", "a PostgreSQL database, through which workers on other machines get the runs")
      .option("--worker", "with --queue: do the runs of all sweeps there, until Ctrl-C")
      .option("--drain", "with --worker: end when the queue holds no run")
      .action(async (file: string | undefined, options) => {
        finish(await (await import("./commands/sweep.js")).sweep(file, options, host));
      }),
    "sweep sweep.json -o results.csv",
    "sweep sweep.json -o results.html",
    "sweep sweep.json --queue postgres://db.example/sweeps -o results.csv",
    "sweep --worker --queue postgres://db.example/sweeps",
  );
}
