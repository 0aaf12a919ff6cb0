// Archives beside a plain link (link.ts). What its files leave undefined is known once names are resolved; where no member defines any of
// that, and none could be taken for a kernel, the archives give nothing (select-archive.ts), as the device runtime that build
// systems name in every link.

import { compileGlobs } from "../../base/glob.js";
import { createSink } from "../../diag/sink.js";
import type { Source } from "../../ptx/tree.js";
import { openLazily } from "../lazy-input.js";
import type { PlainFindings } from "./link.js";

/**
 * Whether the link is the same without these archives and files behind --start-lib. False also where something is to be said of
 * them; thin archives are not looked into.
 */
export function giveNothing(
  sources: readonly Source[],
  { missing, globs, target, hasKernels }: PlainFindings,
): boolean {
  const sink = createSink();
  const members = sources.flatMap((source) => openLazily(source, sink, { arch: target }));
  if (sink.all.length > 0) return false;
  if (missing.size === 0 && globs.length === 0 && hasKernels) return true;
  const fits = compileGlobs(globs);
  // Without a kernel the members' are told of.
  return members.every((member) =>
    member
      .modules()
      .every(({ names }) =>
        names.every(({ name, isKernel }) => !missing.has(name) && !fits(name) && (hasKernels || !isKernel)),
      ),
  );
}
