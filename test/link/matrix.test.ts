// The resolution matrix: every folder of testdata/link/matrix linked as its expect.json says, in every order, from PTX
// text and from objects. It also has nvlink's answer; `npm run oracle:link -- --matrix` asks nvlink again. A sample has
// one case in 16 of each kind (kind of symbol, and verdict).

import test, { type ExecutionContext } from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { allNotes, type Diagnostic, type Place } from "../../lib/diag/diagnostic.js";
import type { LinkedImage, RelocObject } from "../../lib/object/object.js";
import { readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { sample } from "../sample.js";
import { matrixNames, readMatrixFile, textsOf } from "../oracle/matrix.js";
import type { Expectation } from "../oracle/matrix-case.js";
import { bytesIn, linkAll, objectOf, type Linked } from "./build.js";

type Form = "PTX" | "objects";

function objectFrom(form: Form, letter: string, text: string): RelocObject {
  const object = objectOf(`${letter}.ptx`, text);
  if (form === "PTX") return object;
  return readObject(writeObject(object), `${letter}.ptx`, createSink()) as RelocObject;
}

const placeText = (place: Place | undefined): string =>
  place === undefined ? "-" : place.kind === "line" ? `${place.file}:${place.line}` : place.file;

/** Every place that a diagnostic names: "a:4", or "a" for a whole file. */
function placesIn(diagnostic: Diagnostic): readonly string[] {
  const { place, message } = diagnostic;
  const notes = allNotes(diagnostic);
  const named = [place, ...notes.map((note) => note.place)];
  const files = [message, ...notes.map((note) => note.message)].flatMap((text) => text.match(/\b[abc]\.ptx\b/g) ?? []);
  return [...named.map(placeText), ...files].map((text) => text.replace(".ptx", ""));
}

function holds(t: ExecutionContext, { image, diagnostics }: Linked, expected: Expectation, what: string): void {
  const code = "error" in expected ? expected.error : expected.warning;
  const codes = [...(code === undefined ? [] : [code]), ...("error" in expected ? (expected.also ?? []) : [])];
  t.deepEqual([...new Set<string>(diagnostics.map((each) => each.code))].sort(), codes.sort(), what);
  const named = new Set(diagnostics.flatMap(placesIn));
  for (const place of expected.places ?? []) t.true(named.has(place), `${what}: ${place} is not named`);
  t.is(image === undefined, "error" in expected, what);
  if (image !== undefined && !("error" in expected)) chosenIs(t, image, expected, what);
}

function chosenIs(
  t: ExecutionContext,
  image: LinkedImage,
  { chosen, name, size, align, bytes }: Exclude<Expectation, { readonly error: string }>,
  what: string,
): void {
  const found = image.symbols.filter((symbol) => symbol.name === name && symbol.linkage !== "static");
  if (chosen === "-") return void t.is(found.length, 0, what);
  t.is(found.length, 1, what);
  const symbol = found[0]!;
  if (chosen !== "any") t.is(image.modules[symbol.origin.module]!.name, `${chosen}.ptx`, what);
  if (symbol.kind !== "variable") return;
  if (size !== undefined) t.is(symbol.layout.size, size, what);
  if (align !== undefined && symbol.placement.kind === "section") t.is(symbol.placement.offset % align, 0, what);
  if (bytes !== undefined) t.is(bytesIn(image, symbol), bytes, what);
}

/** The kind of the symbols, and the verdict. */
const kindOf = (name: string): string => {
  const { expect } = readMatrixFile(name);
  return [name.split("-")[0], ...expect.map((each) => ("error" in each ? each.error : each.warning))].join(" ");
};

for (const name of sample(matrixNames(), 16, { kind: kindOf }))
  test(`${name}: ${readMatrixFile(name).about}`, (t) => {
    const { expect, nvlink, differs } = readMatrixFile(name);
    const letters = expect[0]!.orders[0]!.length;
    t.is(new Set(expect.flatMap(({ orders }) => orders)).size, letters === 2 ? 2 : 6, "every order is there");
    for (const expected of expect)
      for (const order of expected.orders)
        for (const form of ["PTX", "objects"] as const) {
          const objects = textsOf(name, order).map((text, i) => objectFrom(form, order[i]!, text));
          holds(t, linkAll(objects), expected, `${form}, ${order}`);
          const status = nvlink?.verdicts[order]?.status;
          if (status !== undefined && differs === undefined)
            t.is(status !== 0, "error" in expected, `nvlink, ${order}`);
        }
  });
