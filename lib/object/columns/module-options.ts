// The options of .target that columns support.

import { INDEPENDENT } from "../attributes/module-info.js";
import { ANY_ADDRESS_SIZE } from "../target-words.js";

/** A word of .target beside the target, as declarations have them. */
export const isModuleOption = (option: string): boolean =>
  option === "debug" || option === INDEPENDENT || option === ANY_ADDRESS_SIZE;
