// Pass: what is kept in the order that is asked for (symbol-order.ts): every variable by itself (separate.ts), for layout.ts to place,
// and functions' code. Names that nothing has are told of.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Inputs } from "../inputs.js";
import { isDataRole } from "./layout.js";
import type { LinkOptions } from "../options.js";
import type { Resolution } from "../names/resolve.js";
import { separateVariables } from "./separate.js";
import type { Kept } from "../settle.js";
import { bySymbols, NO_NAMES, reportUnknown, unknownNames, type SymbolOrder } from "./symbol-order.js";
import { keepTexts, type KeptTexts } from "./texts.js";

export function arrange(kept: Kept, { symbolOrder }: LinkOptions, sink: DiagnosticSink): Kept {
  if (symbolOrder === undefined) return kept;
  const { names } = symbolOrder;
  if (names !== undefined) {
    const known = namesInReach(kept.inputs, kept.resolution);
    reportUnknown(
      unknownNames(names, (name) => known.has(name)),
      sink,
    );
  }
  const { inputs, resolution } = separateVariables(kept);
  return { inputs, resolution, texts: orderTexts(keepTexts(inputs, resolution), resolution, symbolOrder) };
}

/** By the names; sorting is of variables. */
const orderTexts = (texts: KeptTexts, { merged }: Resolution, { names = NO_NAMES }: SymbolOrder): KeptTexts =>
  bySymbols(texts, { names }, ({ symbol }) => ({ names: [merged[symbol]!.name], align: 1 }));

/** The names of what is in the order's reach. */
function namesInReach(inputs: Inputs, { merged }: Resolution): ReadonlySet<string> {
  const known = new Set<string>();
  for (const { name, chosen } of merged) {
    const { placement } = chosen.symbol;
    const role = placement.kind === "section" ? inputs[chosen.object]!.sections[placement.section]!.role : undefined;
    if (placement.kind === "common" || (role !== undefined && (role.kind === "text" || isDataRole(role))))
      known.add(name);
  }
  return known;
}
