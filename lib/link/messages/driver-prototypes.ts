// Pass: checks declarations of the driver's functions. No module defines them, so there is no other declaration to compare them
// with, and nvlink 13.0 accepts any (found by linking calls with too few, too many and other parameters). A warning, because a
// wrong call would otherwise fail without explanation when the kernel runs.

import type { AddressSize } from "../../check/address-size.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { Parameter, Prototype } from "../../isa/code.js";
import { systemPrototypes } from "../../isa/system-functions.js";
import { describe, listText, prototypeText, symbolText } from "../model/describe.js";
import { moduleText, placeOf } from "../model/contributions.js";
import type { Meaning, ReadInputs } from "../model/linked.js";
import { passingDifference } from "./passing.js";
import { rankOf } from "../model/binding-rank.js";

/** Reports on the chosen declarations; another pass reports two declarations that differ. */
export function checkDriverPrototypes(
  inputs: ReadInputs,
  meanings: Iterable<Meaning>,
  addressSize: AddressSize,
  sink: DiagnosticSink,
): void {
  for (const { name, chosen, all } of meanings) {
    const { symbol } = chosen;
    const prototype = systemPrototypes[addressSize].get(name);
    if (prototype === undefined || symbol.kind !== "function" || rankOf(symbol) !== "declared") continue;
    const which = passingDifference(symbol.prototype, prototype);
    if (which === undefined) continue;
    const text = describe(symbol);
    const alike = all.filter((each) => describe(each.symbol) === text);
    const modules = listText(alike.map((each) => moduleText(inputs, each)));
    const right = prototypeText({ name, entry: false, prototype });
    sink.report(
      "driver-prototype",
      `${symbolText(name)} is a function of the driver, ${which}: ${text} in ${modules}, ${right} in the driver`,
      placeOf(inputs, chosen),
      {
        notes: alike
          .filter((each) => each !== chosen)
          .map((each) => ({ message: `declared here as ${text} too`, place: placeOf(inputs, each) })),
        remedy: `declare it so, or give a function of your own another name: ${declaration(name, prototype)}`,
      },
    );
  }
}

/** A function's declaration as PTX. */
function declaration(name: string, { returns, parameters }: Prototype): string {
  const listed = (stem: string, list: readonly Parameter[]) =>
    list
      .map(({ layout: { type, align, dimensions } }, i) =>
        dimensions.length === 0
          ? `.param .${type.name} ${stem}${i}`
          : `.param .align ${align} .${type.name} ${stem}${i}[${dimensions.join()}]`,
      )
      .join(", ");
  const result = returns.length === 0 ? "" : `(${listed("r", returns)}) `;
  return `.extern .func ${result}${name}(${listed("p", parameters)});`;
}
