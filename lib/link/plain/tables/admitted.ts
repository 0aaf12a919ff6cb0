// What words of a module a plain link (../link.ts) takes.

import { INDEPENDENT } from "../../../object/attributes/module-info.js";
import { ANY_ADDRESS_SIZE } from "../../../object/target-words.js";

/** A word of .target beside the target, as declarations have them. */
export const isPlainOption = (option: string): boolean =>
  option === "debug" || option === INDEPENDENT || option === ANY_ADDRESS_SIZE;
