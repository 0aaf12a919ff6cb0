// The options of `run` for GPU models, and the commands that use models.

import { Command, InvalidArgumentError, Option } from "commander";
import { collect } from "./options/collecting.js";
import { positiveNumber } from "./options/common.js";
import type { Host } from "./files/host.js";
import type { Status } from "./base/status.js";

export function addTimingOptions(run: Command): void {
  run
    .option("--gpu <name>", "time the run on a GPU model: a built-in one, which `help` lists, or a JSON file")
    .option(
      "--cubin <file>",
      "with --gpu: a cubin of the same kernels, for their actual register counts; may be repeated",
      collect,
    )
    .option("--hot", "with --gpu: list the lines of the source and of the PTX with the longest stalls")
    .option("--warm", "with --gpu: keep the contents of the L2 cache between launches, which is the default")
    .option("--no-warm", "with --gpu: begin every launch with an empty L2 cache")
    .option("--trace <file>", "with --gpu: write a trace of the warps for Perfetto, or a log for Konata")
    .addOption(
      new Option(
        "--trace-format <format>",
        "format of the trace (default: konata for files named .kanata or .log, else perfetto)",
      ).choices(["perfetto", "konata"]),
    )
    .option("--trace-sms <list>", "SMs whose warps the trace shows, such as 0,2-5 (default: 0)", smList)
    .option("--trace-limit <n>", "maximum number of stalls and issues in the trace (default: 200000)", positiveNumber);
}

/** Limit of SM numbers: no GPU has as many. */
const MAX_SMS = 1024;

/** Parses a list of SMs: "0,2-5". */
function smList(text: string): readonly number[] {
  const sms = text.split(",").flatMap((part) => {
    const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part);
    const [from, to] = match === null ? [1, 0] : [Number(match[1]), Number(match[2] ?? match[1])];
    if (from > to || to >= MAX_SMS) throw new InvalidArgumentError("specify SMs by number, such as 0,2-5");
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
      .argument("[name]", "a model, to show every number with its source (default: list all models)")
      .summary("list the GPU models that run --gpu knows")
      .description("List the GPU models that run --gpu knows, or every number of one with its source.")
      .option("--json", "write one JSON document, with every number and its source")
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
      .option("-o, --output <file>", "the page (default: report.html)")
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
        "Time one program over GPU models, block sizes and other parameters: a row for each launch, or a page of plots. An interrupted sweep continues where it stopped.",
      )
      .option("-o, --output <file>", "the results (default: standard output)")
      .addOption(
        new Option("--format <format>", "format of the results (default: by the file's extension, else csv)").choices([
          "csv",
          "json",
          "ndjson",
          "html",
        ]),
      )
      .option(
        "-j, --jobs <n>",
        "number of threads (default: all hardware threads; with --queue and a specification, none)",
        positiveNumber,
      )
      .option("--restart", "start again even if OUTPUT.journal or the queue has results")
      .option("--queue <url>", "a PostgreSQL database that distributes the runs to workers on other machines")
      .option("--worker", "with --queue: execute the runs of all sweeps in the queue, until Ctrl-C")
      .option("--drain", "with --worker: exit when the queue is empty")
      .action(async (file: string | undefined, options) => {
        finish(await (await import("./commands/sweep.js")).sweep(file, options, host));
      }),
    "sweep sweep.json -o results.csv",
    "sweep sweep.json -o results.html",
    "sweep sweep.json --queue postgres://db.example/sweeps -o results.csv",
    "sweep --worker --queue postgres://db.example/sweeps",
  );
}
