// The client's configuration of a debug run: the members of a launch.json.

import path from "node:path";
import { nearest } from "../../lib/base/nearest.js";
import type { StepScope } from "../../lib/debug/stepping.js";
import type { AsyncMode } from "../../lib/exec/state/pending.js";
import type { CommonOptions } from "../options/common.js";
import type { LaunchWords } from "../run/run-inputs.js";
import { collectSettings } from "../options/nvvm-options.js";
import { targetName } from "../options/common.js";
import type { PlacedInput } from "../inputs/placed-inputs.js";

/** The configuration, checked; the paths of files are absolute. */
export interface Configuration {
  readonly cwd: string;
  readonly inputs: readonly PlacedInput[];
  readonly options: CommonOptions & { readonly libraryPath?: readonly string[] };
  /** A launch specification as a value, or the options that `run` accepts. */
  readonly launch: { readonly spec: unknown } | LaunchWords;
  readonly sanitize: boolean;
  readonly stopOnEntry: boolean;
  readonly level: "auto" | "source" | "ptx";
  readonly step: StepScope;
  readonly async: AsyncMode;
  readonly maxInstructions: number | undefined;
  /** Folders to search for sources that are not at the path in the debug information. */
  readonly sourceFolders: readonly string[];
}

/** The error for an invalid member; the message names it. */
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

type Members = Readonly<Record<string, unknown>>;

/** Throws ConfigurationError. */
export function readConfiguration(given: unknown, folder: string): Configuration {
  const of = (typeof given === "object" && given !== null ? given : {}) as Members;
  refuseUnknown(of);
  const cwd = path.resolve(folder, textOf(of, "cwd") ?? ".");
  const absolute = (file: string): string => path.resolve(cwd, file);
  const common = { isWhole: false, isLazy: false };
  const inputs = textsOf(of, "program").map((name) => ({ name: absolute(name), isLibrary: false, ...common }));
  if (inputs.length === 0) fail("program", "is missing: name PTX, NVVM IR, objects or an image, one or a list");
  const libraries = textsOf(of, "libraries").map((name) => ({ name, isLibrary: true, ...common }));
  const [arch, nvvm] = [textOf(of, "arch"), textOf(of, "nvvm")];
  return {
    cwd,
    inputs: [...inputs, ...libraries],
    options: {
      diagnostics: "text",
      color: "never",
      errorLimit: 20,
      libraryPath: textsOf(of, "libraryPath").map(absolute),
      ...(arch === undefined ? {} : { arch: checked("arch", () => targetName(arch)) }),
      ...(nvvm === undefined ? {} : { nvvm: checked("nvvm", () => collectSettings(nvvm)) }),
    },
    launch: readLaunch(of, absolute),
    sanitize: truthOf(of, "sanitize"),
    stopOnEntry: truthOf(of, "stopOnEntry"),
    level: choiceOf(of, "level", ["auto", "source", "ptx"]),
    step: choiceOf(of, "step", ["thread", "warp", "block"]),
    async: choiceOf(of, "async", ["late", "early"]),
    maxInstructions: countOf(of, "maxInstructions"),
    sourceFolders: textsOf(of, "sourceFolders").map(absolute),
  };
}

function refuseUnknown(of: Members): void {
  for (const name of Object.keys(of)) {
    if ((members as readonly string[]).includes(name) || foreign.test(name)) continue;
    const [meant] = nearest(name, members);
    fail(name, `is not a member of a launch configuration${meant === undefined ? "" : `; did you mean "${meant}"?`}`);
  }
}

// -------------------------------------------------------------------------------------------------------------- members

function textOf(of: Members, name: string): string | undefined {
  const value = of[name];
  return value === undefined || typeof value === "string" ? value : fail(name, "is a text");
}

function truthOf(of: Members, name: string): boolean {
  const value = of[name] ?? false;
  return typeof value === "boolean" ? value : fail(name, "is true or false");
}

function countOf(of: Members, name: string): number | undefined {
  const value = of[name];
  if (value === undefined) return undefined;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? value
    : fail(name, "is a whole number");
}

function textsOf(of: Members, name: string): readonly string[] {
  const value = of[name] ?? [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.every((each) => typeof each === "string" || typeof each === "number")
    ? list.map(String)
    : fail(name, "is a list of texts");
}

function choiceOf<T extends string>(of: Members, name: string, choices: readonly [T, ...T[]]): T {
  const value = of[name] ?? choices[0];
  return choices.find((each) => each === value) ?? fail(name, `is one of ${choices.join(", ")}`);
}

function checked<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return fail(name, `is wrong: ${(error as Error).message}`);
  }
}

function readLaunch(of: Members, absolute: (file: string) => string): Configuration["launch"] {
  const { launch } = of;
  if (launch !== undefined) {
    if (of["kernel"] !== undefined) fail("kernel", 'and "launch" exclude each other');
    if (typeof launch === "string") return { launch: absolute(launch) };
    return typeof launch === "object" && launch !== null
      ? { spec: launch }
      : fail("launch", "is a launch specification, or its file");
  }
  const kernel = textOf(of, "kernel") ?? fail("kernel", 'is missing: name the kernel, or say "launch": "launch.json"');
  const shape = (name: string): string => {
    const sizes = textsOf(of, name);
    return sizes.length === 0 ? fail(name, "is missing: a number, or a list of up to three") : sizes.join(",");
  };
  return {
    kernel,
    grid: shape("grid"),
    block: shape("block"),
    arg: textsOf(of, "args"),
    shared: countOf(of, "sharedBytes") ?? 0,
    cooperative: truthOf(of, "cooperative"),
  };
}
