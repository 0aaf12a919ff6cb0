// Pass: which architecture the image is for, and whether every input may be linked for it. What goes together was found by
// asking nvlink 13.0 for each pair of its targets (testdata/oracle/link/targets.json).

import type { DiagnosticSink } from "../diag/sink.js";
import { parseTarget, type PtxVersion, type Target } from "../isa/requirement.js";
import { family, knownTarget } from "../isa/targets.table.js";
import type { Inputs } from "./inputs.js";

/** Inputs for older architectures are taken as for this one, as the assembler of CUDA 13 has none older. */
const OLDEST_SM = 75;

/** The architectures of these run each other's code, the older ones' on the newer; any other only its family's. */
const ampereAndAda: readonly number[] = [80, 86, 89];

/** Whether code for `input` may go into an image for `image`. */
export function linksInto(input: Target, image: Target): boolean {
  const [from, to] = [effective(input).sm, effective(image).sm];
  if (from === to) return true;
  if (from > to || input.suffix === "a") return false;
  return family(from) === family(to) || (ampereAndAda.includes(from) && ampereAndAda.includes(to));
}

function effective(target: Target): Target {
  return target.sm >= OLDEST_SM ? target : { name: `sm_${OLDEST_SM}`, sm: OLDEST_SM, suffix: "" };
}

export interface Goal {
  readonly target: Target;
  /** The latest of the inputs, and late enough for the target. */
  readonly version: PtxVersion;
}

/** `arch`: what the user asked for, else the first input's target. Undefined when that is not a target's name. */
export function chooseTarget(inputs: Inputs, arch: string | undefined, sink: DiagnosticSink): Goal | undefined {
  const asked = arch === undefined ? inputs[0]!.target : parseTarget(arch);
  if (asked === undefined) {
    sink.report("unknown-target", `${JSON.stringify(arch)} is no target`, undefined, {
      remedy: "name one like sm_90, sm_90a or sm_100f",
    });
    return undefined;
  }
  const target = effective(asked);
  for (const input of inputs) {
    if (linksInto(input.target, target)) continue;
    const reason = arch === undefined ? `the first input, ${inputs[0]!.name}, is for` : "--arch asks for";
    sink.report(
      "incompatible-target",
      `${input.name} is for ${input.target.name}, which cannot be linked for ${target.name}`,
      { kind: "file", file: input.name },
      {
        notes: [{ message: `${reason} ${asked.name}` }],
        remedy: "build every module for one target, or give --arch",
      },
    );
  }
  return { target, version: versionFor(target, inputs) };
}

/** The latest version of the inputs, and late enough for the target. */
export function versionFor(target: Target, inputs: Inputs): PtxVersion {
  const least = knownTarget(target.name)?.since ?? 0;
  return inputs.reduce((latest, { version }) => Math.max(latest, version), least);
}
