// Pass: what a GPU cannot hold. The limits are nvlink's; the messages name the largest contributors, because they are what
// one would change, and say how much is left by definitions that nothing uses. Sizes are bytes.

import { MAX_CONSTANT_BYTES, MAX_STATIC_SHARED_BYTES } from "../../formats/cuda/index.js";
import type { Note } from "../diag/diagnostic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { Target } from "../isa/requirement.js";
import { bytesText, symbolText } from "./describe.js";
import { placeOf, type Contribution, type Inputs } from "./inputs.js";
import type { DataLayout, DataRole } from "./layout.js";
import { bytesOf, type Merged, type Resolution } from "./resolve.js";
import type { SharedUses } from "./shared-reach.js";
import type { SharedLayout } from "./shared.js";

/** Bytes with initial values that an image may have unless the user allows more. */
export const DEFAULT_IMAGE_BYTES = 256 * 1024 * 1024;

/** How many contributors a message names. */
const NAMED = 5;
/** Of how many kernels: each takes a walk over all that it reaches. */
const MOST_LISTED = 100;

/**
 * Most shared memory of a block, dynamic included, in KiB (CUDA Programming Guide 13.0, "Compute Capabilities"; from sm_90 on
 * ptxas and nvlink say so themselves, because it is the limit of static memory for sm_90a and its kin).
 */
const blockSharedKiB: readonly (readonly [sinceSm: number, kibibytes: number])[] = [
  [75, 64],
  [80, 163],
  [86, 99],
  [87, 163],
  [89, 99],
  [90, 227],
  [120, 99],
];

const blockSharedBytes = ({ sm }: Target): number =>
  1024 * (blockSharedKiB.findLast(([since]) => since <= sm) ?? blockSharedKiB[0]!)[1];

/** Most bytes of static shared memory of a kernel: all that a block can have where the target is one architecture ("a"). */
export const staticSharedLimit = (target: Target): number =>
  target.suffix === "a" ? blockSharedBytes(target) : MAX_STATIC_SHARED_BYTES;

export function checkDataLimits(
  inputs: Inputs,
  resolution: Resolution,
  { joined }: DataLayout,
  maxImageBytes: number,
  sink: DiagnosticSink,
): void {
  const constants = joined.constant.size;
  if (constants > MAX_CONSTANT_BYTES) {
    const all = definitionsIn(inputs, resolution, ["constant"]);
    const drop = all.some(({ isDead }) => isDead) ? ", or drop what lost to other definitions with --gc-sections" : "";
    sink.report(
      "constant-bank",
      `${bytesText(constants)} of .const variables in all modules; the constant bank has ${MAX_CONSTANT_BYTES}`,
      undefined,
      { notes: largest(inputs, all, constants), remedy: `move tables to .global${drop}` },
    );
  }
  const initialised = joined["global-init"].size + constants;
  if (initialised > maxImageBytes) {
    const all = definitionsIn(inputs, resolution, ["constant", "global-init"]);
    sink.report(
      "image-too-large",
      `the image would have ${bytesText(initialised)} of initialised data; at most ${maxImageBytes} are allowed`,
      undefined,
      { notes: largest(inputs, all, initialised), remedy: "raise --max-image-size" },
    );
  }
}

export function checkSharedLimits(
  inputs: Inputs,
  merged: readonly Merged[],
  { variablesOf }: SharedUses,
  { kernels, dead }: SharedLayout,
  target: Target,
  sink: DiagnosticSink,
): void {
  const most = blockSharedBytes(target);
  const limit = staticSharedLimit(target);
  const replacedNote = merged.some(({ replaced }) => replaced !== undefined)
    ? [{ message: "--gc-sections leaves out what weak definitions that were replaced have and call" }]
    : [];
  let listed = 0;
  for (const [kernel, { size }] of kernels) {
    if (size <= limit) continue;
    const { chosen, name } = merged[kernel]!;
    const contributors = (listed++ < MOST_LISTED ? variablesOf(kernel) : []).flatMap((symbol): Contributor[] => {
      const { chosen: own, replaced } = merged[symbol]!;
      const before = dead.has(symbol) ? replaced : undefined;
      return [{ ...own, isDead: false }, ...(before === undefined ? [] : [{ ...before, isDead: true }])];
    });
    sink.report(
      "shared-limit",
      `kernel ${symbolText(name)} uses ${bytesText(size)} of static shared memory; a block has ${limit}`,
      placeOf(inputs, chosen),
      {
        notes: [...(contributors.length === 0 ? [] : largest(inputs, contributors, size)), ...replacedNote],
        remedy:
          size <= most
            ? `make the largest one dynamic: \`.extern .shared x[]\`, sized at the launch; a block of ${target.name} then has ${most}`
            : `use less: a block of ${target.name} has at most ${most} of shared memory, dynamic included`,
      },
    );
  }
}

/** A definition with bytes in a memory; dead where another of its name was taken. */
interface Contributor extends Contribution {
  readonly isDead: boolean;
}

function definitionsIn(
  inputs: Inputs,
  { merged, mergedOf }: Resolution,
  roles: readonly DataRole[],
): readonly Contributor[] {
  return inputs.flatMap(({ symbols, sections }, object) =>
    symbols.flatMap((symbol, index): Contributor[] => {
      if (symbol.placement.kind !== "section") return [];
      const { kind } = sections[symbol.placement.section]!.role;
      if (!roles.some((role) => role === kind)) return [];
      const { chosen } = merged[mergedOf[object]![index]!]!;
      return [{ object, index, symbol, isDead: chosen.object !== object || chosen.index !== index }];
    }),
  );
}

/** A note for each of the largest, and one that counts the rest of the `total`. */
function largest(inputs: Inputs, contributors: readonly Contributor[], total: number): readonly Note[] {
  const sorted = contributors.toSorted((a, b) => bytesOf(b.symbol) - bytesOf(a.symbol));
  const named = sorted.slice(0, NAMED);
  const rest = total - named.reduce((sum, { symbol }) => sum + bytesOf(symbol), 0);
  const others = sorted.length - named.length;
  const notes = named.map((each): Note => ({
    message:
      `${symbolText(each.symbol.name)} has ${bytesText(bytesOf(each.symbol))}` +
      (each.isDead ? ", though another definition was taken" : ""),
    place: placeOf(inputs, each),
  }));
  if (others === 0) return notes;
  return [...notes, { message: `${others} more and padding have ${bytesText(rest)}` }];
}
