// The sanitizer's findings as plain data (docs/sanitizer.md). A finding merges all events of one kind between the same two
// instructions on the same variable; `count` is their number.

import type { Dimensions } from "../../base/dimensions.js";
import type { LoadedFunction } from "../../load/process.js";
import type { AccessedSpace } from "../state/observer.js";

/** Kinds of findings. The names are part of the public format. */
export type FindingKind =
  | "out-of-bounds"
  | "use-after-free"
  | "double-free"
  | "misaligned"
  | "uninitialized"
  | "race"
  | "barrier"
  | "warp-mask"
  | "missing-wait"
  | "mbarrier"
  | "leak";

export type FindingSpace = AccessedSpace | "register";

/** A place in PTX: line and column from 1. */
export interface PtxPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly instruction: string;
}

export type AccessName = "read" | "write" | "atomic";

/** A thread at an instruction. */
export interface Party {
  readonly block: Dimensions;
  readonly thread: Dimensions;
  /** The .loc place where the module has one, else the PTX place. */
  readonly file: string;
  readonly line: number;
  /** Column of the .loc place, from 1, if known. */
  readonly column?: number;
  readonly ptx: PtxPlace;
  /** Places at which the instruction's function was inlined, the nearest call first. */
  readonly inlinedAt?: readonly { readonly file: string; readonly line: number }[];
  readonly access?: AccessName;
}

/** Something that a kernel does wrong, found by the sanitizer (docs/sanitizer.md). */
export interface Finding extends Party {
  readonly kind: FindingKind;
  readonly space?: FindingSpace;
  readonly message: string;
  readonly kernel: string;
  readonly bytes?: number;
  /** The variable, buffer or parameter, and the offset in it, bytes. */
  readonly variable?: string;
  readonly offset?: number;
  readonly address?: number;
  readonly other?: Party;
  /** What to do, in one sentence that fits the cause. */
  readonly remedy: string;
  /** Functions from which the instruction's one was called, the nearest first, with the line of each call. */
  readonly callers?: readonly string[];
  readonly count: number;
}

/** An instruction of a function. */
export interface Site {
  readonly index: number;
  readonly fn: LoadedFunction;
  readonly pc: number;
}

/** One event, before it is counted. `key` distinguishes causes at one place. */
export interface Event extends Omit<Finding, "count"> {
  readonly key: string;
}

/** Findings by their place; the first event of each is kept. */
export interface FindingList {
  /** Calls `make` only for the first event with this key; counts all. */
  add(key: string, make: () => Omit<Finding, "count">): void;
  readonly list: readonly Finding[];
  /** The findings without those whose key `refuses` rejects. */
  without(refuses: (key: string) => boolean): readonly Finding[];
}

/** Most findings that are kept: if a program has more, one cause shows in all of them. */
const MAX_FINDINGS = 1000;

export function createFindingList(onFinding?: (finding: Omit<Finding, "count">) => void): FindingList {
  const findings = new Map<string, { finding: Omit<Finding, "count">; count: number }>();
  return {
    add(key, make) {
      const known = findings.get(key);
      if (known !== undefined) known.count++;
      else if (findings.size < MAX_FINDINGS) {
        const finding = make();
        findings.set(key, { finding, count: 1 });
        onFinding?.(finding);
      }
    },
    get list() {
      return this.without(() => false);
    },
    without: (refuses) =>
      [...findings].flatMap(([key, { finding, count }]) => (refuses(key) ? [] : [{ ...finding, count }])),
  };
}

/** Whether the finding is a warning. */
export const isWarning = ({ kind }: Pick<Finding, "kind">): boolean => kind === "leak";
