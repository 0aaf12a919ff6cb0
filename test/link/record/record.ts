// Records of the links that tests make, a file for each file of tests: testdata/link/record/NAME.txt has a line for each
// link, with short hashes of its inputs and of its output and diagnostics. A link with another outcome fails its test.
//
// PTXKIT_UPDATE=1 PTXKIT_TESTS=all npx ava test/link/record/*.test.ts test/link/limits.test.ts test/link/large-alignment.test.ts
// adds the links that a record lacks, and removes those that no test makes. After an intended change of outputs, delete
// the records first, and review which tests differ.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import test from "ava";
import type { Diagnostic } from "../../../lib/diag/diagnostic.js";
import { testdata } from "../../oracle/programs.js";
import { isAll } from "../../sample.js";

/** The outcome of a link: the bytes of its output, unless it has errors, and its diagnostics. */
export interface Outcome {
  readonly image: Uint8Array | undefined;
  readonly said: readonly Diagnostic[];
}

/**
 * Six characters for the output (`-` without one), and six for the diagnostics, if any. `?` for a link with a malformed input, which is
 * undefined.
 */
export function summary(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "?";
  const { image, said } = outcome;
  return `${image === undefined ? "-" : digest(image)}${said.length === 0 ? "" : `:${digest(JSON.stringify(said))}`}`;
}

const digest = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("base64url").slice(0, 6);
};

/** Identifies a link by its input files and options. */
function keyOf(files: readonly Uint8Array[], options: object): string {
  const asked = JSON.stringify(options, (_, value: unknown) =>
    typeof value === "bigint" || typeof value === "function" ? typeof value + String(value) : value,
  );
  return digest(asked, ...files.flatMap((each) => [`${each.length} `, each])) + digest(...files, asked).slice(0, 2);
}

function readRecord(file: URL): Map<string, string> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return new Map(lines.map((line) => line.split(" ") as [string, string]));
}

export interface LinkRecord {
  /** The recorded summary of a link; without one, that of `make`. */
  summaryOf(files: readonly Uint8Array[], options: object, make: () => Outcome | undefined): string;
  /** Declares the file's last test: a run of everything makes each recorded link, and no others. Or writes the record. */
  declareTest(): void;
}

/** The record of a file of tests, given by its URL. */
export function openRecord(testFile: string): LinkRecord {
  const file = new URL(`link/record/${/([^/]+)\.test\.js$/.exec(testFile)![1]!}.txt`, testdata);
  let known: Map<string, string> | undefined;
  const used = new Map<string, string>();
  const missing = new Map<string, string>();
  return {
    summaryOf(files, options, make) {
      const key = keyOf(files, options);
      known ??= readRecord(file);
      const found = known.get(key) ?? missing.get(key);
      if (found !== undefined) {
        used.set(key, found);
        return found;
      }
      const made = summary(make());
      missing.set(key, made);
      return made;
    },
    declareTest() {
      if (process.env["PTXKIT_UPDATE"] !== undefined)
        test("the record of links is written", (t) => {
          const lines = [...(isAll ? used : readRecord(file)), ...missing].map(([key, own]) => `${key} ${own}\n`);
          writeFileSync(file, [...new Set(lines)].sort().join(""));
          t.pass();
        });
      else if (isAll)
        test("these tests make the recorded links, and no others", (t) => {
          const stale = [...readRecord(file).keys()].filter((key) => !used.has(key));
          t.deepEqual({ missing: [...missing.keys()], stale }, { missing: [], stale: [] }, "PTXKIT_UPDATE=1 writes it");
        });
    },
  };
}
