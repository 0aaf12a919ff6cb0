// The order of data and functions that the options about order (link-options.table.ts) request.

import type { DataOrder } from "../../lib/link/layout/data-order.js";
import { parseOrder } from "../../lib/link/layout/symbol-order.js";
import type { Host } from "../files/host.js";
import type { LinkOptionValues } from "./link-options.table.js";
import { readText } from "../files/read-text.js";

export function sectionOrderOptions({ reverseSections, shuffleSections: seed }: LinkOptionValues): DataOrder {
  if (reverseSections === true) return { sectionOrder: { kind: "reversed" } };
  return seed === undefined ? {} : { sectionOrder: { kind: "shuffled", seed } };
}

/** The order of symbols; reads the file of --symbol-ordering-file. */
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
