// Diagnostics of a GPU's limits that a link exceeds (../messages/limits.ts). Loaded only for such links.

import type { DiagnosticSink } from "../../diag/sink.js";
import { checkDataLimits, checkSharedLimits } from "../messages/limits.js";
import { ROLE } from "../../object/columns/codes.js";
import { viewNamed } from "../views/views.js";
import { DEFAULT_IMAGE_BYTES } from "../layout/limits.js";
import type { PassOptions } from "../state/options.js";
import type { LimitExcess } from "../state/results.js";

/** `files`: names of the files. */
export function reportLimits(
  { beyond }: LimitExcess,
  files: readonly string[],
  { maxImageBytes = DEFAULT_IMAGE_BYTES }: PassOptions,
  sink: DiagnosticSink,
): void {
  const { layout, target } = beyond;
  const names = viewNamed(beyond, files);
  const { outputSections, shared } = layout;
  const data = { constant: outputSections[ROLE.constant], "global-init": outputSections[ROLE.globalInit] };
  checkDataLimits(names, data, maxImageBytes, sink);
  checkSharedLimits(names, shared.uses, shared, target, sink);
}
