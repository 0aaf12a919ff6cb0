// The options of .target that columns support.

import { INDEPENDENT } from "../attributes/module-info.js";
import { ANY_ADDRESS_SIZE } from "../target-words.js";

/** Whether a word of .target, as stored in declarations, is a supported option. */
export const isModuleOption = (option: string): boolean =>
  option === "debug" || option === INDEPENDENT || option === ANY_ADDRESS_SIZE;
