// A stage's messages about the user's input, as plain data. Stages add diagnostics to a sink that is passed to them and return
// the best possible result; their caller checks the sink for errors once per stage. Renderers are in other files (one per
// format), so that a diagnostic can be stored, compared in a test, or transmitted.

import type { CodeName } from "./codes.table.js";

/** Errors make a stage fail; warnings do not. */
export type Severity = "error" | "warning";

/** A place in PTX text: half-open range of byte offsets, with its first line and column (both from 1; columns in bytes). */
export interface TextPlace {
  readonly kind: "text";
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** A place in a binary file, in bytes from its start. `line` is undefined. */
export interface BytePlace {
  readonly kind: "bytes";
  readonly file: string;
  readonly offset: number;
  readonly line?: undefined;
  readonly column?: undefined;
}

/** A line of a source known only by name and number (from an object's declarations or line table): there is no text to show. */
export interface LinePlace {
  readonly kind: "line";
  readonly file: string;
  readonly line: number;
  /** Column of the word in question, if known: in bytes, from 1. */
  readonly column?: number;
  /** The name in question: on that line, or in the declaration whose name is at the column. The text is needed to locate it. */
  readonly symbol?: string;
  /** The object or archive member that contained this source's module, if that is another file. */
  readonly object?: string;
}

/** A whole file, if the error has no line. */
export interface FilePlace {
  readonly kind: "file";
  readonly file: string;
  readonly line?: undefined;
  readonly column?: undefined;
}

/** The place of a diagnostic: a position in text, a line, an offset in bytes, or a file. */
export type Place = TextPlace | BytePlace | LinePlace | FilePlace;

/** A second relevant place ("first defined here"), or a fact without a place. */
export interface Note {
  readonly message: string;
  readonly place?: Place;
}

/** A place that refers to a missing name. */
export interface Reference {
  readonly place?: Place;
  /** The function or variable that refers, as text: "'shade' (shade())". */
  readonly by?: string;
}

/** One of several conflicting definitions. */
export interface Definition {
  readonly place: Place;
  /** The declaration: ".global .u32 a". */
  readonly as: string;
}

/** The name that was probably meant. */
export interface Meant {
  readonly name: string;
  /** The place of its definition. */
  readonly place?: Place;
}

/** A diagnostic as data; renderers convert it to text, JSON and SARIF. */
export interface Diagnostic {
  /** Stable name from the codes table, such as "undefined-symbol"; shown in brackets at the line's end. */
  readonly code: CodeName;
  readonly severity: Severity;
  /** The diagnostic is a warning that an option made an error. */
  readonly raised?: boolean;
  readonly message: string;
  readonly place?: Place;
  readonly notes: readonly Note[];
  /** All references to a missing symbol; rendered text shows three, as other linkers do, and counts the rest. */
  readonly references?: readonly Reference[];
  /** All conflicting definitions of a symbol; `place` is one of them. The text format lists them as lld does. */
  readonly definitions?: readonly Definition[];
  readonly meant?: Meant;
  /** The remedy, in one sentence. */
  readonly remedy?: string;
  /** Texts that probably were meant at the place, most likely first; editors offer them as fixes. */
  readonly replacements?: readonly string[];
}

/** Everything except the message as notes, for renderers without other parts: definitions and references first, as in text. */
export function allNotes({ place: own, notes, references = [], definitions = [], meant }: Diagnostic): readonly Note[] {
  const others = definitions.filter(({ place }) => place !== own);
  return [
    ...others.map(({ place, as }, i) => ({
      message: `${i === 0 ? "first defined" : "defined"} here as ${as}`,
      place,
    })),
    ...references.map(({ place, by }): Note => ({
      message: by === undefined ? "referenced here" : `referenced by ${by}`,
      ...(place === undefined ? {} : { place }),
    })),
    ...(meant === undefined
      ? []
      : [{ message: `did you mean ${meant.name}`, ...(meant.place === undefined ? {} : { place: meant.place }) }]),
    ...notes,
  ];
}

/** The object or archive member that contained a place's module, if that is another file than its source. */
export const objectOf = (place: Place | undefined): string | undefined =>
  place?.kind === "line" ? place.object : undefined;

/** A note's message with the object of its place, for renderers that show places as source and line. */
export function noteText({ message, place }: Note): string {
  const object = objectOf(place);
  return object === undefined ? message : `${message} (in ${object})`;
}
