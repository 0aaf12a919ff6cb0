// Shared by the tests of the parser: text in, tree and messages out.

import type { ExecutionContext } from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { parseModule } from "../../lib/ptx/parse.js";
import type { SectionPart } from "../../lib/ptx/section-data.js";
import type { FunctionDeclaration, Module, ModuleItem, Statement } from "../../lib/ptx/tree.js";
import { itemsOf } from "./section-items.js";

/** Three lines, so that what follows begins in line 4. */
export const header = ".version 8.5\n.target sm_90\n.address_size 64\n";

export interface Parsed {
  readonly module: Module;
  /** "line:column message" of each diagnostic. */
  readonly messages: readonly string[];
}

/** Parses a whole file. */
export function parse(text: string | Uint8Array): Parsed {
  const bytes = typeof text === "string" ? Buffer.from(text, "latin1") : text;
  const sink = createSink();
  const module = parseModule({ name: "test.ptx", bytes }, sink);
  const messages = sink.all.map(({ message, place }) =>
    place?.kind === "text" ? `${place.line}:${place.column} ${message}` : message,
  );
  return { module, messages };
}

/** The items of a right module after its header. */
export function items(t: ExecutionContext, text: string): readonly ModuleItem[] {
  const { module, messages } = parse(header + text);
  t.deepEqual(messages, []);
  return module.items.slice(3);
}

/** The statements of a right kernel's body. */
export function statements(t: ExecutionContext, text: string): readonly Statement[] {
  const [kernel] = items(t, `.entry k() {\n${text}\n}`) as [FunctionDeclaration];
  return kernel.body!.statements;
}

/** A tree as plain data without its places, for comparisons: big integers become strings such as "5n". */
export function bare(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) => {
      if (key === "start" || key === "end" || key === "source") return undefined;
      if (key === "part") return itemsOf(value as SectionPart);
      return typeof value === "bigint" ? `${value}n` : value;
    }),
  );
}
