// One link of ours beside nvlink's: the differences in words, none when they agree. Agreement is: both refuse, or both
// accept and every fact is equal. Where nvlink fails for a fault of its own (it says so), there is nothing to agree with.

import { writeObject } from "../../lib/object/file/write.js";
import type { RelocObject } from "../../lib/object/object.js";
import { linkAll, moduleText, objectOf } from "../link/build.js";
import { factsOf, type ImageFacts } from "./image-facts.js";
import { isDead, isLostByNvlink, isSaidBesides, liveBytes, takingLost, asNvlinkHas } from "./link-explained.js";
import { askNvlink, type Verdict } from "./nvlink.js";
import { readProgram } from "./programs.js";

export interface RecordedCase {
  readonly name: string;
  /** Module bodies for sm_80 in link order, or a folder of testdata with the modules' files. */
  readonly bodies?: readonly string[];
  readonly folder?: string;
  /** Whole module texts instead. */
  readonly texts?: readonly string[];
  readonly arch?: string;
  readonly nvlink: Verdict;
  /** Shared memory, and what kernels reach, as nvlink has it with one more module (link-explained.ts), where that explains a difference. */
  readonly byHand?: Pick<ImageFacts, "shared" | "sections" | "reached">;
}

export interface Modules {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

export function modulesOf({ bodies, folder, texts: given }: Omit<RecordedCase, "name" | "nvlink" | "byHand">): Modules {
  if (given !== undefined) return { names: given.map((_, i) => `${i}.ptx`), texts: given };
  if (folder !== undefined) {
    const program = readProgram(folder);
    return { names: program.files, texts: program.texts };
  }
  const texts = (bodies ?? []).map((body) => moduleText(body));
  return { names: texts.map((_, i) => `${i}.ptx`), texts };
}

/** How much was compared, and how much of it agrees: symbols with their places, relocations, sections with their bytes. */
export type Tally = { readonly [Key in keyof ImageFacts]: { readonly all: number; readonly agreeing: number } };

export interface Comparison {
  /** In words; none when they agree. */
  readonly differences: readonly string[];
  /** Differences that nvlink is known to be wrong about (link-explained.ts). */
  readonly meant: readonly string[];
  /** Absent where either refuses. */
  readonly tally?: Tally;
}

/** The case with all that nvlink has to be asked about it. */
export function answered(question: Omit<RecordedCase, "nvlink">, arch: string): RecordedCase {
  const { texts } = modulesOf(question);
  const known = { ...question, nvlink: askNvlink(texts, arch) };
  if (comparisonOf(known).differences.length === 0) return known;
  const taking = takingLost(texts);
  return taking === undefined ? known : withShared(known, askNvlink([...texts, taking], arch).facts);
}

function withShared(known: RecordedCase, facts: ImageFacts | undefined): RecordedCase {
  if (facts === undefined) return known;
  return {
    ...known,
    byHand: { shared: facts.shared, sections: facts.sections.filter(isSharedSection), reached: facts.reached },
  };
}

export const compareWith = (recorded: RecordedCase): readonly string[] => comparisonOf(recorded).differences;

export function comparisonOf(recorded: RecordedCase): Comparison {
  const { nvlink } = recorded;
  const { names, texts } = modulesOf(recorded);
  const only = (...differences: readonly string[]): Comparison => ({ differences, meant: [] });
  const checked = checkedBy(names, texts);
  const refused = nvlink.says.find((line) => line.startsWith("ptxas refuses"));
  if (typeof checked === "string" || refused !== undefined) {
    const isSame = typeof checked === "string" && refused !== undefined;
    return isSame
      ? only()
      : only(`${refused ?? "ptxas accepts"}; we ${typeof checked === "string" ? checked : "accept"}`);
  }
  const { image, diagnostics } = linkAll(checked, recorded.arch === undefined ? {} : { arch: recorded.arch });
  if (image === undefined) {
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
    if (nvlink.status === 0) return only(`nvlink accepts, we say ${errors.join("; ")}`);
    return only(...namesIn(nvlink.says).flatMap((name) => unnamed(name, errors)));
  }
  if (nvlink.says.some((line) => line.includes("Internal error"))) return only();
  if (nvlink.facts === undefined) return only(`we accept, nvlink (${nvlink.status}) says ${nvlink.says.join("; ")}`);
  const ours = factsOf(writeObject(image));
  const compared = compareFacts(texts, ours, nvlink.facts);
  if (compared.differences.length === 0 || recorded.byHand === undefined) return compared;
  const { shared, sections, reached } = recorded.byHand;
  const others = nvlink.facts.sections.filter((each) => !isSharedSection(each));
  const { differences, meant } = compareFacts(texts, ours, {
    ...nvlink.facts,
    shared,
    reached,
    sections: [...others, ...sections],
  });
  if (differences.length > 0) return { ...compared, differences };
  return { ...compared, differences, meant: [...meant, ...compared.differences] };
}

/** The objects, or what the checker says of the modules. */
function checkedBy(names: readonly string[], texts: readonly string[]): readonly RelocObject[] | string {
  try {
    return texts.map((text, i) => objectOf(names[i]!, text));
  } catch (error) {
    return (error as Error).message;
  }
}

const isSharedSection = ([name]: ImageFacts["sections"][number]): boolean => name.startsWith(".nv.shared.");

function compareFacts(texts: readonly string[], ours: ImageFacts, theirs: ImageFacts): Comparison {
  const differences: string[] = [];
  const meant: string[] = [];
  const tally = Object.fromEntries(
    (Object.keys(ours) as (keyof ImageFacts)[]).map((key) => {
      const [a, b] = [ours, theirs].map((facts) => new Set(factTexts(facts, key)));
      const mine = [...a!].filter((fact) => !b!.has(fact));
      const others = [...b!].filter((fact) => !a!.has(fact));
      const isLost = (fact: string): boolean =>
        isLostByNvlink(texts, key, JSON.parse(fact) as readonly unknown[], theirs);
      const known = mine.filter(isLost);
      // A static variable of the same name may stand where nvlink should have had the other.
      const hidden = key === "shared" ? [...a!].filter((fact) => b!.has(fact) && isLost(fact)) : [];
      const rest = mine.filter((fact) => !known.includes(fact));
      const dead = others.filter((fact) => isDead(theirs, key, JSON.parse(fact) as readonly unknown[]));
      const more = others.filter((fact) => isSaidBesides(texts, key, JSON.parse(fact) as readonly unknown[]));
      const gone = new Set(known.map((fact) => (JSON.parse(fact) as readonly unknown[])[0]));
      const moved = new Set(
        [...known, ...hidden].map((fact) => JSON.stringify(asNvlinkHas(key, JSON.parse(fact) as unknown, theirs))),
      );
      const wanted = others.filter((fact) => {
        const isCounted = key === "sections" && gone.has((JSON.parse(fact) as readonly unknown[])[0]);
        return !dead.includes(fact) && !more.includes(fact) && !isCounted && !moved.has(fact);
      });
      if (known.length > 0) meant.push(`${key}: nvlink loses ${known.join(" ")}`);
      if (dead.length > 0) meant.push(`${key}: nvlink keeps ${dead.join(" ")} in dead bytes`);
      if (more.length > 0)
        meant.push(`${key}: nvlink says ${more.join(" ")} of second names, or of data that code names`);
      if (rest.length + wanted.length > 0)
        differences.push(`${key}: ours ${rest.join(" ") || "-"}, nvlink's ${wanted.join(" ") || "-"}`);
      return [key, { all: a!.size, agreeing: a!.size - rest.length }];
    }),
  ) as Tally;
  return { differences, meant, tally };
}

/** Facts as text; bytes of sections that belong to no variable are 0, because nobody can read them. */
function factTexts(facts: ImageFacts, key: keyof ImageFacts): readonly string[] {
  if (key !== "sections") return facts[key].map((fact) => JSON.stringify(fact));
  return facts.sections.map(([name, size, align, hex]) => {
    if (hex === undefined) return JSON.stringify([name, size, align]);
    return JSON.stringify([name, size, align, liveBytes(facts, name, hex)]);
  });
}

/** The symbols that nvlink complains of. */
const namesIn = (says: readonly string[]): readonly string[] =>
  says.flatMap((line) => /^nvlink error\s*: .*? '([^']+)'/.exec(line)?.slice(1) ?? []);

const unnamed = (name: string, errors: readonly string[]): readonly string[] =>
  errors.some((message) => message.includes(name)) ? [] : [`nvlink complains of ${name}, we do not`];
