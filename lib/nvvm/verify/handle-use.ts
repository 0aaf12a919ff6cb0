// Uses of textures and surfaces as memory.

import type { Ranged } from "../../ptx/source-text.js";
import type { GlobalVariable } from "../ir/global.js";
import type { Reporter } from "./facts.js";

/** Textures and surfaces cannot be accessed as memory (section 12.1). */
export function checkHandleUse(variable: GlobalVariable, at: Ranged, reporter: Reporter): void {
  const what = reporter.handles.get(variable);
  if (what !== undefined) reporter.report("texture-use", at, [what, variable.name]);
}
