// Metadata (NVVM IR 1.0 section 3.8 and chapter 11; LLVM Language Reference, "Metadata"). Nodes may refer to each other in
// cycles; a numbered node is one object for all references to it.

import type { Ranged } from "../../ptx/source-text.js";
import type { Value } from "./value.js";

/** `null` for the text's null. */
export type Metadata = MetadataString | MetadataNode | MetadataConstant | null;

export interface MetadataString extends Ranged {
  readonly kind: "string";
  readonly text: string;
}

/** `i32 1`, `void ()* @k`, or a local value in an intrinsic's argument. */
export interface MetadataConstant extends Ranged {
  readonly kind: "value";
  readonly value: Value;
}

export interface MetadataNode extends Ranged {
  readonly kind: "node";
  /** Number of `!7 = …`; undefined for a node written in place. */
  readonly id: number | undefined;
  readonly distinct: boolean;
  /** `DILocation` of `!DILocation(…)`; undefined for `!{…}`. */
  readonly tag: string | undefined;
  /** Operands of `!{…}`. */
  readonly operands: readonly Metadata[];
  /**
   * Fields of a node with a tag, by name. Expression-like nodes (`!DIExpression(…)`, `!DIArgList(…)`) have "0", "1", … as
   * names.
   */
  readonly fields: MetadataFields;
}

/**
 * Names and values in one order; there may be more names than values. Nodes of one kind share the list of names: a map for each
 * node is four times as large.
 */
export interface MetadataFields {
  readonly names: readonly string[];
  readonly values: readonly MetadataField[];
}

/** The value of a node's field; undefined if it has no such field. */
export function fieldOf({ fields: { names, values } }: MetadataNode, name: string): MetadataField | undefined {
  const at = names.indexOf(name);
  return at < 0 ? undefined : values[at];
}

/** Integers are bigint; words (`DW_TAG_member`, `true`, flags joined by `|`) are `{ word }`. */
export type MetadataField = Metadata | bigint | { readonly kind: "word"; readonly word: string };

/** `!name = !{!0, !1}` of a module. */
export interface NamedMetadata extends Ranged {
  /** Without `!`. */
  readonly name: string;
  readonly nodes: readonly Metadata[];
}

/** `!dbg !12` after an instruction, function or variable. */
export interface Attachment {
  /** Without `!`. */
  readonly name: string;
  readonly node: Metadata;
}
