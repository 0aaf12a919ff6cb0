// Lists which module uses which symbol of which other module, for --print-dependencies (mold's option of that name).

import { listOf } from "../../base/series.js";
import { isSame, moduleText } from "../model/contributions.js";
import type { LinkedNames } from "../model/linked.js";
import { rankOf } from "../model/binding-rank.js";
import { isLocal } from "../../object/object.js";

export interface Dependency {
  /** Names of the modules. */
  readonly from: string;
  readonly to: string;
  readonly symbol: string;
}

/** Each use of a symbol that another module defines, in link order; made again in each iteration. */
export const findDependencies = (linked: LinkedNames): Iterable<Dependency> => listOf(() => dependenciesOf(linked));

function* dependenciesOf({ inputs, resolution }: LinkedNames): Generator<Dependency, void, undefined> {
  for (let object = 0; object < inputs.length; object++) {
    const { symbols } = inputs.at(object)!;
    const mergedOf = resolution.mergedOf.at(object)!;
    for (let index = 0; index < symbols.length; index++) {
      const each = { object, index, symbol: symbols.at(index)! };
      if (rankOf(each.symbol) !== "declared") continue;
      const { name, chosen } = resolution.merged.at(mergedOf[index]!)!;
      if (isSame(each, chosen) || isLocal(chosen.symbol)) continue;
      if (rankOf(chosen.symbol) === "declared" && chosen.symbol.kind !== "reference") continue;
      yield { from: moduleText(inputs, each), to: moduleText(inputs, chosen), symbol: name };
    }
  }
}
