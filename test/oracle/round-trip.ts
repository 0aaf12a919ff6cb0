// One accepted module all the way: text, tree, text; text, object, file, object, text; the data of our object beside that of
// ptxas's; and linked alone. What goes wrong is a list of faults, empty when all is well.

import { readObject } from "../../lib/object/file/read.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { disassemble } from "../../lib/object/print/disassemble.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { printModule } from "../../lib/ptx/printer.js";
import { essence } from "../object/essence.js";
import { check } from "../object/pipeline.js";
import { bare } from "../ptx/support.js";
import { compare } from "./compare.js";
import { objectFacts } from "./facts.js";
import type { Ptxas } from "./ptxas.js";
import type { RelocObject } from "../../lib/object/object.js";

export interface Fault {
  readonly step: string;
  readonly says: string;
}

/** Undefined functions are what linking one module of several must say; nothing else is. */
const expectedOfOneModule = new Set(["undefined-symbol", "undefined-function"]);

export function roundTrip(text: string, mode: "separate" | "whole", ptxas: Ptxas): readonly Fault[] {
  const bytes = Buffer.from(text, "latin1");
  const faults: Fault[] = [];
  const step = (name: string, run: () => string | undefined): void => {
    let says: string | undefined;
    try {
      says = run();
    } catch (error) {
      says = (error as Error).stack ?? (error as Error).message;
    }
    if (says !== undefined) faults.push({ step: name, says });
  };
  const object = assemble(check(bytes));

  step("print", () => {
    const tree = parseModule({ name: "m.ptx", bytes }, createSink());
    const sink = createSink();
    const again = parseModule({ name: "m.ptx", bytes: Buffer.from(printModule(tree)) }, sink);
    if (sink.errorCount > 0) return sink.all[0]!.message;
    return JSON.stringify(bare(again)) === JSON.stringify(bare(tree)) ? undefined : "another tree";
  });
  step("object", () => {
    const sink = createSink();
    const read = readObject(writeObject(object), object.name, sink);
    if (read === undefined) return sink.all[0]?.message ?? "unreadable";
    const printed = disassemble(read);
    if (!printed.ok) return printed.error.what;
    const again = assemble(check(printed.value, object.name));
    if (JSON.stringify(essence(again), plain) !== JSON.stringify(essence(object), plain)) return "another object";
    const verdict = ptxas.ask(printed.value);
    return verdict === "crash" || verdict.accepted ? undefined : `ptxas refuses the text: ${verdict.says}`;
  });
  step("data", () => {
    if (mode === "whole") return undefined;
    const theirs = ptxas.compile(text, mode);
    if (theirs === undefined) return undefined;
    const differences = compare(objectFacts(writeObject(object)), objectFacts(theirs));
    return differences.length === 0 ? undefined : differences.join("\n");
  });
  step("link", () => {
    const sink = createSink();
    linkObjects([object as RelocObject], {}, sink);
    const errors = sink.all.filter(({ severity, code }) => severity === "error" && !expectedOfOneModule.has(code));
    return errors[0] === undefined ? undefined : `${errors[0].code}: ${errors[0].message}`;
  });
  return faults;
}

const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);
