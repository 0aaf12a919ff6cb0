// What words of a module a plain link (../link.ts) takes.

import { INDEPENDENT } from "../../../object/attributes/module-info.js";

/** A word of .target beside the target. */
export const isPlainOption = (option: string): boolean => option === "debug" || option === INDEPENDENT;

/** A state space of a variable. */
export const isPlainSpace = (space: string): boolean => space === "global" || space === "const" || space === "shared";
