// Applies the rows of link-options.table.ts: declares the command's options, checks the given ones, and makes the linker's
// options.

import { Option, type Command } from "commander";
import type { DiagnosticSink } from "../../lib/diag/sink.js";
import type { VisibilityRule } from "../../lib/link/resolve/visibility-rules.js";
import type { LinkOptions } from "../../lib/link/options.js";
import {
  GROUPS,
  LINK_OPTIONS,
  type LinkOptionName,
  type LinkOptionRow,
  type LinkOptionValues,
  type OutputKind,
} from "./link-options.table.js";
import { UsageError } from "../base/status.js";
import type { CommonOptions } from "./common.js";

/** The options of one command line. */
export interface GivenOptions extends LinkOptionValues {
  /** --export and --localize in command-line order. */
  readonly visibility?: readonly VisibilityRule[];
}

/** The options of ptxkit link, with defaults for those that every link needs. */
export type LinkCommandOptions = CommonOptions & GivenOptions & Required<Pick<GivenOptions, "emit" | "output">>;

const rows = Object.entries(LINK_OPTIONS) as unknown as readonly (readonly [LinkOptionName, LinkOptionRow])[];

/** The long flag of a row: "--map". */
const longFlag = ({ flags }: LinkOptionRow): string => /--[\w-]+/.exec(flags)![0];

export function addLinkOptions(command: Command, group: keyof typeof GROUPS): Command {
  const heading = GROUPS[group];
  if (heading !== undefined) command.optionsGroup(heading);
  for (const [, row] of rows) {
    if (row.group !== group) continue;
    const option = new Option(row.flags, row.help);
    if (row.parse !== undefined) option.argParser(row.parse as (text: string, before: unknown) => unknown);
    if (row.choices !== undefined) option.choices(row.choices);
    if (row.default !== undefined) option.default(row.default);
    if (row.conflicts !== undefined) option.conflicts([...row.conflicts]);
    command.addOption(option);
    if (row.negated !== undefined) command.addOption(new Option(row.negated.flags, row.negated.help));
  }
  if (group === "names") collectRules(command);
  return command;
}

/** Collects --export and --localize in one list, because the order among them counts. */
function collectRules(command: Command): void {
  for (const to of ["export", "localize"] as const)
    command.on(`option:${to}`, (pattern: string) => {
      const { visibility } = command.opts<{ visibility?: VisibilityRule[] }>();
      if (visibility === undefined) command.setOptionValue("visibility", [{ to, pattern }]);
      else visibility.push({ to, pattern });
    });
}

const isNegative = ({ flags }: LinkOptionRow): boolean => flags.startsWith("--no-");

/** Whether an option has a value other than its default. */
function isGiven(options: GivenOptions, name: string): boolean {
  const value: unknown = options[name as LinkOptionName];
  const row: LinkOptionRow = LINK_OPTIONS[name as LinkOptionName];
  return isNegative(row) ? value === false : value !== undefined && value !== false && value !== row.default;
}

const isOne = (options: GivenOptions, names: readonly string[] = []): boolean =>
  names.some((name) => isGiven(options, name));

/** Whether the option has an effect together with the other given options. */
const hasEffect = (options: GivenOptions, { noEffect }: LinkOptionRow): boolean =>
  noEffect === undefined ||
  ((noEffect.unless === undefined || isOne(options, noEffect.unless)) && !isOne(options, noEffect.with));

/** Whether the link only writes an image, and no option needs a warning. */
export const asksForImageOnly = (options: GivenOptions): boolean =>
  rows.every(([name, row]) => !isGiven(options, name) || (row.asks === undefined && hasEffect(options, row)));

export function outputKind({ emit, relocatable = false }: GivenOptions): OutputKind {
  if (emit === "ptx") return relocatable ? "open ptx" : "ptx";
  return relocatable ? "object" : "image";
}

/** Throws UsageError for options that the output does not support; warns about options without effect. */
export function checkLinkOptions(options: GivenOptions, sink: DiagnosticSink): void {
  const kind = outputKind(options);
  const given = rows.filter(([name]) => isGiven(options, name));
  for (const [, { outputs }] of given)
    if (outputs !== undefined && !outputs.kinds.includes(kind))
      throw new UsageError(outputs.else.replace("{output}", options.relocatable === true ? "-r" : "--emit ptx"));
  for (const [, row] of given) {
    if (hasEffect(options, row)) continue;
    const { why, remedy } = row.noEffect!;
    sink.report("no-effect", `${longFlag(row)} changes nothing ${why}`, undefined, { remedy });
  }
}

/** The linker's options that one command-line option each sets. */
export function linkerFields(options: GivenOptions): LinkOptions {
  const fields: Record<string, unknown> = {};
  for (const [name, { sets = [] }] of rows)
    if (isGiven(options, name)) for (const field of sets) fields[field] = options[name];
  return { ...fields, ...(options.visibility === undefined ? {} : { visibility: options.visibility }) };
}

/** The files and folders that a link writes, by option. */
export function writtenFiles(options: GivenOptions): readonly (readonly [flag: string, file: string])[] {
  return rows.flatMap(([name, row]) => {
    const file = options[name];
    const isFile = row.writes === "file" || (row.writes === "file or report" && file !== "-");
    return isFile && typeof file === "string" ? [[name === "output" ? "-o" : longFlag(row), file] as const] : [];
  });
}

/** Flags that --save-repro leaves out, each with a value. */
export const localFlags: ReadonlySet<string> = new Set(
  rows.flatMap(([name, row]) =>
    name !== "output" && (row.writes !== undefined || row.isLocal === true) ? [longFlag(row)] : [],
  ),
);
