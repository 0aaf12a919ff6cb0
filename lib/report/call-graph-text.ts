// --print-call-graph as text: a row for each function, with what it calls; for each kernel how deep its calls go; circles.

import type { Call, CallGraph, KernelDepth } from "../link/call-chains.js";
import { fullName } from "./inspect-elf-text.js";
import { renderTable, type Column } from "./table.js";

const number = (title: string): Column => ({ title, align: "right" });

export function callGraphText({ functions, kernels, circles }: CallGraph): string {
  const lines = [
    "Calls, with the bytes of .local and .param variables that each function declares",
    ...renderTable(
      [number("FRAME"), { title: "KIND" }, { title: "SOURCE" }, { title: "FUNCTION" }, { title: "CALLS" }],
      functions.map((each) => [
        String(each.frame),
        each.kind,
        `${each.file}:${each.line}`,
        fullName(each),
        each.calls.map(callText).join(" "),
      ]),
      { indent: 2 },
    ),
    "",
    "Kernels, with the bytes of their deepest chain of calls",
    ...renderTable(
      [number("DEEPEST"), { title: "KERNEL" }, { title: "CHAIN" }],
      kernels.map((kernel) => [depthText(kernel), fullName(kernel), kernel.chain.join(" > ")]),
      { indent: 2 },
    ),
    ...(circles.length === 0
      ? []
      : ["", "Calls that go in circles", ...circles.map((each) => `  ${each.join(" > ")}`)]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const callText = ({ name, how }: Call): string => (how === "direct" ? name : `*${name}`);

const depthText = ({ deepest }: KernelDepth): string => (deepest === undefined ? "no end" : String(deepest));
