// In which order the options about names (link-options.table.ts) want data and functions.

import type { DataOrder } from "../lib/link/layout/data-order.js";
import { parseOrder } from "../lib/link/layout/symbol-order.js";
import type { Host } from "./host.js";
import type { LinkOptionValues } from "./link-options.table.js";
import { readText } from "./read-text.js";

export function sectionOrderOptions({ reverseSections, shuffleSections: seed }: LinkOptionValues): DataOrder {
  if (reverseSections === true) return { sectionOrder: { kind: "reversed" } };
  return seed === undefined ? {} : { sectionOrder: { kind: "shuffled", seed } };
}

/** Reads the file of the order. */
export function symbolOrderOptions(
  { symbolOrderingFile: file, sortSection }: LinkOptionValues,
  host: Pick<Host, "read">,
): DataOrder {
  if (file === undefined && sortSection === undefined) return {};
  return {
    symbolOrder: {
      ...(file === undefined ? {} : { names: parseOrder(file, readText(file, host)) }),
      ...(sortSection === undefined ? {} : { sort: sortSection }),
    },
  };
}
