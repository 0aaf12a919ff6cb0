// Pass: reports kernels with the same name. A host looks up a kernel by its name alone, and gets one. Kernels that are not
// .visible remain separate when modules are linked, so an image may contain several (nvlink makes such images silently).

import type { DiagnosticSink } from "../../diag/sink.js";
import { describe, symbolText } from "../model/describe.js";
import { placeOf, type Contribution } from "../model/contributions.js";
import type { ReadInputs } from "../model/linked.js";

/** Reports names that several of the given kernels have; kernels are in link order. */
export function reportKernelNames(inputs: ReadInputs, kernels: Iterable<Contribution>, sink: DiagnosticSink): void {
  const byName = new Map<string, Contribution[]>();
  for (const kernel of kernels) {
    const { name } = kernel.symbol;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [kernel]);
    else known.push(kernel);
  }
  for (const [name, kernels] of byName) {
    if (kernels.length === 1) continue;
    const definitions = kernels.map((each) => ({ place: placeOf(inputs, each), as: describe(each.symbol) }));
    sink.report(
      "ambiguous-kernel",
      `${kernels.length} kernels are named ${symbolText(name)}, and a launch by that name gets one of them`,
      definitions[1]!.place,
      { definitions, remedy: "give each a name of its own; .visible makes a second one an error" },
    );
  }
}
