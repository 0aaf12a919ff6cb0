// Tables of text: columns as wide as their contents, numbers to the right, names to the left. Where the terminal is too
// narrow, the columns that may shrink wrap inside themselves, so that nothing is cut off; without a width (a pipe) every
// row is one line. Rejected: shortening with "…", because what is cut is mostly the part of a mangled name that differs.

import { escapeControls } from "../diag/escape.js";
import { plainStyler, type Styler, type TextRole } from "./style.js";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** May be narrower than its contents, which then wrap. */
  readonly shrinks?: boolean;
  /** Is left out where the table would not fit otherwise: an explanation, never a fact. */
  readonly optional?: boolean;
  readonly role?: TextRole;
}

/** Cells in the order of the columns, or a heading between rows. */
export type Row = readonly string[] | { readonly heading: string };

export interface TableOptions {
  /** Columns of the terminal; undefined where there is none. */
  readonly width?: number | undefined;
  /** Blanks in front of every line. */
  readonly indent?: number;
  readonly style?: Styler;
  /** Columns whose cells are all empty are left out; true unless said. */
  readonly dropEmpty?: boolean;
}

const GAP = "  ";
/** A column that shrinks keeps at least this. */
const LEAST_WIDTH = 16;

/** The lines of a table, headed by its titles; no lines when there are no rows. Control characters of cells are escaped. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly Row[],
  options: TableOptions = {},
): readonly string[] {
  if (rows.length === 0) return [];
  const filled = columns.flatMap((_, i) =>
    options.dropEmpty === false || rows.some((row) => cellOf(row, i) !== "") ? [i] : [],
  );
  const kept = fits(columns, rows, filled, options) ? filled : filled.filter((i) => columns[i]!.optional !== true);
  const used = kept.map((i) => columns[i]!);
  const cells = pick(rows, kept);
  const widths = fitWidths(used, contentWidths(used, cells), options);
  const style = options.style ?? plainStyler;
  const pad = " ".repeat(options.indent ?? 0);
  const title = layLine(
    used,
    widths,
    used.map((column) => column.title),
    () => "quiet",
    style,
  );
  const lines = [`${pad}${title}`];
  for (const row of cells) {
    if ("heading" in row) lines.push(`${pad}${style("heading", escapeControls(row.heading))}`);
    else
      for (const line of wrapRow(row, widths))
        lines.push(`${pad}${layLine(used, widths, line, (column) => column.role, style)}`);
  }
  return lines;
}

/** The cells of some columns, fit to be shown. */
function pick(rows: readonly Row[], columns: readonly number[]): readonly Row[] {
  return rows.map((row) => ("heading" in row ? row : columns.map((i) => escapeControls(cellOf(row, i)))));
}

function totalWidth(widths: readonly number[], indent = 0): number {
  return widths.reduce((sum, width) => sum + width, indent + GAP.length * (widths.length - 1));
}

function fits(
  columns: readonly Column[],
  rows: readonly Row[],
  used: readonly number[],
  options: TableOptions,
): boolean {
  if (options.width === undefined) return true;
  const widths = contentWidths(
    used.map((i) => columns[i]!),
    pick(rows, used),
  );
  return totalWidth(widths, options.indent) <= options.width;
}

function cellOf(row: Row, column: number): string {
  return "heading" in row ? "" : (row[column] ?? "");
}

function contentWidths(columns: readonly Column[], rows: readonly Row[]): readonly number[] {
  const widths = columns.map(({ title }) => textWidth(title));
  for (const row of rows) {
    if ("heading" in row) continue;
    row.forEach((cell, i) => (widths[i] = Math.max(widths[i]!, textWidth(cell))));
  }
  return widths;
}

/** Takes what is too much from the columns that shrink, always from the widest. */
function fitWidths(
  columns: readonly Column[],
  widths: readonly number[],
  { width, indent = 0 }: TableOptions,
): readonly number[] {
  if (width === undefined) return widths;
  const fitted = [...widths];
  const shrinking = columns.flatMap((column, i) => (column.shrinks === true ? [i] : []));
  for (let excess = totalWidth(fitted, indent) - width; excess > 0; excess = totalWidth(fitted, indent) - width) {
    const [widest, next] = shrinking.sort((a, b) => fitted[b]! - fitted[a]!);
    if (widest === undefined || fitted[widest]! <= LEAST_WIDTH) break;
    const floor = Math.max(LEAST_WIDTH, next === undefined ? 0 : fitted[next]! - 1);
    fitted[widest] = Math.max(Math.min(floor, fitted[widest]! - 1), fitted[widest]! - excess);
  }
  return fitted;
}

/** One row as one or more lines of cells. */
function wrapRow(cells: readonly string[], widths: readonly number[]): readonly (readonly string[])[] {
  const wrapped = cells.map((cell, i) => wrapText(cell, widths[i]!));
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 1);
  return Array.from({ length: height }, (_, line) => wrapped.map((lines) => lines[line] ?? ""));
}

/** `text` in lines of at most `width` columns: broken at blanks where one is near the end, else anywhere. */
export function wrapText(text: string, width: number): readonly string[] {
  if (textWidth(text) <= width) return [text];
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > width) {
    const blank = rest.lastIndexOf(" ", width);
    const end = blank > width / 2 ? blank : width;
    lines.push(rest.slice(0, end).join(""));
    rest = rest.slice(rest[end] === " " ? end + 1 : end);
  }
  lines.push(rest.join(""));
  return lines;
}

function layLine(
  columns: readonly Column[],
  widths: readonly number[],
  cells: readonly string[],
  roleOf: (column: Column) => TextRole | undefined,
  style: Styler,
): string {
  const last = cells.findLastIndex((cell) => cell !== "");
  return cells
    .slice(0, last + 1)
    .map((cell, i) => {
      const column = columns[i]!;
      const role = roleOf(column);
      const fill = " ".repeat(Math.max(0, widths[i]! - textWidth(cell)));
      const shown = role === undefined ? cell : style(role, cell);
      if (column.align === "right") return `${fill}${shown}`;
      return i === last ? shown : `${shown}${fill}`;
    })
    .join(GAP);
}

/** Columns that a text takes, one for each character. */
export function textWidth(text: string): number {
  let width = 0;
  // A surrogate pair is one character.
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) width++;
  return width;
}
