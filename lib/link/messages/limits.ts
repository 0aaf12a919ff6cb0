// Pass: limits of a GPU. The limits are nvlink's. Messages name the largest contributors, which are the candidates for changes,
// and report how many bytes belong to unused definitions. Sizes are bytes.

import { MAX_CONSTANT_BYTES } from "../../../formats/cuda/index.js";
import { valuesOf } from "../../base/series.js";
import type { Note } from "../../diag/diagnostic.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { Target } from "../../isa/requirement.js";
import { bytesText, symbolText } from "../model/describe.js";
import { isSame, placeOf, type Contribution } from "../model/contributions.js";
import type { DataRole, LinkedNames, ReadNames } from "../model/linked.js";
import { bytesOf } from "../model/binding-rank.js";
import type { SharedUses } from "../shared/shared-reach.js";
import type { SharedLayout } from "../shared/shared.js";
import { blockSharedBytes, staticSharedLimit } from "../layout/limits.js";

/** Limit of the contributors that a message names. */
const NAMED = 5;
/** Limit of the kernels with a list of contributors: each list takes a walk over everything that the kernel reaches. */
const MAX_LISTED = 100;

export function checkDataLimits(
  names: LinkedNames,
  { constant, "global-init": init }: { readonly [Role in "constant" | "global-init"]: { readonly size: number } },
  maxImageBytes: number,
  sink: DiagnosticSink,
): void {
  if (constant.size > MAX_CONSTANT_BYTES) {
    const largest = findLargest(definitionsIn(names, ["constant"]));
    const drop = largest.hasDead ? ", or drop what lost to other definitions with --gc-sections" : "";
    sink.report(
      "constant-bank",
      `${bytesText(constant.size)} of .const variables in all modules; the constant bank has ${MAX_CONSTANT_BYTES}`,
      undefined,
      { notes: notesOn(names, largest, constant.size), remedy: `move tables to .global${drop}` },
    );
  }
  const initialised = init.size + constant.size;
  if (initialised > maxImageBytes) {
    const largest = findLargest(definitionsIn(names, ["constant", "global-init"]));
    sink.report(
      "image-too-large",
      `the image would have ${bytesText(initialised)} of initialised data; at most ${maxImageBytes} are allowed`,
      undefined,
      { notes: notesOn(names, largest, initialised), remedy: "raise --max-image-size" },
    );
  }
}

export function checkSharedLimits(
  names: LinkedNames,
  { variablesOf }: Pick<SharedUses, "variablesOf">,
  { kernels, dead, systemBytes }: SharedLayout,
  target: Target,
  sink: DiagnosticSink,
): void {
  const limit = staticSharedLimit(target);
  const excess = [...kernels].flatMap(([kernel, { size }]) =>
    size - systemBytes > limit ? [[kernel, size - systemBytes] as const] : [],
  );
  if (excess.length === 0) return;
  const most = blockSharedBytes(target);
  const { merged } = names.resolution;
  const replacedNote = hasReplaced(merged)
    ? [{ message: "--gc-sections leaves out what weak definitions that were replaced have and call" }]
    : [];
  for (const [i, [kernel, size]] of excess.entries()) {
    const { chosen, name } = merged.at(kernel)!;
    const contributors = (i < MAX_LISTED ? variablesOf(kernel) : []).flatMap((symbol): Contributor[] => {
      const { chosen: own, replaced } = merged.at(symbol)!;
      const before = dead.has(symbol) ? replaced : undefined;
      return [contributor(own, false), ...(before === undefined ? [] : [contributor(before, true)])];
    });
    sink.report(
      "shared-limit",
      `kernel ${symbolText(name)} uses ${bytesText(size)} of static shared memory; a block has ${limit}`,
      placeOf(names.inputs, chosen),
      {
        notes: [...(contributors.length === 0 ? [] : notesOn(names, findLargest(contributors), size)), ...replacedNote],
        remedy:
          size <= most
            ? `make the largest one dynamic: \`.extern .shared x[]\`, sized at the launch; a block of ${target.name} then has ${most}`
            : `use less: a block of ${target.name} has at most ${most} of shared memory, dynamic included`,
      },
    );
  }
}

function hasReplaced(merged: ReadNames["merged"]): boolean {
  for (const { replaced } of valuesOf(merged)) if (replaced !== undefined) return true;
  return false;
}

/** A definition with bytes in a memory; dead if it lost to another one. */
interface Contributor extends Contribution {
  readonly isDead: boolean;
}

/** Copy field by field: symbols are views with accessors, which a spread would lose. */
const contributor = ({ object, index, symbol }: Contribution, isDead: boolean): Contributor => ({
  object,
  index,
  symbol,
  isDead,
});

function* definitionsIn({ inputs, resolution }: LinkedNames, roles: readonly DataRole[]): Generator<Contributor> {
  for (let object = 0; object < inputs.length; object++) {
    const { symbols, sections } = inputs.at(object)!;
    const isWanted = Array.from(valuesOf(sections), ({ role: { kind } }) => roles.some((role) => role === kind));
    for (let index = 0; index < symbols.length; index++) {
      const symbol = symbols.at(index)!;
      if (symbol.placement.kind !== "section" || isWanted[symbol.placement.section] !== true) continue;
      const { chosen } = resolution.merged.at(resolution.mergedOf.at(object)![index]!)!;
      yield { object, index, symbol, isDead: !isSame(chosen, { object, index }) };
    }
  }
}

interface Largest {
  /** Largest first; equal sizes keep their order. */
  readonly named: readonly Contributor[];
  /** Number of contributors that are not named. */
  readonly others: number;
  readonly hasDead: boolean;
}

function findLargest(contributors: Iterable<Contributor>): Largest {
  const named: Contributor[] = [];
  let others = 0;
  let hasDead = false;
  for (const each of contributors) {
    hasDead ||= each.isDead;
    const size = bytesOf(each.symbol);
    // Dynamic memory has no size before a launch.
    if (size === 0) continue;
    let at = named.length;
    while (at > 0 && bytesOf(named[at - 1]!.symbol) < size) at--;
    named.splice(at, 0, each);
    if (named.length <= NAMED) continue;
    named.pop();
    others++;
  }
  return { named, others, hasDead };
}

/** A note for each of the largest, and one for the rest of the `total`. */
function notesOn({ inputs }: LinkedNames, { named, others }: Largest, total: number): readonly Note[] {
  const rest = total - named.reduce((sum, { symbol }) => sum + bytesOf(symbol), 0);
  const notes = named.map((each): Note => ({
    message:
      `${symbolText(each.symbol.name)} has ${bytesText(bytesOf(each.symbol))}` +
      (each.isDead ? ", though another definition was taken" : ""),
    place: placeOf(inputs, each),
  }));
  if (others === 0) return notes;
  return [...notes, { message: `${others} more and padding have ${bytesText(rest)}` }];
}
