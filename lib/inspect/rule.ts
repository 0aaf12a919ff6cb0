// A rule of inspect --verify (verify.ts lists all): its input, and how it reports.

import type { ElfContext } from "./elf-context.js";

/** The input of a rule. */
export interface Subject extends Pick<ElfContext, "file" | "cuda" | "ours" | "name"> {
  readonly bytes: Uint8Array;
}

/** Reports a fault at a byte of the file. */
export type Report = (offset: number, what: string) => void;

export interface Rule {
  /** "symbol-order" */
  readonly name: string;
  /** What holds in a file that keeps it. */
  readonly about: string;
  /** Reports each breach at its offset in bytes in the file, and returns how many things it checked. */
  check(subject: Subject, report: Report): number;
}
