// Versions of the PTX ISA after 9.0, which ptxas 13.0 does not know: their targets, and the message for unknown
// versions.

import test from "ava";
import { checkSource } from "../../lib/check/check.js";
import { createSink } from "../../lib/diag/sink.js";
import { check, head } from "./support.js";

const messages = (text: string): readonly string[] => check(text).diagnostics.map(({ code }) => code);

test("PTX versions up to 9.4 and their targets are known", (t) => {
  for (const version of ["9.1", "9.2", "9.3", "9.4"]) t.deepEqual(messages(head(version, "sm_90")), [], version);
  for (const target of ["sm_107", "sm_107a", "sm_107f"]) {
    t.deepEqual(messages(head("9.4", target)), [], target);
    t.deepEqual(messages(`${head("9.3", target)}.global .u32 a;`), ["target-version"], target);
  }
});

test("--assume-version accepts a version newer than the newest known, but not one that never existed", (t) => {
  const told = (version: string, assumeVersion: boolean): readonly string[] => {
    const sink = createSink();
    const bytes = new TextEncoder().encode(`${head(version, "sm_107a")}.global .u32 a;`);
    const { version: read } = checkSource({ name: "m.ptx", bytes }, sink, { assumeVersion });
    return [String(read), ...sink.all.map(({ severity, message }) => `${severity}: ${message}`)];
  };
  t.deepEqual(told("9.5", false), ["94", "error: PTX ISA 9.5 is newer than ptxkit knows (9.4)"]);
  const read = "the newest that ptxkit knows";
  t.deepEqual(told("9.5", true), ["94", `warning: PTX ISA 9.5 is read as 9.4, ${read}`]);
  t.deepEqual(told("10.12", true), ["94", `warning: PTX ISA 10.12 is read as 9.4, ${read}`]);
  t.deepEqual(told("8.9", true), ["94", "error: there is no PTX ISA 8.9"]);
});
