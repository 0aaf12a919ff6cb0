// Reports a selection without kernels: no inputs, or kernels only in members that nothing refers to.

import type { DiagnosticSink } from "../../diag/sink.js";
import { listText, subjectText } from "../model/describe.js";
import type { LazyInput } from "./lazy-input.js";
import type { DefinedName } from "./member-names.js";
import type { Selection } from "./select-archive.js";

/**
 * Reports a link without inputs, and one without a kernel (unless allowed) although members that were not extracted have kernels.
 * `archives`: names of archives that contributed nothing and may be empty.
 */
export function checkKernels(
  { inputs, left, hasKernels }: Selection,
  archives: readonly string[],
  wantsKernels: boolean,
  sink: DiagnosticSink,
): void {
  if (inputs.length === 0 && left.length === 0 && archives.length > 0) {
    const [none, some] = archives.length === 1 ? ["has no members", "it"] : ["have no members", "them"];
    const message = `there is nothing to link: ${listText(archives)} ${none}`;
    sink.report("no-input", message, undefined, { remedy: `name at least one module, or put modules into ${some}` });
    return;
  }
  if (hasKernels === true || left.length === 0 || (inputs.length > 0 && !wantsKernels)) return;
  const kernels = left.flatMap((input) =>
    input.modules().flatMap(({ names }) => names.flatMap((each) => (each.isKernel ? [{ ...each, input }] : []))),
  );
  if (inputs.length === 0) {
    const message = "there is nothing to link: nothing refers to what the archives define";
    sink.report("no-input", message, undefined, { notes: kernelNotes(kernels), remedy });
  } else if (kernels.length > 0) {
    const members = new Set(kernels.map(({ input }) => input)).size;
    const which = members === 1 ? "a member that was not taken has" : `${members} members that were not taken have`;
    sink.report("kernels-left-out", `the image has no kernel, but ${which} some`, undefined, {
      notes: kernelNotes(kernels),
      remedy,
    });
  }
}

const remedy = "no code refers to a kernel: take its member with -u KERNEL, or every member with --whole-archive";

/** Limit of the kernels that a message shows. */
const MAX_KERNELS = 3;

function kernelNotes(kernels: readonly (DefinedName & { readonly input: LazyInput })[]) {
  const shown = kernels.slice(0, MAX_KERNELS);
  const more = kernels.length - shown.length;
  return [
    ...shown.map(({ name, place }) => ({ message: `kernel ${subjectText(name)} is here`, place: place() })),
    ...(more > 0 ? [{ message: `${more} more kernels are in members that were not taken` }] : []),
  ];
}
