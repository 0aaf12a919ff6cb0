// One link of ours beside nvlink's: the differences in words, none when they agree. Agreement is: both refuse, or both
// accept and every fact is equal. Where nvlink fails for a fault of its own (it says so), there is nothing to agree with.

import { writeObject } from "../../lib/object/write.js";
import { linkAll, moduleText, objectOf } from "../link/build.js";
import { factsOf, type ImageFacts } from "./image-facts.js";
import type { Verdict } from "./nvlink.js";
import { readProgram } from "./programs.js";

export interface RecordedCase {
  readonly name: string;
  /** Module bodies for sm_80 in link order, or a folder of testdata with the modules' files. */
  readonly bodies?: readonly string[];
  readonly folder?: string;
  readonly arch?: string;
  readonly nvlink: Verdict;
}

export interface Modules {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

export function modulesOf({ bodies, folder }: Pick<RecordedCase, "bodies" | "folder">): Modules {
  if (folder !== undefined) {
    const program = readProgram(folder);
    return { names: program.files, texts: program.texts };
  }
  const texts = (bodies ?? []).map((body) => moduleText(body));
  return { names: texts.map((_, i) => `${i}.ptx`), texts };
}

export function compareWith(recorded: RecordedCase): readonly string[] {
  const { nvlink } = recorded;
  const { names, texts } = modulesOf(recorded);
  const { image, diagnostics } = linkAll(texts.map((text, i) => objectOf(names[i]!, text)));
  if (image === undefined) {
    if (nvlink.status !== 0) return [];
    return [`nvlink accepts, we say ${diagnostics.map(({ message }) => message).join("; ")}`];
  }
  if (nvlink.says.some((line) => line.includes("Internal error"))) return [];
  if (nvlink.facts === undefined) return [`we accept, nvlink (${nvlink.status}) says ${nvlink.says.join("; ")}`];
  const ours = factsOf(writeObject(image));
  return (Object.keys(ours) as (keyof ImageFacts)[]).flatMap((key) => {
    const [a, b] = [ours[key], nvlink.facts![key]].map((facts) => new Set(facts.map((fact) => JSON.stringify(fact))));
    const only = (x: ReadonlySet<string>, y: ReadonlySet<string>) => [...x].filter((fact) => !y.has(fact));
    const [mine, theirs] = [only(a!, b!), only(b!, a!)];
    if (mine.length + theirs.length === 0) return [];
    return [`${key}: ours ${mine.join(" ") || "-"}, nvlink's ${theirs.join(" ") || "-"}`];
  });
}
