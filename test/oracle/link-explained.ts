// What nvlink loses in silence, and what it keeps for nobody, so that a comparison can tell both from faults of ours;
// docs/linking.md, "Differences from nvlink".

import { EIATTR } from "../../formats/cuda/index.js";
import type { ImageFacts } from "./image-facts.js";

/**
 * Whether a fact that only our image has is one that nvlink drops: an address in constant data that goes through a name of
 * which some module's .weak definition was not chosen. The pointer stays 0 then, be it a relocation or an offset in the
 * bank; in .global data the same address is right. Of shared variables, whether nvlink's symbol has the system's bytes twice;
 * of the call graph, what isLostCall says.
 */
export function isLostByNvlink(
  texts: readonly string[],
  key: keyof ImageFacts,
  fact: readonly unknown[],
  theirs: ImageFacts,
): boolean {
  if (key === "shared") {
    const [, , name] = fact as ImageFacts["shared"][number];
    const twice = JSON.stringify(withSystemTwice(fact as ImageFacts["shared"][number]));
    return isDefinedAgain(texts, name) && theirs.shared.some((other) => JSON.stringify(other) === twice);
  }
  if (key === "calls") return isLostCall(texts, fact as ImageFacts["calls"][number]);
  if (key === "relocations" && addedNeighbour(fact as Relocation, theirs) !== undefined) return true;
  if (fact[0] !== ".nv.constant3") return false;
  if (key === "relocations") return isDefinedAgain(texts, String(fact[3]));
  const other = theirs.sections.find(([name]) => name === fact[0]);
  if (key !== "sections" || other === undefined || other[1] !== fact[1] || other[2] !== fact[2]) return false;
  const [mine, zeroed] = [String(fact[3]), liveBytes(theirs, other[0], other[3] ?? "")];
  return [...mine].every((digit, i) => digit === zeroed[i] || zeroed[i] === "0");
}

/**
 * A shared variable as nvlink's symbols have it from sm_90 on where it replaced a `.weak` one: the 1024 bytes that the system
 * has in front of the program's are counted twice.
 */
const withSystemTwice = ([offset, size, name]: ImageFacts["shared"][number]): ImageFacts["shared"][number] => [
  offset + 0x400,
  size,
  name,
];

type Relocation = ImageFacts["relocations"][number];

/**
 * nvlink's record of an address in a holder of 32 bits, up to sm_89, where relocations have their addends in place: it reads
 * eight bytes, so that the upper half is what stands behind the holder, and behind the end of the module's section something else
 * on each run. Undefined where it has no such record.
 */
function addedNeighbour([section, offset, , symbol, addend]: Relocation, { relocations }: ImageFacts) {
  return relocations.find(
    (other) =>
      other[0] === section &&
      other[1] === offset &&
      other[3] === symbol &&
      other[4] !== addend &&
      (BigInt(other[4]) - BigInt(addend)) % 0x1_0000_0000n === 0n,
  );
}

/** The fact of nvlink's that stands for one of ours which isLostByNvlink knows; undefined where none does. */
export function asNvlinkHas(key: keyof ImageFacts, fact: unknown, theirs: ImageFacts): unknown {
  if (key === "shared") return withSystemTwice(fact as ImageFacts["shared"][number]);
  return key === "relocations" ? addedNeighbour(fact as Relocation, theirs) : undefined;
}

/** Whether a .weak definition of the name was not chosen. */
export function isDefinedAgain(texts: readonly string[], name: string): boolean {
  const defines = (word: string): number =>
    texts.filter((text) => new RegExp(`^\\.${word} .*\\b${name}\\b`, "m").test(text)).length;
  return defines("weak") > 0 && defines("weak") + defines("visible") > 1;
}

/** A section's bytes in hexadecimal, with 0 for those of no variable. */
export function liveBytes({ variables }: ImageFacts, section: string, hex: string): string {
  const bytes = Buffer.from(hex, "hex");
  const live = Buffer.alloc(bytes.length);
  for (const [of, offset, length] of variables) if (of === section) bytes.copy(live, offset, offset, offset + length);
  return live.toString("hex");
}

/** Whether a relocation that only nvlink keeps is in bytes of no variable: those of a definition that lost. */
export function isDead({ variables }: ImageFacts, key: keyof ImageFacts, fact: readonly unknown[]): boolean {
  if (key !== "relocations") return false;
  const [section, offset] = [fact[0], Number(fact[1])];
  return !variables.some(([of, start, size]) => of === section && start <= offset && offset < start + size);
}

/** What a SAMPLER_INIT has of a sampler that is declared `.extern`; ours have none of those. */
const NOTHING_SET = 0xffff_ffff;

/**
 * Whether what only nvlink's call graph has is what ours leaves out on purpose (docs/format.md, "Attributes, call graph,
 * prototypes"): that a second name calls the first, and whoever uses the one, the other; addresses in the data that code names;
 * calls by a definition that lost.
 */
export function isSaidBesides(texts: readonly string[], key: keyof ImageFacts, fact: readonly unknown[]): boolean {
  if (key === "attributes") return fact[1] === EIATTR.SAMPLER_INIT && String(fact[2]).endsWith(` ${NOTHING_SET}`);
  if (key !== "calls") return false;
  const [list, user, target] = fact as ImageFacts["calls"][number];
  const name = list === 2 ? user : target;
  if (texts.some((text) => new RegExp(`^\\.alias \\w+, ${name};`, "m").test(text))) return true;
  if (list === 4) return texts.some((text) => new RegExp(`=[^;]*\\b${name}\\b`).test(text));
  return list === 1 && isDefinedAgain(texts, user);
}

/** An address that nvlink does not count as taken (takingLost), or one of two names of a function in a list of targets. */
function isLostCall(texts: readonly string[], [list, user, target]: ImageFacts["calls"][number]): boolean {
  if (list === 2) return isDefinedAgain(texts, user);
  if (list !== 1) return false;
  const pairs = texts.flatMap((text) => [...text.matchAll(/^\.alias (\w+), (\w+);/gm)].map(([, ...names]) => names));
  const pair = pairs.find((names) => names.includes(target));
  if (pair === undefined) return false;
  return texts.some((text) => pair.every((name) => new RegExp(`\\.calltargets [^;]*\\b${name}\\b`).test(text)));
}

/**
 * A module that takes the addresses which nvlink does not count as taken: those in the data, and in code that lost, of modules
 * whose own `.weak` definition of the function lost. Any other module's data makes it count them. Undefined where there are none.
 */
export function takingLost(texts: readonly string[]): string | undefined {
  const headers = new Map<string, string>();
  for (const text of texts)
    for (const [line, signature, name] of text.matchAll(/^\.weak (\.func [^;{]*?\b(\w+)\([^;{]*\)) \{/gm)) {
      // Its own code may take it, too.
      const rest = text.split("\n").map((other) => (other.startsWith(line) ? other.slice(line.length) : other));
      const isTaken = rest.some((other) => new RegExp(`(?:=.*|mov\\.u64 %\\w+, )\\b${name}\\b`).test(other));
      if (isTaken && isDefinedAgain(texts, name!)) headers.set(name!, signature!);
    }
  if (headers.size === 0) return undefined;
  const head = texts[0]!.split("\n").filter((line) => /^\.(?:version|target|address_size)/.test(line));
  const lines = [...headers].flatMap(([name, signature], i) => [
    `.extern ${signature};`,
    `.global .u64 taken_${i} = ${name};`,
  ]);
  return `${[...head, ...lines].join("\n")}\n`;
}
