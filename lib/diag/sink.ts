// Collects diagnostics. One sink serves one command. It drops repeats (the same code at the same place; if the place is only a
// line or a file, or missing, also the same message), counts errors, and keeps the order in which diagnostics were found.

import type { Definition, Diagnostic, Meant, Note, Place, Reference, Severity } from "./diagnostic.js";
import { checkOptions, type OptionKinds } from "../base/known-options.js";
import { codes, type CodeName } from "./codes.table.js";

/** Optional parts of a message. */
export interface Details {
  readonly notes?: readonly Note[];
  readonly references?: readonly Reference[];
  readonly definitions?: readonly Definition[];
  readonly meant?: Meant;
  readonly remedy?: string;
  readonly replacements?: readonly string[];
  /** Makes the diagnostic an error, whatever the severity of its code. */
  readonly isError?: boolean;
}

/** Collects diagnostics without repeats. */
export interface DiagnosticSink {
  /** Adds a diagnostic. Its severity comes from the codes table, unless the details override it. */
  report(code: CodeName, message: string, place?: Place, details?: Details): void;
  readonly all: readonly Diagnostic[];
  readonly errorCount: number;
}

/** Options for warnings. */
export interface SinkOptions {
  /** Warnings count as errors (`--werror`). */
  readonly warningsAreErrors?: boolean;
  /** Levels for warnings of single codes, which override the general one. A code that is an error remains one. */
  readonly warnings?: { readonly [Name in CodeName]?: WarningLevel };
}

/** `off` drops a warning. */
export type WarningLevel = "off" | "warning" | "error";

const sinkOptions: OptionKinds<SinkOptions> = { warningsAreErrors: "flag", warnings: "object" };

const levels: readonly WarningLevel[] = ["off", "warning", "error"];
const warningLevels = (): Record<string, readonly WarningLevel[]> =>
  Object.fromEntries(Object.keys(codes).map((name) => [name, levels]));

/** Creates an empty sink. `errorCount` is a field, not a getter: V8 would create a hidden class for each sink with a getter. */
export function createSink(options: SinkOptions = {}): DiagnosticSink {
  checkOptions(options, sinkOptions, "createSink");
  if (options.warnings !== undefined) checkOptions(options.warnings, warningLevels(), "createSink, option 'warnings'");
  const seen = new Set<string>();
  const sink = {
    all: [] as Diagnostic[],
    errorCount: 0,
    report(code: CodeName, message: string, place?: Place, details: Details = {}): void {
      const key = `${code}\0${place === undefined ? message : placeKey(place, message)}`;
      if (seen.has(key)) return;
      seen.add(key);
      const severity = details.isError === true ? "error" : severityOf(code, options);
      if (severity === undefined) return;
      if (severity === "error") sink.errorCount++;
      const remedy = details.remedy ?? codes[code].remedy;
      sink.all.push({
        code,
        severity,
        ...(severity === codes[code].severity || details.isError === true ? {} : { raised: true }),
        message,
        ...(place === undefined ? {} : { place }),
        notes: details.notes ?? [],
        ...(details.references === undefined || details.references.length === 0
          ? {}
          : { references: details.references }),
        ...(details.definitions === undefined ? {} : { definitions: details.definitions }),
        ...(details.meant === undefined ? {} : { meant: details.meant }),
        ...(remedy === undefined ? {} : { remedy }),
        ...(details.replacements === undefined ? {} : { replacements: details.replacements }),
      });
    },
  };
  return sink;
}

/** Reports diagnostics of another sink, counted by this sink's rules. */
export function reportAgain(diagnostics: readonly Diagnostic[], sink: DiagnosticSink): void {
  for (const { code, message, place, ...details } of diagnostics) sink.report(code, message, place, details);
}

/** Severity of a diagnostic; undefined if it is dropped. */
function severityOf(code: CodeName, { warningsAreErrors = false, warnings = {} }: SinkOptions): Severity | undefined {
  if (codes[code].severity === "error") return "error";
  const level = warnings[code] ?? (warningsAreErrors ? "error" : "warning");
  return level === "off" ? undefined : level;
}

function placeKey(place: Place, message: string): string {
  switch (place.kind) {
    case "text":
      return `${place.file}:${place.start}:${place.end}`;
    case "bytes":
      return `${place.file}@${place.offset}`;
    // A line or file contains many symbols, so that a repeat must also have the same message.
    case "line":
      return `${place.file}#${place.line}\0${message}`;
    case "file":
      return `${place.file}\0${message}`;
  }
}
