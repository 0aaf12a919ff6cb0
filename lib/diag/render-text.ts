// Renders diagnostics as text: one line in the format that editors and CI parsers know (`FILE:LINE:COL: error: MESSAGE [code]`),
// the source line with the place marked, the notes in the same form, and the remedy. References to a missing name have the format
// of other linkers (`>>> referenced by FILE:LINE`), which people and tools expect.

import { noteText, objectOf, type Definition, type Diagnostic, type Place, type Reference } from "./diagnostic.js";
import { escapeControls } from "./escape.js";
import { excerptOf, lineStartsOf, placeOfLine, type ShownText } from "./excerpt.js";

/** Options of the text format. */
export interface TextOptions {
  /** Whether to colour with ANSI escape sequences. */
  readonly color?: boolean;
  /**
   * Number of errors after which further ones are only counted. Unreadable files have the same limit of their own, and warnings
   * of one code five times the limit. 0 shows all.
   */
  readonly errorLimit?: number;
  /** Returns the text of a file, if available, to show the line. */
  readonly readText?: (file: string) => ShownText | undefined;
}

/** Limit of shown `references` of a diagnostic; the others are counted. */
const REFERENCES_SHOWN = 3;
/** Limits of shown `definitions` and notes: thousands of modules may have the same definition. */
const DEFINITIONS_SHOWN = 8;
const NOTES_SHOWN = 8;
/** Warnings of one code for each error that may be shown: a thousand modules of one compiler may have the same warning. */
const WARNINGS_FOR_AN_ERROR = 5;

type Word = "error" | "warning" | "note" | "help";

const colors: Readonly<Record<Word, string>> = {
  error: "\u001b[1;31m",
  warning: "\u001b[1;35m",
  note: "\u001b[1;36m",
  help: "\u001b[1;32m",
};
const BOLD = "\u001b[1m";
const RESET = "\u001b[0m";

/** The options, with a cache of each file's line starts. */
interface Context extends TextOptions {
  readonly lineStarts: Map<string, Int32Array>;
}

/** All diagnostics as text, each line ended; the empty string if there is none. */
export function renderText(diagnostics: readonly Diagnostic[], given: TextOptions = {}): string {
  const options: Context = { ...given, lineStarts: new Map() };
  const limit = options.errorLimit ?? 0;
  const lines: string[] = [];
  let errors = 0;
  let unread = 0;
  const warnings = new Map<string, number>();
  const beyond: Diagnostic[] = [];
  for (const diagnostic of diagnostics) {
    // An unreadable file causes exit status 2, whatever other errors there are, so that it is shown beyond the limit.
    const isUnread = diagnostic.code === "file-access";
    if (limit > 0 && (isUnread ? unread : errors) >= limit) {
      beyond.push(diagnostic);
      continue;
    }
    if (isUnread) unread++;
    if (diagnostic.severity === "error") errors++;
    else {
      const alike = (warnings.get(diagnostic.code) ?? 0) + 1;
      warnings.set(diagnostic.code, alike);
      if (limit > 0 && alike > WARNINGS_FOR_AN_ERROR * limit) {
        beyond.push(diagnostic);
        continue;
      }
    }
    renderOne(diagnostic, options, lines);
  }
  const hidden = describeHidden(beyond);
  if (hidden !== "") lines.push(`${heading(undefined, "note", options)}${hidden} not shown (--error-limit ${limit})`);
  return lines.map((line) => `${line}\n`).join("");
}

function describeHidden(rest: readonly Diagnostic[]): string {
  const errors = rest.filter(({ severity }) => severity === "error").length;
  const warnings = rest.length - errors;
  const count = (n: number, word: string): string => `${n} more ${word}${n === 1 ? "" : "s"}`;
  if (errors === 0) return warnings === 0 ? "" : count(warnings, "warning");
  return warnings === 0 ? count(errors, "error") : `${count(errors, "error")} and ${count(warnings, "warning")}`;
}

function renderOne(diagnostic: Diagnostic, options: Context, lines: string[]): void {
  const { severity, message, code, notes, remedy, raised, meant, references = [], definitions = [] } = diagnostic;
  const place = shown(diagnostic.place, options);
  lines.push(
    `${heading(place, severity, options)}${escapeControls(message)}${raised === true ? " [-Werror]" : ""} [${code}]`,
  );
  renderExcerpt(place, severity, options, lines);
  renderReferences(references, options, lines);
  renderDefinitions(definitions, lines);
  if (meant !== undefined) lines.push(`>>> did you mean: ${escapeControls(meant.name)}`);
  if (meant?.place !== undefined) lines.push(...subjectLines("defined in: ", [lineText(meant.place)], meant));
  for (const note of notes.slice(0, NOTES_SHOWN)) {
    const notePlace = shown(note.place, options);
    const begins = notePlace === undefined && place !== undefined ? paint("note:", "note", options) + " " : undefined;
    lines.push(`${begins ?? heading(notePlace, "note", options)}${escapeControls(noteText(note))}`);
    renderExcerpt(notePlace, "note", options, lines);
  }
  const further = notes.length - NOTES_SHOWN;
  if (further > 0)
    lines.push(`${paint("note:", "note", options)} ${further} more like these (--diagnostics json has all)`);
  if (remedy !== undefined) lines.push(`${paint("help:", "help", options)} ${escapeControls(remedy)}`);
}

function renderReferences(references: readonly Reference[], options: Context, lines: string[]): void {
  for (const { place, by } of references.slice(0, REFERENCES_SHOWN)) {
    const where = place === undefined ? [] : [lineText(shown(place, options)!)];
    const who = by === undefined ? [] : [escapeControls(by)];
    lines.push(...subjectLines("referenced by ", [...where, ...who], { place }));
  }
  const further = references.length - REFERENCES_SHOWN;
  if (further > 0) lines.push(`>>> referenced ${timesMore(further)}`);
}

function renderDefinitions(definitions: readonly Definition[], lines: string[]): void {
  for (const definition of definitions.slice(0, DEFINITIONS_SHOWN))
    lines.push(...subjectLines("defined at ", [lineText(definition.place)], definition));
  const further = definitions.length - DEFINITIONS_SHOWN;
  if (further > 0) lines.push(`>>> defined ${timesMore(further)}`);
}

const timesMore = (count: number): string => `${count} more ${count === 1 ? "time" : "times"}`;

/** `>>> WORDS FILE:LINE`, and below it the object or archive member that contained the module, in lld's format. */
function subjectLines(
  words: string,
  what: readonly string[],
  { place }: { readonly place?: Place | undefined },
): readonly string[] {
  const line = `>>> ${words}${what.join(" in ")}`;
  const object = objectOf(place);
  return object === undefined ? [line] : [line, `>>> ${" ".repeat(words.length)}${escapeControls(object)}`];
}

/** `FILE:LINE` without a column: the format that editors and parsers of linker output know. */
function lineText(place: Place): string {
  return place.kind === "text" || place.kind === "line"
    ? `${escapeControls(place.file)}:${place.line}`
    : describePlace(place);
}

/** Resolves a place with only a line to the line's contents, if the text is available. */
function shown(place: Place | undefined, options: Context): Place | undefined {
  if (place?.kind !== "line") return place;
  const bytes = options.readText?.(place.file);
  if (bytes === undefined) return place;
  const starts = options.lineStarts.get(place.file) ?? lineStartsOf(bytes);
  options.lineStarts.set(place.file, starts);
  return placeOfLine(bytes, starts, place) ?? place;
}

function heading(place: Place | undefined, word: Word, options: Context): string {
  const where = `${place === undefined ? "ptxkit" : describePlace(place)}:`;
  return `${options.color === true ? BOLD + where + RESET : where} ${paint(`${word}:`, word, options)} `;
}

/** `FILE:LINE:COL` or `FILE:OFFSET`; an unknown line or column is 1, so that every place in text has the same form. */
function describePlace(place: Place): string {
  const file = escapeControls(place.file);
  switch (place.kind) {
    case "text":
      return `${file}:${place.line}:${place.column}`;
    case "line":
      return `${file}:${place.line}:${place.column ?? 1}`;
    case "bytes":
      return `${file}:${place.offset}`;
    case "file":
      return `${file}:1:1`;
  }
}

function paint(text: string, word: Word, options: TextOptions): string {
  return options.color === true ? colors[word] + text + RESET : text;
}

function renderExcerpt(place: Place | undefined, word: Word, options: Context, lines: string[]): void {
  if (place?.kind !== "text") return;
  const bytes = options.readText?.(place.file);
  const excerpt = bytes === undefined ? undefined : excerptOf(bytes, place);
  if (excerpt === undefined) return;
  const margin = String(place.line);
  lines.push(` ${margin} | ${excerpt.text}`);
  const indent = excerpt.mark.length - excerpt.mark.trimStart().length;
  const mark = excerpt.mark.slice(0, indent) + paint(excerpt.mark.slice(indent), word, options);
  lines.push(` ${" ".repeat(margin.length)} | ${mark}`);
}
