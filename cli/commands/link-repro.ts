// --save-repro DIR: all inputs of a link with its options, so that it can be repeated elsewhere with the same bytes as the
// result. `ptxkit link @DIR/response.txt` is that link, from any folder. Inputs keep their given names, because the image
// contains them; --remap-inputs maps each to its copy in DIR.
// Written even if the link fails, when it is most useful. Modelled on lld's --reproduce, as a folder instead of an archive.

import path from "node:path";
import type { Host } from "../files/host.js";
import { localFlags } from "../options/link-options.js";
import { placeOf } from "../files/outputs.js";
import { UsageError } from "../base/status.js";
import type { Read } from "./link-observe.js";

const RESPONSE = "response.txt";

/**
 * `words`: the command line after "link", with response files expanded; `written`: the other outputs, which no copy may
 * overwrite. Throws HostError and UsageError.
 */
export function saveRepro(
  folder: string,
  words: readonly string[],
  reads: readonly Read[],
  written: readonly string[],
  host: Host,
): void {
  const places = new Map<string, string>();
  for (const { file } of reads) if (!places.has(file)) places.set(file, safePlace(file, new Set(places.values())));
  const moved = [...places].map(([file, place]) => `--remap-inputs=${file}=<CFGDIR>/${place}`);
  const response = [...kept(words), ...moved];
  const taken = new Set(written.map((file) => placeOf(file, host)));
  for (const place of [...places.values(), RESPONSE]) {
    const to = path.posix.join(folder, place);
    if (taken.has(placeOf(to, host)))
      throw new UsageError(
        `${to} is a file of --save-repro: nothing else can be written to it`,
        "name another folder for --save-repro",
      );
  }
  host.makeFolder(folder);
  const copied = new Set<string>();
  for (const { file, bytes } of reads) {
    if (copied.has(file)) continue;
    copied.add(file);
    const to = path.posix.join(folder, places.get(file)!);
    host.makeFolder(path.posix.dirname(to));
    host.write(to, bytes!);
  }
  host.write(path.posix.join(folder, RESPONSE), response.map((word) => `${quoted(word)}\n`).join(""));
}

/** A unique place below DIR: the name itself if it is a plain relative path. */
function safePlace(file: string, taken: ReadonlySet<string>): string {
  const isKeepable =
    /^[\w.+@%,()-][\w.+@%,()/-]*$/.test(file) && !file.startsWith("-") && path.posix.normalize(file) === file;
  const isBelow = !file.startsWith("/") && file !== ".." && !file.startsWith("../");
  if (isKeepable && isBelow && file !== RESPONSE && !file.startsWith("inputs/") && !file.startsWith("@")) return file;
  const name =
    file === "-"
      ? "stdin"
      : file
          .replaceAll(/[^\w.+-]+/g, "_")
          .replace(/^[._-]+/, "")
          .slice(-80);
  for (let number = 1; ; number++) {
    const place = `inputs/${number}-${name}`;
    if (!taken.has(place)) return place;
  }
}

/** The words without options that only write files. The image is written next to the response file. */
function kept(words: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const name = word.split("=", 1)[0]!;
    if (localFlags.has(name)) {
      if (!word.includes("=")) i++;
    } else if (name === "--output" || name === "-o") {
      const file = word.includes("=") && name === "--output" ? word.slice(name.length + 1) : words[++i];
      result.push("-o", outputName(file));
    } else if (/^-o./.test(word)) result.push("-o", outputName(word.slice(2)));
    else result.push(word);
  }
  return result;
}

const outputName = (file = "-"): string => (file === "-" ? "a.out" : path.posix.basename(file));

/** Quotes a word for a response file: a backslash precedes each character that would split or open a word. */
const quoted = (word: string): string => (word === "" ? '""' : word.replaceAll(/[\s"'\\]/g, "\\$&"));
