// The reports of --print-gc-sections and --why-live, as text and as what goes into a JSON document. A line begins with the
// symbol's place, as diagnostics do, so that editors jump there.

import { demangle } from "../../formats/itanium/index.js";
import type { LinePlace } from "../diag/diagnostic.js";
import { bytesText, symbolText } from "../link/describe.js";
import { sourceLine } from "../link/inputs.js";
import type { RemovedSymbol } from "../link/removed.js";
import type { LiveStep, WhyLive } from "../link/why-live.js";
import { inObject } from "./in-object.js";

const placeText = ({ file, line }: LinePlace): string => `${file}:${line}`;

// --------------------------------------------------------------------------------------------------------------- removed

/** A line for each symbol. */
export function removedText(removed: readonly RemovedSymbol[]): string {
  return removed
    .map(({ name, what, bytes, place, lostTo }) => {
      const reason = lostTo === undefined ? "no root reaches it" : `lost to the definition at ${placeText(lostTo)}`;
      return `${placeText(place)}: removed ${symbolText(name)}, ${what}, ${bytesText(bytes)}: ${reason}${inObject(place)}\n`;
    })
    .join("");
}

export function removedJson(removed: readonly RemovedSymbol[]): readonly object[] {
  return removed.map(({ name, what, bytes, place, lostTo }) => ({
    ...names(name),
    what,
    bytes,
    ...sourceLine(place),
    reason: lostTo === undefined ? "unreached" : "lost",
    ...(lostTo === undefined ? {} : { lostTo: sourceLine(lostTo) }),
  }));
}

// -------------------------------------------------------------------------------------------------------------- why live

/** A block for each symbol: from the symbol back to its root, as lld writes references. */
export function whyLiveText(answers: readonly WhyLive[]): string {
  return answers.map((answer) => `${answerLines(answer).join("\n")}\n`).join("");
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

export function whyLiveJson(answers: readonly WhyLive[]): readonly object[] {
  return answers.map((answer) => {
    switch (answer.kind) {
      case "unknown":
        return { ...names(answer.name), live: false, reason: "unknown", nearest: answer.nearest };
      case "unreached":
        return {
          ...names(answer.name),
          live: false,
          reason: "unreached",
          kept: answer.isKept,
          what: answer.what,
          ...sourceLine(answer.place),
        };
      case "live":
        return {
          ...names(answer.name),
          live: true,
          root: answer.root,
          chain: answer.chain.map(({ name, what, place, reference, isAlias }) => ({
            ...names(name),
            what,
            ...sourceLine(place),
            ...(reference === undefined ? {} : { reference: sourceLine(reference) }),
            ...(isAlias === undefined ? {} : { isAlias }),
          })),
        };
    }
  });
}

function names(name: string) {
  const demangled = demangle(name);
  return { name, ...(demangled === undefined ? {} : { demangled }) };
}
