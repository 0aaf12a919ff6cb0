// The client's configuration of a debug run: the members of a launch.json.

import path from "node:path";
import type { AsyncMode } from "../../lib/exec/async/pending.js";
import { nearest } from "../../lib/base/nearest.js";
import type { StepScope } from "../../lib/debug/stepping.js";
import type { CommonOptions } from "../common.js";
import type { LaunchWords } from "../run-inputs.js";
import { collectSettings } from "../nvvm-options.js";
import { targetName } from "../common.js";
import type { PlacedInput } from "../placed-inputs.js";

/** Checked, and with the paths of the files made absolute. */
export interface Configuration {
  readonly cwd: string;
  readonly inputs: readonly PlacedInput[];
  readonly options: CommonOptions & { readonly libraryPath?: readonly string[] };
  /** A specification as a value, or what `run` takes. */
  readonly launch: { readonly spec: unknown } | LaunchWords;
  readonly sanitize: boolean;
  readonly stopOnEntry: boolean;
  readonly level: "auto" | "source" | "ptx";
  readonly step: StepScope;
  readonly async: AsyncMode;
  readonly maxInstructions: number | undefined;
  /** Folders to search for sources that are not where the code says. */
  readonly sourceFolders: readonly string[];
}

/** A member that is wrong; the message names it. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

const members = [
  "program", "launch", "kernel", "grid", "block", "args", "sharedBytes", "cooperative", "sanitize", "stopOnEntry", "level", "step",
  "async", "maxInstructions", "arch", "nvvm", "cwd", "libraries", "libraryPath", "sourceFolders", "noDebug",
] as const; // prettier-ignore

/** Members that clients add themselves. */
const foreign =
  /^(__.*|type|request|name|presentation|preLaunchTask|postDebugTask|internalConsoleOptions|debugServer|serverReadyAction|windows|linux|osx|console|suppressMultipleSessionWarning|debugAdapter.*|command.*|port|host|modes?|ensure.*|compile|dape-.*|:.*)$/;

const fail = (member: string, why: string): never => {
  throw new ConfigurationError(`"${member}" ${why}`);
};

/** Throws ConfigurationError. */
export function readConfiguration(given: unknown, folder: string): Configuration {
  const of = (typeof given === "object" && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(of)) {
    if ((members as readonly string[]).includes(name) || foreign.test(name)) continue;
    const [meant] = nearest(name, members);
    fail(name, `is nothing that ptxkit debug knows${meant === undefined ? "" : `; did you mean "${meant}"?`}`);
  }
  const text = (name: string): string | undefined => {
    const value = of[name];
    return value === undefined || typeof value === "string" ? value : fail(name, "is a text");
  };
  const truth = (name: string): boolean => {
    const value = of[name] ?? false;
    return typeof value === "boolean" ? value : fail(name, "is true or false");
  };
  const count = (name: string): number | undefined => {
    const value = of[name];
    if (value === undefined) return undefined;
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
      ? value
      : fail(name, "is a whole number");
  };
  const texts = (name: string): readonly string[] => {
    const value = of[name] ?? [];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.every((each) => typeof each === "string" || typeof each === "number")
      ? list.map(String)
      : fail(name, "is a list of texts");
  };
  const choice = <T extends string>(name: string, choices: readonly [T, ...T[]]): T => {
    const value = of[name] ?? choices[0];
    return choices.find((each) => each === value) ?? fail(name, `is one of ${choices.join(", ")}`);
  };
  const cwd = path.resolve(folder, text("cwd") ?? ".");
  const absolute = (file: string): string => path.resolve(cwd, file);
  const inputs = texts("program").map((name) => ({
    name: absolute(name),
    isLibrary: false,
    isWhole: false,
    isLazy: false,
  }));
  if (inputs.length === 0) fail("program", "is missing: name PTX, NVVM IR, objects or an image, one or a list");
  const libraries = texts("libraries").map((name) => ({ name, isLibrary: true, isWhole: false, isLazy: false }));
  const [arch, nvvm] = [text("arch"), text("nvvm")];
  return {
    cwd,
    inputs: [...inputs, ...libraries],
    options: {
      diagnostics: "text",
      color: "never",
      errorLimit: 20,
      libraryPath: texts("libraryPath").map(absolute),
      ...(arch === undefined ? {} : { arch: checked("arch", () => targetName(arch)) }),
      ...(nvvm === undefined ? {} : { nvvm: checked("nvvm", () => collectSettings(nvvm)) }),
    },
    launch: readLaunch(of, { text, texts, truth, count, absolute }),
    sanitize: truth("sanitize"),
    stopOnEntry: truth("stopOnEntry"),
    level: choice("level", ["auto", "source", "ptx"]),
    step: choice("step", ["thread", "warp", "block"]),
    async: choice("async", ["late", "early"]),
    maxInstructions: count("maxInstructions"),
    sourceFolders: texts("sourceFolders").map(absolute),
  };
}

function checked<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return fail(name, `is wrong: ${(error as Error).message}`);
  }
}

interface Reading {
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  readonly truth: (name: string) => boolean;
  readonly count: (name: string) => number | undefined;
  readonly absolute: (file: string) => string;
}

function readLaunch(
  of: Readonly<Record<string, unknown>>,
  { text, texts, truth, count, absolute }: Reading,
): Configuration["launch"] {
  const { launch } = of;
  if (launch !== undefined) {
    if (of["kernel"] !== undefined) fail("kernel", 'and "launch" exclude each other');
    if (typeof launch === "string") return { launch: absolute(launch) };
    return typeof launch === "object" && launch !== null
      ? { spec: launch }
      : fail("launch", "is a launch specification, or its file");
  }
  const kernel = text("kernel") ?? fail("kernel", 'is missing: name the kernel, or say "launch": "launch.json"');
  const shape = (name: string): string => {
    const sizes = texts(name);
    return sizes.length === 0 ? fail(name, "is missing: a number, or a list of up to three") : sizes.join(",");
  };
  return {
    kernel,
    grid: shape("grid"),
    block: shape("block"),
    arg: texts("args"),
    shared: count("sharedBytes") ?? 0,
    cooperative: truth("cooperative"),
  };
}
