// The interface of a rule of inspect --verify (verify.ts lists all): its input, and its report.

import type { ElfContext } from "../context/elf-context.js";

/** The input of a rule. */
export interface Subject extends Pick<ElfContext, "file" | "cuda" | "ours" | "name"> {
  readonly bytes: Uint8Array;
}

/** Reports a fault at a byte offset in the file. */
export type Report = (offset: number, what: string) => void;

export interface Rule {
  /** "symbol-order" */
  readonly name: string;
  /** The property of a valid file, as text. */
  readonly about: string;
  /** Reports each violation at its byte offset in the file, and returns the number of checked items. */
  check(subject: Subject, report: Report): number;
}
