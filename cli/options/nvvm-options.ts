// Options for compiling NVVM IR: --arch and --nvvm.

import { InvalidArgumentError, Option, type Command } from "commander";
import { nearest } from "../../lib/base/nearest.js";
import type { NvvmOptions } from "../../lib/nvvm/options.js";
import { targetName, type CommonOptions } from "./common.js";

/** The settings of --nvvm, by libNVVM's names. */
type FloatWords = Pick<NvvmOptions, "ftz" | "precDiv" | "precSqrt" | "fma">;

const words: Readonly<Record<string, keyof FloatWords>> = {
  ftz: "ftz",
  "prec-div": "precDiv",
  "prec-sqrt": "precSqrt",
  fma: "fma",
};

const nvvmDescription =
  "floating-point settings for NVVM IR, separated by commas (default: ftz=0,prec-div=1,prec-sqrt=1,fma=0)";

/** The option --arch of commands other than link. */
export const archOption = (): Option =>
  new Option("--arch <sm_NN>", "target of NVVM IR (default: that of the other inputs, or of its functions)").argParser(
    targetName,
  );

export const addNvvmOptions = (command: Command): Command =>
  command.option("--nvvm <settings>", nvvmDescription, collectSettings);

/** Parses "ftz=1,prec-div=0"; the last value of a setting wins. Throws InvalidArgumentError. */
export function collectSettings(text: string, before: FloatWords = {}): FloatWords {
  let settings = before;
  for (const part of text.split(",")) {
    const [name = "", value, ...more] = part.trim().replace(/^--?/, "").split("=");
    if (!Object.hasOwn(words, name)) throw new InvalidArgumentError(unknownSetting(name));
    if ((value !== "0" && value !== "1") || more.length > 0)
      throw new InvalidArgumentError(`${name} is 0 or 1: write ${name}=0 or ${name}=1`);
    settings = { ...settings, [words[name]!]: value === "1" };
  }
  return settings;
}

function unknownSetting(name: string): string {
  const [near] = nearest(name, Object.keys(words));
  const hint = near === undefined ? `there are ${Object.keys(words).join(", ")}` : `did you mean '${near}'?`;
  return name === "" ? `a setting is expected; ${hint}` : `there is no setting '${name}'; ${hint}`;
}

/** The NVVM IR options; `alone`: for a module that is compiled without the others of its link. */
export function nvvmOptions({ arch, nvvm, nvvmPlan }: CommonOptions, alone = false): NvvmOptions | (() => NvvmOptions) {
  return nvvmPlan ?? { ...nvvm, ...(arch === undefined ? {} : { arch }), ...(alone ? { alone } : {}) };
}
