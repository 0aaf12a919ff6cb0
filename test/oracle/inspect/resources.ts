// What `ptxas -v` says that kernels take, in the terms of --resource-usage.

import type { Inspection } from "../../../lib/inspect/inspection.js";
import type { Fields } from "./generic-elf.js";

const COUNTS: readonly (readonly [field: string, pattern: RegExp])[] = [
  ["registers", /Used (\d+) registers/],
  ["barriers", /used (\d+) barriers/],
  ["sharedBytes", /(\d+) bytes smem/],
  ["constant 0", /(\d+) bytes cmem\[0\]/],
];

/** Of kernels; `text`: standard error of nvcc with -Xptxas -v. */
export function ptxasFields(text: string): Fields {
  const fields = new Map<string, string | number>();
  let kernel: string | undefined;
  for (const line of text.split("\n")) {
    const head = /Compiling entry function '(.*)' for/.exec(line);
    if (head !== null) kernel = head[1];
    if (kernel === undefined || !/Used \d+ registers/.test(line)) continue;
    for (const [field, pattern] of COUNTS) {
      const found = pattern.exec(line);
      if (found !== null) fields.set(`kernel ${kernel} ${field}`, Number(found[1]));
    }
    kernel = undefined;
  }
  return fields;
}

export function ourResources({ resourceUsage }: Inspection): Fields {
  const fields = new Map<string, string | number>();
  for (const { name, registers, barriers, sharedBytes, constants } of resourceUsage?.functions ?? []) {
    const at = `kernel ${name}`;
    if (registers !== null) fields.set(`${at} registers`, registers);
    fields.set(`${at} barriers`, barriers);
    fields.set(`${at} sharedBytes`, sharedBytes);
    for (const { bank, bytes } of constants) fields.set(`${at} constant ${bank}`, bytes);
  }
  return fields;
}
