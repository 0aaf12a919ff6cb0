// Reports on kernels whose stack size is unknown because of recursion. nvlink warns once for each such kernel ("Stack size for
// entry function 'k' cannot be statically determined"), which has filled logs with gigabytes, and names no function; here it is
// one warning for the link, with the cycles of calls.

import type { DiagnosticSink } from "../../diag/sink.js";
import { findEndlessCalls, type Cycle, type EndlessStep } from "./call-chains.js";
import { symbolText } from "../model/describe.js";
import { placeOf } from "../model/contributions.js";
import type { Linked } from "../model/linked.js";

/** Limit of the kernels that the message names. */
const MAX_NAMED = 3;
/** Limit of the functions of a cycle that a note names. */
const MAX_STEPS = 8;

/** Call only if some kernel of the image is known to reach such calls. */
export function reportUnknownStacks(linked: Linked, sink: DiagnosticSink): void {
  const { inputs, resolution } = linked;
  const { kernels, cycles } = findEndlessCalls(linked);
  const [first, ...others] = cycles;
  if (first === undefined) return;
  const name = (at: number): string => symbolText(resolution.merged.at(at)!.name);
  const placeOfCycle = ([{ at }]: Cycle) => placeOf(inputs, resolution.merged.at(at)!.chosen);
  const named = kernels.slice(0, MAX_NAMED).map(name).join(", ");
  const more = kernels.length - MAX_NAMED;
  const whose =
    kernels.length === 1 ? `kernel ${named} needs` : `kernels ${named}${more > 0 ? ` and ${more} more` : ""} need`;
  sink.report(
    "unknown-stack",
    `the stack that ${whose} has no known size: ${cycleText(first, name)}`,
    placeOfCycle(first),
    {
      notes: others.map((cycle) => ({ message: cycleText(cycle, name), place: placeOfCycle(cycle) })),
      remedy:
        "give launches as much as the deepest calls need (cudaLimitStackSize); --print-call-graph shows who calls whom, and -Wno-unknown-stack says nothing of it",
    },
  );
}

/**
 * Describes a cycle: "'f' calls itself", "'f' calls 'g', which calls 'f'"; with the kind of call if no code names the function.
 */
function cycleText([first, ...steps]: Cycle, name: (at: number) => string): string {
  const call = ({ at, how }: EndlessStep): string => {
    const whom = steps.length === 1 ? "itself" : name(at);
    return how === "direct" ? `calls ${whom}` : `may call ${whom} through a register`;
  };
  const rest = steps.length - MAX_STEPS;
  return `${name(first.at)} ${steps.slice(0, MAX_STEPS).map(call).join(", which ")}${rest > 0 ? `, and so on in ${rest} more calls` : ""}`;
}
