// Assembles PTX text and links the objects, for tests of the linker.

import { checkModule } from "../../lib/check/check.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import type { LinkOptions } from "../../lib/link/options.js";
import { assemble } from "../../lib/object/assemble.js";
import type { LinkedImage, ObjectFile, ObjectSymbol, RelocObject, VariableSymbol } from "../../lib/object/object.js";
import { parseModule } from "../../lib/ptx/parse.js";

/** A module with this body, which begins in line 4. */
export const moduleText = (body: string, target = "sm_80"): string =>
  `.version 8.5\n.target ${target}\n.address_size 64\n${body}\n`;

/** Assembles PTX text. Throws if it has errors. */
export function objectOf(name: string, text: string): RelocObject {
  const sink = createSink();
  const module = checkModule(parseModule({ name, bytes: Buffer.from(text) }, sink), sink);
  if (sink.errorCount > 0) throw new Error(sink.all.map(({ message }) => `${name}: ${message}`).join("\n"));
  return assemble(module);
}

export interface Linked {
  readonly image: LinkedImage | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function linkAll(objects: readonly ObjectFile[], options: LinkOptions = {}): Linked {
  const sink = createSink();
  return { image: linkObjects(objects, options, sink), diagnostics: sink.all };
}

/** Links module bodies named a.ptx, b.ptx and so on. */
export function linkBodies(...bodies: readonly string[]): Linked {
  return linkAll(bodies.map((body, i) => objectOf(`${"abcdefgh"[i]}.ptx`, moduleText(body))));
}

export function symbolsOf(image: LinkedImage, name: string): readonly ObjectSymbol[] {
  return image.symbols.filter((symbol) => symbol.name === name);
}

/** The bytes of a variable in the image. */
export function bytesIn(image: LinkedImage, { placement, layout }: VariableSymbol): string {
  if (placement.kind !== "section") return "";
  const { data } = image.sections[placement.section]!;
  return Buffer.from(data?.subarray(placement.offset, placement.offset + layout.size) ?? []).toString("hex");
}
