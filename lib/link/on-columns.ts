// A link over columns (plain/link.ts) for programs that call the library: its options are those of the ordinary linker, what is to be said
// is said in the sink, and the image is a value. The command line does the same step by step, and loads what it needs when it needs it
// (cli/commands/link-plain.ts).

import { createSink, reportAgain, type DiagnosticSink } from "../diag/sink.js";
import { heldImage } from "../object/file/held-image.js";
import type { LinkedImage } from "../object/object.js";
import type { Input } from "./inputs/input.js";
import type { LinkOptions } from "./options.js";
import { finishPlain, isExcess, settlePlain, type PlainLinked, type PlainOptions } from "./plain/link.js";
import { plainRemoved, plainWhyLive } from "./plain/live/explain-live.js";
import type { PlainInput } from "./plain/packed/packed.js";
import { isRemarkable } from "./plain/remarks/remarks.js";
import { definePlain } from "./plain/tell/define.js";
import { tellPlainLimits } from "./plain/tell/tell-limits.js";
import { tellPlain } from "./plain/tell/tell.js";
import { viewLinked, viewNamed } from "./plain/tell/view.js";
import { reportUnknownStacks } from "./reports/unknown-stack.js";

/** What came of a link. */
export interface LinkedOnColumns {
  /** Undefined after an error. */
  readonly image: LinkedImage | undefined;
}

/** Undefined if the fast path does not support the link (docs/linking.md, "Fast path"); nothing has been reported then. */
export function linkOnColumns(
  inputs: readonly Input[],
  options: LinkOptions,
  sink: DiagnosticSink,
): LinkedOnColumns | undefined {
  const files = inputs.flatMap((input) => (input.kind === "object" ? (input.plain ?? []) : []));
  if (files.length < inputs.length) return undefined;
  const names = inputs.map((input) => (input.kind === "object" ? input.name : input.image.name));
  const found = createSink();
  const linked = linkFiles(files, names, options, found);
  if (linked === undefined) return undefined;
  reportAgain(found.all, sink);
  if (linked === "failed" || sink.errorCount > 0) return { image: undefined };
  const { name = "a.out" } = options;
  const bytes = joined(linked.image);
  const { tables } = linked.settled.left;
  return { image: heldImage(bytes, name, tables.debug.length > 0 && options.stripDebug !== true) };
}

function linkFiles(
  files: readonly PlainInput[],
  names: readonly string[],
  options: LinkOptions,
  sink: DiagnosticSink,
): PlainLinked | "failed" | undefined {
  const given = plainOptions(options, names);
  const named = settlePlain(files, given);
  if (named === undefined) return undefined;
  if (isRemarkable(named.remarks) && !tellPlain(named, names, given, sink)) return undefined;
  const linked = sink.errorCount > 0 ? undefined : finishPlain(named, given);
  if (linked === undefined && sink.errorCount === 0) return undefined;
  if (isExcess(linked)) return tellPlainLimits(linked, names, given, sink) ? "failed" : undefined;
  options.onResolved?.(viewNamed(named.asWritten, names));
  if (linked === undefined) return "failed";
  const { kept } = linked.settled;
  const view = kept && viewLinked(kept, names, options.name ?? "a.out");
  if (options.warnUnknownStacks === true && linked.hasUnknownStacks === true) reportUnknownStacks(view!, sink);
  options.onLinked?.(view!);
  return linked;
}

function plainOptions(options: LinkOptions, names: readonly string[]): PlainOptions {
  const { define, whyLive = [], gcSections = false, onRemoved, onWhyLive } = options;
  const isAsked = (onRemoved !== undefined && gcSections) || whyLive.length > 0;
  return {
    ...options,
    ...(define === undefined ? {} : { defineNames: (tables) => definePlain(tables, names, define) }),
    ...(isAsked && {
      onLive(found) {
        if (gcSections) onRemoved?.([...plainRemoved(found, names)]);
        if (whyLive.length > 0) onWhyLive?.([...plainWhyLive(found, names, whyLive, gcSections)]);
      },
    }),
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
