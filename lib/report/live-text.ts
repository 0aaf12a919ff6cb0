// The reports of --print-gc-sections and --why-live, as text and as rows of a JSON document. A line begins with the symbol's
// place, as in diagnostics, so that editors can jump to it.

import { listOf } from "../base/series.js";
import type { LinePlace } from "../diag/diagnostic.js";
import type { RemovedSymbol } from "../link/gc/collect-options.js";
import { bytesText, symbolText } from "../link/model/describe.js";
import { sourceLine } from "../link/model/contributions.js";
import { joinFields, mapName } from "../link/reports/map-rows.js";
import type { LiveStep, WhyLive } from "../link/gc/why-live.js";
import { inObject } from "./in-object.js";
import type { RemovedRow, WhyLiveRow, WhyLiveStep } from "./link-json.js";

const placeText = ({ file, line }: LinePlace): string => `${file}:${line}`;

// --------------------------------------------------------------------------------------------------------------- removed

/** A line for each symbol. */
export const removedText = (removed: Iterable<RemovedSymbol>): string => [...removedLines(removed)].join("");

/** The lines of `removedText`, each with a line end. */
export function* removedLines(removed: Iterable<RemovedSymbol>): Generator<string, void, undefined> {
  for (const { name, what, bytes, place, lostTo } of removed) {
    const reason = lostTo === undefined ? "no root reaches it" : `lost to the definition at ${placeText(lostTo)}`;
    yield `${placeText(place)}: removed ${symbolText(name)}, ${what}, ${bytesText(bytes)}: ${reason}${inObject(place)}\n`;
  }
}

export const removedJson = (removed: Iterable<RemovedSymbol>): Iterable<RemovedRow> =>
  listOf(function* () {
    for (const { name, what, bytes, place, lostTo } of removed)
      yield joinFields(
        mapName(name),
        { what, bytes },
        sourceLine(place),
        lostTo === undefined
          ? { reason: "unreached" as const }
          : { reason: "lost" as const, lostTo: sourceLine(lostTo) },
      );
  });

// -------------------------------------------------------------------------------------------------------------- why live

/** A block for each symbol: the chain from the symbol to its root, in lld's format of references. */
export const whyLiveText = (answers: Iterable<WhyLive>): string => [...whyLiveBlocks(answers)].join("");

/** The blocks of `whyLiveText`, each with a line end. */
export function* whyLiveBlocks(answers: Iterable<WhyLive>): Generator<string, void, undefined> {
  for (const answer of answers) yield `${answerLines(answer).join("\n")}\n`;
}

function answerLines(answer: WhyLive): readonly string[] {
  switch (answer.kind) {
    case "unknown": {
      const near = answer.nearest.map(symbolText).join(", ");
      return [
        `no symbol ${symbolText(answer.name)} in the inputs`,
        ...(near === "" ? [] : [`>>> did you mean ${near}?`]),
      ];
    }
    case "unreached": {
      const head = `${placeText(answer.place)}: ${symbolText(answer.name)}, ${answer.what}`;
      return answer.isKept
        ? [
            `${head}, is kept: nothing is dropped without --gc-sections${inObject(answer.place)}`,
            ">>> no root reaches it",
          ]
        : [`${head}, is not live${inObject(answer.place)}`, ">>> no root reaches it"];
    }
    case "live": {
      const steps = answer.chain.toReversed();
      const { name, what, place } = steps[0]!;
      return [
        `${placeText(place)}: ${symbolText(name)}, ${what}, is live${inObject(place)}`,
        ...steps.slice(0, -1).map((step, i) => stepLine(step, steps[i + 1]!)),
        `>>> ${steps.length === 1 ? "" : `${symbolText(steps.at(-1)!.name)} is `}a root: ${answer.root}`,
      ];
    }
  }
}

function stepLine({ reference, place }: LiveStep, { name, isAlias = false }: LiveStep): string {
  const where = placeText(reference ?? place) + inObject(reference ?? place);
  return isAlias
    ? `>>> aliased by ${symbolText(name)} at ${where}`
    : `>>> referred to by ${symbolText(name)} at ${where}`;
}

export const whyLiveJson = (answers: Iterable<WhyLive>): Iterable<WhyLiveRow> =>
  listOf(function* () {
    for (const answer of answers) yield answerJson(answer);
  });

function answerJson(answer: WhyLive): WhyLiveRow {
  switch (answer.kind) {
    case "unknown":
      return joinFields(mapName(answer.name), {
        live: false as const,
        reason: "unknown" as const,
        nearest: answer.nearest,
      });
    case "unreached":
      return joinFields(
        mapName(answer.name),
        { live: false as const, reason: "unreached" as const, kept: answer.isKept, what: answer.what },
        sourceLine(answer.place),
      );
    case "live":
      return joinFields(mapName(answer.name), {
        live: true as const,
        root: answer.root,
        chain: answer.chain.map(stepJson),
      });
  }
}

const stepJson = ({ name, what, place, reference, isAlias }: LiveStep): WhyLiveStep =>
  joinFields(
    mapName(name),
    { what },
    sourceLine(place),
    reference === undefined ? undefined : { reference: sourceLine(reference) },
    isAlias === undefined ? undefined : { isAlias },
  );
