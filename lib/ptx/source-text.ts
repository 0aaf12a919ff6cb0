// A module's text, in which the tree's offsets count, and what it was made from where another text is its origin.

import type { ShownText } from "../diag/excerpt.js";

/** A half-open range [start, end) of byte offsets into the module's source. */
export interface Ranged {
  readonly start: number;
  readonly end: number;
}

/** The text that a tree's offsets count in. */
export interface Source {
  /** The file's name as the user gave it; "-" is standard input. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Set if the text can be read again: then `bytes` rereads it after it was released. */
  readonly again?: RereadableText;
  /** Of an archive of which only a part was read: the large texts in it by where they begin; `bytes` has zeros there. */
  readonly aside?: ReadonlyMap<number, RereadableText>;
  /** Set if the text was generated from another: diagnostics point into that one. */
  readonly origin?: Origin;
}

/** A text that is in memory only while it is in use; all users share it. */
export interface RereadableText {
  /** Bytes. */
  readonly length: number;
  /** All of it, read unless it is held. */
  readonly bytes: () => Uint8Array;
  /** Frees its memory; callers must no longer use the bytes they were given. */
  readonly release: () => void;
  /** The text for messages; reading it does not load the whole source. */
  readonly shown: ShownText;
}

/** The origin of a generated text: PTX from NVVM IR. The generated text's source has the origin's name. */
export interface Origin {
  readonly source: Source;
  /** Whether the origin is text; of a binary one, places are byte offsets on its first line. */
  readonly isText: boolean;
  /** By line of the made text, from 0: the byte offset in the origin of what the line came from. */
  readonly offsets: ArrayLike<number>;
  /** Parts that were taken over byte for byte, in ascending order. */
  readonly copies: readonly Copy[];
  /** Aliases of variables, which PTX does not have; none unless given. */
  readonly aliases?: readonly VariableAlias[];
}

/** A range of a made text, and where its bytes begin in the origin. */
export interface Copy extends Ranged {
  readonly from: number;
}

/** Another name for a place inside a variable of the made text, which other modules see. The range is that of the name in the origin. */
export interface VariableAlias extends Ranged {
  readonly name: string;
  /** The variable's name. */
  readonly base: string;
  /** Bytes from the variable's start. */
  readonly offset: number;
  /** Bytes of the value, and its alignment. */
  readonly size: number;
  readonly align: number;
  /** Any other definition of the name wins. */
  readonly isWeak: boolean;
}
