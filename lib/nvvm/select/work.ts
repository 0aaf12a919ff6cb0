// Shared by the files of special intrinsics.

import type { Intrinsic } from "../intrinsics/find.js";
import type { Work } from "../intrinsics/row.js";
import type { CallInstruction } from "../ir/instruction.js";
import type { Scalar } from "./machine.js";
import type { Selection } from "./selection.js";

/** Lowers a call of an intrinsic; the parts of its result. */
export type WorkLowering = (
  selection: Selection,
  call: CallInstruction,
  intrinsic: Intrinsic,
) => readonly Scalar[] | undefined;

export type Works = Readonly<Partial<Record<Work, WorkLowering>>>;

/** The words of an intrinsic's name: `sadd.with.overflow.i32` of `llvm.sadd.with.overflow.i32`. */
export const nameWords = ({ callee }: CallInstruction): readonly string[] =>
  callee.kind === "function" ? callee.name.replace(/^llvm\.(?:experimental\.)?/, "").split(".") : [];
