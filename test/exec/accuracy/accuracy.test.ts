// The table of docs/accuracy-of-approximations.md has the measured errors and PTX's bounds, and a sample measured now
// is no worse.

import { readFileSync } from "node:fs";
import test from "ava";
import { holdPart } from "../../page.js";
import { measure, measureQuotient, measureRsqrtF64 } from "./measure.js";
import { type Bound, quotients, subjects, type Measure } from "./subjects.js";

interface Row {
  readonly name: string;
  readonly domain: string;
  readonly error: number;
  readonly count: number;
}

const rows = JSON.parse(readFileSync("testdata/exec/accuracy.json", "utf8")) as readonly Row[];
/** The approximate number of inputs for each; an odd step visits all mantissas. */
const SAMPLE = 100_000;
const stepFor = (count: number): number => Math.floor(count / SAMPLE) | 1;

interface Held {
  readonly measure: Measure;
  readonly bound: Bound | undefined;
  readonly sample: () => number;
}

const held: readonly Held[] = [
  ...subjects.map((subject, i): Held => ({
    measure: subject.measure,
    bound: subject.bound,
    sample: () => measure(subject, stepFor(rows[i]!.count)).error,
  })),
  ...quotients.map((quotient): Held => ({
    measure: "ulp",
    bound: quotient.bound,
    sample: () => measureQuotient(quotient, 50_000).error,
  })),
  { measure: "ulp", bound: undefined, sample: () => measureRsqrtF64(500).error },
];

const unit: Readonly<Record<Measure, string>> = { ulp: " ulp", relative: " relative", absolute: " absolute" };
const shown = (error: number, measureName: Measure): string =>
  `${error >= 0.001 ? error.toFixed(4) : error.toExponential(2)}${unit[measureName]}`;

const boundText = (bound: Bound | undefined): string =>
  bound === undefined ? "–" : `${bound.text}${bound.isExceeded === true ? ", exceeded" : ""}`;

test("the page has the measured figures", (t) => {
  const lines = rows.map(({ name, domain, error, count }, i) => {
    const { measure: measured, bound } = held[i]!;
    return `| \`${name}\` | ${domain} | ${count} | ${shown(error, measured)} | ${boundText(bound)} |`;
  });
  const head = "| instruction | inputs | how many | greatest error | PTX's bound |\n| --- | --- | ---: | --- | --- |\n";
  holdPart(t, "accuracy-of-approximations.md", "errors", `${head}${lines.join("\n")}\n`);
});

test("every error is within PTX's bound unless the table says so, and no sample is worse than the whole", (t) => {
  t.is(rows.length, held.length);
  rows.forEach(({ name, domain, error }, i) => {
    const { bound, sample } = held[i]!;
    if (bound !== undefined) t.is(error >= bound.value, bound.isExceeded === true, `${name}, ${domain}: ${error}`);
    const found = sample();
    // The reference values are the library's doubles, which may differ in their last bits.
    t.true(found <= error * (1 + 1e-6), `${name}, ${domain}: a sample has ${found}, the whole ${error}`);
    t.true(found > error / 4, `${name}, ${domain}: a sample has ${found} only, the whole ${error}`);
  });
});
