// Pass: what a GPU cannot hold. The limits are nvlink's; the messages name the largest contributors, because they are what
// one would change. Sizes are bytes.

import type { Note } from "../diag/diagnostic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { bytesText, symbolText } from "./describe.js";
import { placeOf, type Inputs } from "./inputs.js";
import type { DataLayout } from "./layout.js";
import { bytesOf, type Merged } from "./resolve.js";
import type { SharedLayout } from "./shared.js";

/** The user's constant bank. */
const CONSTANT_BYTES = 65536;
/** Static shared memory of a block; more has to be dynamic, on every target. */
const SHARED_BYTES = 49152;
/** Bytes with initial values that an image may have unless the user allows more. */
export const DEFAULT_IMAGE_BYTES = 256 * 1024 * 1024;

/** How many contributors a message names. */
const NAMED = 5;

export function checkDataLimits(
  inputs: Inputs,
  merged: readonly Merged[],
  { joined }: DataLayout,
  maxImageBytes: number,
  sink: DiagnosticSink,
): void {
  const variables = (space: string) =>
    merged.filter(({ chosen: { symbol } }) => symbol.kind === "variable" && symbol.space === space);
  if (joined.constant.size > CONSTANT_BYTES)
    sink.report(
      "constant-bank",
      `${bytesText(joined.constant.size)} of .const variables in all modules; the constant bank has ${CONSTANT_BYTES}`,
      undefined,
      { notes: largest(inputs, variables("const")), remedy: "move tables to .global" },
    );
  const initialised = joined["global-init"].size + joined.constant.size;
  if (initialised > maxImageBytes)
    sink.report(
      "image-too-large",
      `the image would have ${bytesText(initialised)} of initialised data; at most ${maxImageBytes} are allowed`,
      undefined,
      { notes: largest(inputs, variables("global")), remedy: "raise --max-image-size" },
    );
}

export function checkSharedLimits(
  inputs: Inputs,
  merged: readonly Merged[],
  reached: ReadonlyMap<number, readonly number[]>,
  { kernels }: SharedLayout,
  sink: DiagnosticSink,
): void {
  for (const [kernel, { size }] of kernels) {
    if (size <= SHARED_BYTES) continue;
    const { chosen, name } = merged[kernel]!;
    sink.report(
      "shared-limit",
      `kernel ${symbolText(name)} uses ${bytesText(size)} of static shared memory; a block has ${SHARED_BYTES}`,
      placeOf(inputs, chosen),
      {
        notes: largest(
          inputs,
          reached.get(kernel)!.map((symbol) => merged[symbol]!),
        ),
        remedy: "make the largest one dynamic: `.extern .shared x[]`, sized at the launch",
      },
    );
  }
}

function largest(inputs: Inputs, variables: readonly Merged[]): readonly Note[] {
  return variables
    .toSorted((a, b) => bytesOf(b.chosen.symbol) - bytesOf(a.chosen.symbol))
    .slice(0, NAMED)
    .map(({ name, chosen }) => ({
      message: `${symbolText(name)} has ${bytesText(bytesOf(chosen.symbol))}`,
      place: placeOf(inputs, chosen),
    }));
}
