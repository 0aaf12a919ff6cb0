// Reports the fault of a run as a diagnostic: place, operation, position in the grid; the instruction with its operands, the
// callers, the other failing lanes. For a launch that does not end, it has the location of every stuck warp.

import type { DiagnosticSink } from "../diag/sink.js";
import type { Fault } from "../exec/state/result.js";

export function reportFault(fault: Fault, sink: DiagnosticSink): void {
  const { kind, message, kernel, block, thread, file, line, column, address, remedy } = fault;
  const where = [
    `kernel ${kernel}`,
    ...(block === undefined ? [] : [`block (${block.join(",")})`]),
    ...(thread === undefined ? [] : [`thread (${thread.join(",")})`]),
    ...(address === undefined ? [] : [`address 0x${address.toString(16)}`]),
  ].join(", ");
  const place =
    file === undefined
      ? undefined
      : ({ kind: "line", file, line: line ?? 1, ...(column === undefined ? {} : { column }) } as const);
  sink.report(kind, `${message} (${where})`, place, {
    notes: notesOf(fault).map((note) => ({ message: note })),
    ...(remedy === undefined ? {} : { remedy }),
  });
}

function notesOf({
  kernel,
  ptx,
  function: fn,
  callers = [],
  operands = {},
  lanes,
  details = [],
}: Fault): readonly string[] {
  const values = Object.entries(operands).map(([name, value]) => `${name} = ${value}`);
  return [
    ...(ptx === undefined
      ? []
      : [
          `instruction ${ptx.instruction} (${ptx.file}:${ptx.line})${values.length === 0 ? "" : ` with ${values.join(", ")}`}`,
        ]),
    ...(fn === undefined || fn === kernel ? [] : [`in function ${fn}`]),
    ...callers.map((caller) => `called from ${caller}`),
    ...(lanes === undefined ? [] : [`lanes 0x${lanes.toString(16).padStart(8, "0")} of the warp fail, too`]),
    ...details,
  ];
}
