// Warnings by code, in clang's words: -WCODE shows a code's warnings, -Wno-CODE silences them, -Werror=CODE makes errors of
// them, -Wno-error=CODE exempts them from --werror, and -Werror and -Wno-error say the same of all. The last word on a matter
// counts, and whether a warning is shown and whether it is an error are two matters: -Wno-error=CODE shows nothing again.
// An error can be neither silenced nor lowered, because there is no result to continue with.

import { InvalidArgumentError } from "commander";
import { nearest } from "../lib/base/nearest.js";
import { codes, type CodeName } from "../lib/diag/codes.table.js";
import type { SinkOptions, WarningLevel } from "../lib/diag/sink.js";
import { collecting } from "./collecting.js";

interface Word {
  /** undefined: every code. */
  readonly code: CodeName | undefined;
  /** Whether the word is about being an error, or about being shown. */
  readonly about: "error" | "shown";
  readonly value: boolean;
}

/** The words of the option. Throws InvalidArgumentError. */
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

/** The remedy for a name that is no code. */
export function codeHint(name: string): string {
  const [near] = nearest(name, Object.keys(codes));
  return near === undefined ? "'ptxkit explain' lists them" : `did you mean '${near}'?`;
}

/** The sink's options for the words. */
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
