// A module's text, to which the tree's offsets refer, and its origin if it was generated from another text.

import type { ShownText } from "../diag/excerpt.js";

/** A half-open range [start, end) of byte offsets into the module's source. */
export interface Ranged {
  readonly start: number;
  readonly end: number;
}

/** The text to which a tree's offsets refer. */
export interface Source {
  /** The file's name as the user gave it; "-" is standard input. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Set if the text can be read again: `bytes` then rereads it after it was released. */
  readonly reread?: RereadableText;
  /** For an archive of which only a part was read: its large texts by offset; `bytes` has zeros there. */
  readonly deferredTexts?: ReadonlyMap<number, RereadableText>;
  /** Set if the text was generated from another; diagnostics then refer to the origin. */
  readonly origin?: Origin;
}

/** A text that is in memory only while it is used; all users share it. */
export interface RereadableText {
  /** Length in bytes. */
  readonly length: number;
  /** The whole text; reads it unless it is in memory. */
  readonly bytes: () => Uint8Array;
  /** Frees the memory; callers must no longer use the bytes that they received. */
  readonly release: () => void;
  /** The text for messages; reading it does not load the whole source. */
  readonly shown: ShownText;
}

/** The origin of a generated text: NVVM IR for PTX. The generated text's source has the origin's name. */
export interface Origin {
  readonly source: Source;
  /** Whether the origin is text. Places in a binary origin are byte offsets, as columns of its first line. */
  readonly isText: boolean;
  /** By line of the generated text, from 0: the byte offset of its origin. */
  readonly offsets: ArrayLike<number>;
  /** Parts that were copied byte for byte, in ascending order. */
  readonly copies: readonly Copy[];
  /** Aliases of variables, which PTX does not have; none by default. */
  readonly aliases?: readonly VariableAlias[];
}

/** A range of a generated text, and the offset of the same bytes in the origin. */
export interface Copy extends Ranged {
  readonly from: number;
}

/** A global alias for a location inside a variable of the generated text. The range is that of the alias's name in the origin. */
export interface VariableAlias extends Ranged {
  readonly name: string;
  /** The variable's name. */
  readonly base: string;
  /** Byte offset in the variable. */
  readonly offset: number;
  /** Size in bytes, and alignment. */
  readonly size: number;
  readonly align: number;
  /** Any other definition of the name takes precedence. */
  readonly isWeak: boolean;
}
