// The record of the links that tests try (testdata/link/record.txt): a line for each, what went in and what it came to, both as short
// hashes. A link that comes to something else fails its test. `PTXKIT_UPDATE=1 PTXKIT_TESTS=all npx ava -c 1 test/link/record/*.test.ts`
// adds what is missing; who changes an image or a message on purpose takes the file away first, and looks at the tests that then differ.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import test from "ava";
import type { Diagnostic } from "../../../lib/diag/diagnostic.js";
import { testdata } from "../../oracle/programs.js";

/** What came of a link: the bytes of its output, where it was right, and what was said. */
export interface Outcome {
  readonly image: Uint8Array | undefined;
  readonly said: readonly Diagnostic[];
}

/** Six characters for the output, `-` where there is none, and six for what was said, none where nothing was; `?` where an input is malformed. */
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

/** Whether what is missing is added. */
const isUpdating = process.env["PTXKIT_UPDATE"] !== undefined;

const file = new URL("link/record.txt", testdata);

function readRecord(): Map<string, string> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return new Map(lines.map((line) => line.split(" ") as [string, string]));
}

let record: Map<string, string> | undefined;
const added = new Map<string, string>();

/** What the record has of a link, or, where it has nothing, what `make` gives. */
export function recorded(files: readonly Uint8Array[], options: object, make: () => Outcome | undefined): string {
  const asked = JSON.stringify(options, (_, value: unknown) =>
    typeof value === "bigint" || typeof value === "function" ? typeof value + String(value) : value,
  );
  const key =
    digest(asked, ...files.flatMap((each) => [`${each.length} `, each])) + digest(...files, asked).slice(0, 2);
  record ??= readRecord();
  const known = record.get(key);
  if (known !== undefined) return known;
  const own = summary(make());
  if (isUpdating) added.set(key, own);
  record.set(key, own);
  return own;
}

if (isUpdating)
  test.after.always("the record is written", () => {
    const all = new Map([...readRecord(), ...added]);
    const lines = [...all].map(([key, own]) => `${key} ${own}\n`).sort();
    writeFileSync(file, lines.join(""));
  });
