// Warnings by code, in clang's spelling: -WCODE shows a code's warnings, -Wno-CODE hides them, -Werror=CODE makes them errors,
// -Wno-error=CODE exempts them from --werror, and -Werror and -Wno-error apply to all. The last option wins. Whether a warning is
// shown and whether it is an error are independent: -Wno-error=CODE does not show hidden warnings again. An error can be neither
// hidden nor lowered, because there is no result to continue with.

import { InvalidArgumentError } from "commander";
import { nearest } from "../../lib/base/nearest.js";
import { codes, type CodeName } from "../../lib/diag/codes.table.js";
import type { SinkOptions, WarningLevel } from "../../lib/diag/sink.js";
import { collecting } from "./collecting.js";

interface Word {
  /** The code; undefined for every code. */
  readonly code: CodeName | undefined;
  /** Whether the option decides if warnings are errors, or if they are shown. */
  readonly about: "error" | "shown";
  readonly value: boolean;
}

/** Collects the values of -W. Throws InvalidArgumentError. */
export const collectWarningWord = collecting(checkWord);

function checkWord(text: string): string {
  const { code, about, value } = readWord(text);
  const lowers = about === "error" ? !value && code !== undefined : !value;
  if (lowers && code !== undefined && codes[code].severity === "error") {
    const done = about === "error" ? "lowered to warnings" : "silenced";
    throw new InvalidArgumentError(`${code} is an error, and errors cannot be ${done}`);
  }
  return text;
}

function readWord(text: string): Word {
  const value = !text.startsWith("no-");
  const rest = value ? text : text.slice("no-".length);
  if (rest === "error") return { code: undefined, about: "error", value };
  return rest.startsWith("error=")
    ? { code: codeNamed(rest.slice("error=".length)), about: "error", value }
    : { code: codeNamed(rest), about: "shown", value };
}

function codeNamed(name: string): CodeName {
  if (Object.hasOwn(codes, name)) return name as CodeName;
  throw new InvalidArgumentError(`there is no code '${name}'; ${codeHint(name)}`);
}

/** The remedy for a name that is not a code. */
export function codeHint(name: string): string {
  const [near] = nearest(name, Object.keys(codes));
  return near === undefined ? "'ptxkit explain' lists them" : `did you mean '${near}'?`;
}

/** The sink's options for the given values of -W. */
export function warningOptions(words: readonly string[]): SinkOptions {
  const all = words.map(readWord);
  const last = (about: Word["about"], code: CodeName | undefined): boolean | undefined =>
    all.findLast((word) => word.about === about && word.code === code)?.value;
  // -Werror=CODE implies -WCODE.
  const shown = (code: CodeName): boolean =>
    all.findLast((word) => word.code === code && (word.about === "shown" || word.value))?.value ?? true;
  const levelOf = (code: CodeName): WarningLevel | undefined => {
    if (!shown(code)) return "off";
    const isError = last("error", code);
    return isError === undefined ? undefined : isError ? "error" : "warning";
  };
  const named = [...new Set(all.flatMap(({ code }) => code ?? []))];
  const levels = named.flatMap((code) => {
    const level = levelOf(code);
    return level === undefined ? [] : [[code, level] as const];
  });
  return { warningsAreErrors: last("error", undefined) ?? false, warnings: Object.fromEntries(levels) };
}
