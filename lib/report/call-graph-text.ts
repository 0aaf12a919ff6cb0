// --print-call-graph as text: a row for each function with its callees; for each kernel the depth of its calls; recursive cycles.

import type { Call, CallGraph, KernelDepth } from "../link/reports/call-chains.js";
import { fullName } from "./inspect-elf-text.js";
import { ended } from "./lines.js";
import { rowsOf, tableLines, type Column } from "./table.js";

const number = (title: string): Column => ({ title, align: "right" });

export const callGraphText = (graph: CallGraph): Iterable<string> => ended(linesOf(graph));

function* linesOf({ functions, kernels, circles }: CallGraph): Generator<string> {
  yield "Calls, with the bytes of .local and .param variables that each function declares";
  yield* tableLines(
    [number("FRAME"), { title: "KIND" }, { title: "SOURCE" }, { title: "FUNCTION" }, { title: "CALLS" }],
    rowsOf(functions, (each) => [
      String(each.frame),
      each.kind,
      `${each.file}:${each.line}`,
      fullName(each),
      each.calls.map(callText).join(" "),
    ]),
    { indent: 2 },
  );
  yield "";
  yield "Kernels, with the bytes of their deepest chain of calls";
  yield* tableLines(
    [number("DEEPEST"), { title: "KERNEL" }, { title: "CHAIN" }],
    rowsOf(kernels, (kernel) => [depthText(kernel), fullName(kernel), kernel.chain.join(" > ")]),
    { indent: 2 },
  );
  if (circles.length > 0) yield* ["", "Cycles of calls", ...circles.map((each) => `  ${each.join(" > ")}`)];
}

const callText = ({ name, how }: Call): string => (how === "direct" ? name : `*${name}`);

const depthText = ({ deepest }: KernelDepth): string => (deepest === undefined ? "no end" : String(deepest));
