// The options that every command has, and their effects: the format of diagnostics and their destination.

import { Option, InvalidArgumentError, type Command } from "commander";
import { NotYet } from "../../lib/base/not-yet.js";
import type { CodeName } from "../../lib/diag/codes.table.js";
import type { ShownText } from "../../lib/diag/excerpt.js";
import type { InnerTexts } from "../../lib/diag/inner-text.js";
import { renderJson } from "../../lib/diag/render-json.js";
import { renderSarif } from "../../lib/diag/render-sarif.js";
import { renderText } from "../../lib/diag/render-text.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { parseVersion } from "../../lib/isa/requirement.js";
import type { NvvmOptions } from "../../lib/nvvm/options.js";
import { isBitcode } from "../../formats/bitstream/magic.js";
import { knownTarget, type PtxVersion } from "../../lib/isa/targets.table.js";
import { HostError, type Host } from "../files/host.js";
import type { ReleasedSource } from "../files/released-source.js";
import { status, UsageError, type Status } from "../base/status.js";
import { isColored } from "../base/color.js";
import { version } from "../version.js";
import { collectWarningWord, warningOptions } from "./warnings.js";

export interface CommonOptions {
  /** The command's name, for remedies; undefined if there is no command line. */
  readonly command?: string;
  readonly diagnostics: "text" | "json" | "sarif";
  readonly color: "auto" | "always" | "never";
  readonly errorLimit: number;
  /** The values of -W, and "error" for each --werror, in command-line order. */
  readonly W?: readonly string[];
  readonly maxImageSize?: number;
  readonly assumeVersion?: boolean;
  /** Target of an image, and of NVVM IR: "sm_90". */
  readonly arch?: string;
  /** Floating-point options for NVVM IR. */
  readonly nvvm?: Pick<NvvmOptions, "ftz" | "precDiv" | "precSqrt" | "fma">;
  /** The options for NVVM IR, completed by what the other inputs require. */
  readonly nvvmPlan?: () => NvvmOptions;
}

/** Parses a non-negative integer of the command line. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError("a whole number is expected");
  return value;
}

/** Parses an integer that is at least 1. */
export function positiveNumber(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("a number from 1 on is expected");
  return value;
}

/** Parses the compute capability of a device: 90 for "sm_90", "compute_90" or "90". */
export function smVersion(text: string): number {
  const match = /^(?:sm_|compute_)?(\d{2,3})[af]?$/.exec(text);
  if (match === null || knownTarget(`sm_${match[1]}`) === undefined)
    throw new InvalidArgumentError("a device's version is expected, such as sm_90");
  return Number(match[1]);
}

/** Parses a number of bytes: "4096", "512K", "1G". */
export function byteCount(text: string): number {
  const match = /^(\d+)([KMG]?)$/i.exec(text);
  if (match === null) throw new InvalidArgumentError("a number of bytes is expected, such as 4096, 512K or 1G");
  return Number(match[1]) * 1024 ** " KMG".indexOf((match[2] ?? "").toUpperCase() || " ");
}

/** Limit of the initialised data in bytes: a larger image could not be read again. */
const MAX_IMAGE_BYTES = 2 ** 31;

/** Parses --max-image-size: bytes of initialised data. */
function imageSize(text: string): number {
  const bytes = byteCount(text);
  if (bytes > MAX_IMAGE_BYTES) throw new InvalidArgumentError("at most 2G: files that are larger are not read");
  return bytes;
}

/** Parses the name of an architecture: "sm_90". */
export function targetName(text: string): string {
  if (knownTarget(text) === undefined) throw new InvalidArgumentError("name a target like sm_90, sm_90a or sm_100f");
  return text;
}

/** Parses a version of the PTX ISA: "8.4". */
export function ptxVersion(text: string): PtxVersion {
  if (!/^\d\.\d$/.test(text)) throw new InvalidArgumentError("name a version of the PTX ISA like 8.4");
  return parseVersion(text);
}

export function addCommonOptions(command: Command): Command {
  // --werror joins the values of -W, so that the order among them counts.
  command.on("option:werror", () => {
    const { W } = command.opts<{ W?: string[] }>();
    command.setOptionValue("W", collectWarningWord("error", W));
  });
  command.setOptionValue("command", command.name());
  command.optionsGroup("Options of every command:");
  return command
    .addOption(
      new Option("--diagnostics <format>", "format of the diagnostics on standard error")
        .choices(["text", "json", "sarif"])
        .default("text"),
    )
    .addOption(new Option("--color <when>", "use colours").choices(["auto", "always", "never"]).default("auto"))
    .addOption(
      new Option("--error-limit <n>", "show at most this many errors; 0 shows all").argParser(wholeNumber).default(20),
    )
    .addOption(
      new Option(
        "-W <what>",
        "control warnings by code: -Wno-CODE, -WCODE, -Werror=CODE, -Wno-error=CODE; the last one applies",
      ).argParser(collectWarningWord),
    )
    .addOption(new Option("--werror", "treat warnings as errors, like -Werror"))
    .addOption(
      new Option("--max-image-size <bytes>", "maximum initialised data of a module or image (default: 256M)").argParser(
        imageSize,
      ),
    )
    .addOption(
      new Option(
        "--assume-version",
        "read PTX of a version newer than the newest supported one as that, with a warning",
      ),
    );
}

/** The context of a command. */
export interface Session {
  readonly host: Host;
  readonly sink: DiagnosticSink;
  /** Texts by file name, to show the source line of a diagnostic; undefined for a name that several texts have. */
  readonly sources: InnerTexts;
  /** Sources that were freed; a diagnostic that shows a line reads them again. */
  readonly released: Map<string, ReleasedSource>;
  /** Files that could not be read; the command continues without them, and its exit status is 2. */
  readonly unread: string[];
  /** Whether standard output is coloured. */
  readonly outColor: boolean;
}

function openSession(host: Host, options: CommonOptions): Session {
  return {
    host,
    sink: createSink(warningOptions(options.W ?? [])),
    sources: new Map(),
    released: new Map(),
    unread: [],
    outColor: isColored(options.color, host.outColumns, host.environment),
  };
}

/**
 * Runs a command's work, then writes all diagnostics to standard error as one document. With `json` and `sarif` the document is
 * written even if it is empty, or if a file could not be read or written completely.
 */
export async function inSession(
  host: Host,
  options: CommonOptions,
  work: (session: Session) => Status | Promise<Status>,
): Promise<Status> {
  const session = openSession(host, options);
  const result = await attempt(session, work, options.command);
  writeDiagnostics(session, options);
  return result;
}

async function attempt(
  session: Session,
  work: (session: Session) => Status | Promise<Status>,
  command: string | undefined,
): Promise<Status> {
  try {
    const result = await work(session);
    if (session.unread.length > 0) return status.usage;
    return result === status.done && session.sink.errorCount > 0 ? status.wrongInput : result;
  } catch (error) {
    const code = usageCode(error);
    if (code === undefined) throw error;
    session.sink.report(code, (error as Error).message, undefined, { ...helpWith(code, command), ...detailsOf(error) });
    return status.usage;
  }
}

/** The default remedy of an error of the command line. */
const helpWith = (code: CodeName, command: string | undefined): { readonly remedy?: string } =>
  code === "command-line" && command !== undefined
    ? { remedy: `ptxkit help ${command} shows the options of the command` }
    : {};

/** Details of a command-line error besides its message. */
export const detailsOf = (error: unknown): { readonly remedy?: string } =>
  (error instanceof HostError || error instanceof UsageError || error instanceof NotYet) && error.remedy !== undefined
    ? { remedy: error.remedy }
    : {};

/** The code of an error that ends a command with status 2; undefined for other errors, which are defects. */
export function usageCode(error: unknown): CodeName | undefined {
  if (error instanceof HostError) return "file-access";
  if (error instanceof NotYet) return "not-supported";
  return error instanceof UsageError ? "command-line" : undefined;
}

/** Writes what the sink has collected to standard error. */
function writeDiagnostics(session: Session, options: CommonOptions): void {
  const { sink, host } = session;
  const readText = (file: string): ShownText | undefined => textOf(file, session);
  switch (options.diagnostics) {
    case "json":
      host.err(renderJson(sink.all, { readText }));
      return;
    case "sarif":
      host.err(renderSarif(sink.all, { version: version(), readText }));
      return;
    case "text":
      host.err(
        renderText(sink.all, {
          color: isColored(options.color, host.errColumns, host.environment),
          errorLimit: options.errorLimit,
          readText,
        }),
      );
  }
}

/** The text of a file, for its lines; undefined if it is no longer available, and of bitcode, which has no lines. */
function textOf(file: string, { sources, released }: Session): ShownText | undefined {
  const text = sources.has(file) ? sources.get(file) : released.get(file)?.();
  return text === undefined || isBitcode(text.subarray(0, 4)) ? undefined : text;
}
