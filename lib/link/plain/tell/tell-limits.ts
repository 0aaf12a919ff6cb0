// Diagnostics of what a GPU cannot hold (../../layout/limits.ts). Loaded only for links that have some.

import type { DiagnosticSink } from "../../../diag/sink.js";
import { checkDataLimits, checkSharedLimits, DEFAULT_IMAGE_BYTES } from "../../layout/limits.js";
import type { PlainExcess, PlainOptions } from "../link.js";
import { ROLE } from "../tables/codes.js";
import { viewNamed } from "./view.js";

/** `files`: their names. */
export function tellPlainLimits(
  { beyond }: PlainExcess,
  files: readonly string[],
  { maxImageBytes = DEFAULT_IMAGE_BYTES }: PlainOptions,
  sink: DiagnosticSink,
): void {
  const { layout, target } = beyond;
  const names = viewNamed(beyond, files);
  const { joined, shared } = layout;
  const data = { constant: joined[ROLE.constant], "global-init": joined[ROLE.globalInit] };
  checkDataLimits(names, data, maxImageBytes, sink);
  checkSharedLimits(names, shared.uses, shared, target, sink);
}
