// Tables of text: columns as wide as their contents, numbers aligned right and names left. If the terminal is too narrow, columns
// that may shrink wrap their cells, so that nothing is truncated. Without a width (a pipe) every row is one line. Rejected:
// truncation with "…", because it usually removes the part in which mangled names differ.

import { listOf } from "../base/series.js";
import { escapeControls } from "../diag/escape.js";
import { plainStyler, type Styler, type TextRole } from "./style.js";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** May be narrower than its contents, which then wrap. */
  readonly shrinks?: boolean;
  /** Omitted if the table would be too wide: an explanation, never a fact. */
  readonly optional?: boolean;
  readonly role?: TextRole;
}

/** Cells in the order of the columns, or a heading between rows. */
export type Row = readonly string[] | { readonly heading: string };

export interface TableOptions {
  /** Columns of the terminal; undefined without one. */
  readonly width?: number | undefined;
  /** Blanks before every line. */
  readonly indent?: number;
  readonly style?: Styler;
  /** Whether columns with only empty cells are omitted; true by default. */
  readonly dropEmpty?: boolean;
}

const GAP = "  ";
/** Least width of a column that shrinks. */
const MIN_WIDTH = 16;

/** The lines of a table, which begins with its titles; no lines if there are no rows. Control characters of cells are escaped. */
export const renderTable = (
  columns: readonly Column[],
  rows: readonly Row[],
  options: TableOptions = {},
): readonly string[] => [...tableLines(columns, rows, options)];

/** The lines of `renderTable`, one by one. Very long lists of rows are iterated twice: to measure widths, and to write lines. */
export function* tableLines(
  columns: readonly Column[],
  rows: Iterable<Row>,
  options: TableOptions = {},
): Generator<string, void, undefined> {
  const { widths: own, isFilled, isEmpty, shown } = measure(columns, rows);
  if (isEmpty) return;
  const filled = columns.flatMap((_, i) => (options.dropEmpty === false || isFilled[i] === true ? [i] : []));
  const kept = fits(own, filled, options) ? filled : filled.filter((i) => columns[i]!.optional !== true);
  const used = kept.map((i) => columns[i]!);
  const wanted = kept.map((i) => own[i]!);
  const widths = fitWidths(used, wanted, options);
  // A shortcut for tables that fit: most go into files and pipes.
  const isWhole = widths === wanted;
  const style = options.style ?? plainStyler;
  const pad = " ".repeat(options.indent ?? 0);
  const titles = used.map((column) => column.title);
  yield `${pad}${layLine(used, widths, titles, () => "quiet", style)}`;
  for (const row of shown) {
    if ("heading" in row) {
      yield `${pad}${style("heading", row.heading)}`;
      continue;
    }
    const cells = kept.map((i) => row[i] ?? "");
    for (const line of isWhole ? [cells] : wrapRow(cells, widths))
      yield `${pad}${layLine(used, widths, line, (column) => column.role, style)}`;
  }
}

/** The rows of items, created on demand. */
export const rowsOf = <T>(items: Iterable<T>, rowOf: (item: T) => Row): Iterable<Row> =>
  listOf(function* () {
    for (const item of items) yield rowOf(item);
  });

/** Number of rows that are kept between measuring and writing; those of a longer table are created twice. */
const MAX_HELD = 1 << 15;
/** Separates cells, which have no control characters. */
const SEPARATOR = "\n";
/** Marks a heading. */
const HEADING = "\r";

/**
 * Measures each column's width, with its title, and whether any of its cells is filled. Also returns the rows, each of which is
 * kept as one string.
 */
function measure(columns: readonly Column[], rows: Iterable<Row>) {
  const widths = columns.map(({ title }) => textWidth(title));
  const isFilled = columns.map(() => false);
  let held: string[] | undefined = [];
  let isEmpty = true;
  for (const row of rows) {
    isEmpty = false;
    if (held?.length === MAX_HELD) held = undefined;
    if ("heading" in row) {
      held?.push(HEADING + escapeControls(row.heading));
      continue;
    }
    const cells = row.map(escapeControls);
    held?.push(cells.join(SEPARATOR));
    for (let i = 0; i < columns.length; i++) {
      const cell = cells[i] ?? "";
      if (cell === "") continue;
      isFilled[i] = true;
      widths[i] = Math.max(widths[i]!, textWidth(cell));
    }
  }
  return { widths, isFilled, isEmpty, shown: held === undefined ? escaped(rows) : splitRows(held) };
}

const splitRows = (held: readonly string[]): Iterable<Row> =>
  listOf(function* () {
    for (const each of held)
      yield each.startsWith(HEADING) ? { heading: each.slice(HEADING.length) } : each.split(SEPARATOR);
  });

const escaped = (rows: Iterable<Row>): Iterable<Row> =>
  listOf(function* () {
    for (const row of rows) yield "heading" in row ? { heading: escapeControls(row.heading) } : row.map(escapeControls);
  });

function totalWidth(widths: readonly number[], indent = 0): number {
  return widths.reduce((sum, width) => sum + width, indent + GAP.length * (widths.length - 1));
}

function fits(widths: readonly number[], used: readonly number[], { width, indent }: TableOptions): boolean {
  if (width === undefined) return true;
  return (
    totalWidth(
      used.map((i) => widths[i]!),
      indent,
    ) <= width
  );
}

/** Narrows the columns that may shrink to the available width, always the widest first. */
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
    if (widest === undefined || fitted[widest]! <= MIN_WIDTH) break;
    const floor = Math.max(MIN_WIDTH, next === undefined ? 0 : fitted[next]! - 1);
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

/** Wraps `text` to lines of at most `width` columns: at a blank in the second half of the line, otherwise anywhere. */
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
  let last = cells.length - 1;
  while (last >= 0 && cells[last] === "") last--;
  // A loop is faster than array methods: reports have a million lines.
  let line = "";
  for (let i = 0; i <= last; i++) {
    const column = columns[i]!;
    const cell = cells[i]!;
    const role = roleOf(column);
    const shown = role === undefined ? cell : style(role, cell);
    const isRight = column.align === "right";
    const fill = i === last && !isRight ? "" : blanks(widths[i]! - textWidth(cell));
    if (i > 0) line += GAP;
    line += isRight ? fill + shown : shown + fill;
  }
  return line;
}

const BLANKS = " ".repeat(256);

const blanks = (count: number): string =>
  count <= BLANKS.length ? BLANKS.slice(0, Math.max(0, count)) : " ".repeat(count);

/** Width of a text in columns, one for each character. */
export function textWidth(text: string): number {
  let width = 0;
  // A surrogate pair is one character.
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) width++;
  return width;
}
