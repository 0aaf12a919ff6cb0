// PTX text to checked modules and objects, for tests; and where the PTX files of testdata are.

import { readdirSync, readFileSync } from "node:fs";
import { checkModule } from "../../lib/check/check.js";
import type { CheckedModule } from "../../lib/check/module.js";
import { createSink } from "../../lib/diag/sink.js";
import { parseModule } from "../../lib/ptx/parse.js";

/** Absolute paths of the PTX files under testdata/programs and testdata/demo. */
export function ptxFiles(): readonly string[] {
  const root = new URL("../../../testdata/", import.meta.url);
  return ["programs", "demo"].flatMap((folder) => {
    const at = new URL(`${folder}/`, root);
    return readdirSync(at, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ptx"))
      .sort()
      .map((name) => new URL(name, at).pathname);
  });
}

/** The name in testdata of a file, wherever the checkout is. */
export const nameInTestdata = (file: string): string => file.slice(file.lastIndexOf("testdata/"));

/** The checked module of a text. Throws the first message if it has errors. */
export function check(text: string | Uint8Array, name = "m.ptx"): CheckedModule {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const sink = createSink();
  const module = checkModule(parseModule({ name, bytes }, sink), sink);
  const [first] = sink.all.filter(({ severity }) => severity === "error");
  if (first !== undefined) throw new Error(`${name}: ${JSON.stringify(first.place)}: ${first.message}`);
  return module;
}

export const checkFile = (path: string): CheckedModule => check(readFileSync(path), path);
