// PTX files of elsewhere, under folders, recognised by what is in them.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

export interface WildFile {
  readonly path: string;
  /** The first folder below the one that was named: who made it. */
  readonly source: string;
  /** By byte: what is not ASCII is kept. */
  readonly text: string;
  readonly hash: string;
}

/** PTX begins, after blanks and comments, with its version. */
const isPtx = (text: string): boolean => /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*\.version\s/.test(text);

const largest = 20_000_000;

export function filesUnder(folder: string): readonly WildFile[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size <= largest);
  return paths.flatMap((path) => {
    const text = readFileSync(path, "latin1");
    if (!isPtx(text)) return [];
    const [first, ...rest] = relative(folder, path).split(sep);
    const hash = createHash("sha256").update(text, "latin1").digest("hex");
    return [{ path, text, hash, source: rest.length === 0 ? folder : first! }];
  });
}
