// The text between two tokens: blanks, line ends, comments and line markers.

/** A comment or a line marker, and the line ends and blanks before it in its gap. */
export interface Comment {
  readonly text: string;
  /** Line ends between it and the text before it. */
  readonly lineEnds: number;
  /** Blanks before it on its line. */
  readonly blanks: string;
  /** The comment ends with its line. */
  readonly isLine: boolean;
}

export interface Gap {
  readonly comments: readonly Comment[];
  /** Line ends after the last comment; all line ends if there is no comment. */
  readonly lineEnds: number;
  readonly isEmpty: boolean;
}

const piece = /(?<blanks>[^\S\n]*)(?:(?<end>\n)|(?<line>\/\/[^\n]*)|(?<block>\/\*[^]*?\*\/)|(?<marker>#[^\n]*)|$)/gy;

/** Parses a gap. `text` consists of blanks, comments and line markers, and ends before a token. */
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
    // A carriage return before the line's end is not part of the comment.
    comments.push({ text: comment.trimEnd(), lineEnds, blanks, isLine: block === undefined });
    lineEnds = 0;
  }
  return { comments, lineEnds, isEmpty: false };
}
