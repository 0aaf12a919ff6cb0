// The text between two tokens: blanks, line ends, comments and line markers.

/** A comment or a line marker with its place among the line ends of a gap. */
export interface Comment {
  readonly text: string;
  /** Line ends between it and the text before it. */
  readonly lineEnds: number;
  /** Blanks before it on its line. */
  readonly blanks: string;
  /** It ends with its line. */
  readonly isLine: boolean;
}

export interface Gap {
  readonly comments: readonly Comment[];
  /** Line ends behind the last comment, or in all of it where there is none. */
  readonly lineEnds: number;
  readonly isEmpty: boolean;
}

const piece = /(?<blanks>[^\S\n]*)(?:(?<end>\n)|(?<line>\/\/[^\n]*)|(?<block>\/\*[^]*?\*\/)|(?<marker>#[^\n]*)|$)/gy;

/** `text`: nothing but blanks, comments and line markers, which ends before a token. */
export function readGap(text: string): Gap {
  if (text === "") return NOTHING;
  return text === " " || text === "\t" ? BLANK : /^\s*$/.test(text) ? blankGap(text) : commentedGap(text);
}

const NOTHING: Gap = { comments: [], lineEnds: 0, isEmpty: true };
const BLANK: Gap = { comments: [], lineEnds: 0, isEmpty: false };

function blankGap(text: string): Gap {
  let lineEnds = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lineEnds++;
  return { comments: [], lineEnds, isEmpty: false };
}

function commentedGap(text: string): Gap {
  const comments: Comment[] = [];
  let lineEnds = 0;
  for (const { groups } of text.matchAll(piece)) {
    const { blanks = "", end, line, block, marker } = groups!;
    const comment = line ?? block ?? marker;
    if (end !== undefined) lineEnds++;
    if (comment === undefined) continue;
    // A carriage return before the line's end is no part of a comment.
    comments.push({ text: comment.trimEnd(), lineEnds, blanks, isLine: block === undefined });
    lineEnds = 0;
  }
  return { comments, lineEnds, isEmpty: false };
}
