// A stage's messages about the user's input, as plain data. Stages add Diagnostics to a sink that is passed to them and return
// the best result they can; their caller checks the sink for errors once per stage. Rendering is elsewhere (one file per format),
// so that a Diagnostic can be kept, compared in a test, or sent over a wire.

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

/** A place in a binary file: bytes from its start. `line` is undefined. */
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
  /** The name in question there, or in the declaration whose name is at the column; with the text, its place can be found. */
  readonly symbol?: string;
  /** The object or the archive's member that this source's module came in, where that is another file. */
  readonly object?: string;
}

/** A whole text: the error has no line. */
export interface FilePlace {
  readonly kind: "file";
  readonly file: string;
  readonly line?: undefined;
  readonly column?: undefined;
}

/** Where it is: a position in text, a line, an offset in bytes, or a file. */
export type Place = TextPlace | BytePlace | LinePlace | FilePlace;

/** A second place that matters ("first defined here"), or a fact without one. */
export interface Note {
  readonly message: string;
  readonly place?: Place;
}

/** A place that refers to what a message says is missing. */
export interface Reference {
  readonly place?: Place;
  /** The function or variable that refers, as text: "'shade' (shade())". */
  readonly by?: string;
}

/** One of several definitions that exclude each other. */
export interface Definition {
  readonly place: Place;
  /** As it is declared: ".global .u32 a". */
  readonly as: string;
}

/** The name that was probably meant. */
export interface Meant {
  readonly name: string;
  /** Where that one is defined. */
  readonly place?: Place;
}

/** A diagnostic as data: the renderers make text, JSON and SARIF of it. */
export interface Diagnostic {
  /** Stable name from the codes table, such as "undefined-symbol"; shown in brackets at the line's end. */
  readonly code: CodeName;
  readonly severity: Severity;
  /** An error only because warnings, or warnings of this code, were asked to be errors. */
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
  /** Texts that were probably meant instead of the text at the place, likeliest first: editors offer them. */
  readonly replacements?: readonly string[];
}

/** Everything beside the message, for renderers that know notes only: references and definitions first, as in text. */
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

/** The object or archive member that a place's module came in, where that is another file than its source. */
export const objectOf = (place: Place | undefined): string | undefined =>
  place?.kind === "line" ? place.object : undefined;

/** A note's message with the file that its place came in, for renderers that show places as source and line. */
export function noteText({ message, place }: Note): string {
  const object = objectOf(place);
  return object === undefined ? message : `${message} (in ${object})`;
}
