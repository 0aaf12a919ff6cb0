import test from "ava";
import { describeGpus, gpusText, gpuText } from "../../lib/report/gpus-text.js";
import { gpuModels } from "../../lib/timing/gpus/gpus.js";
import { peakWork } from "../../lib/timing/result/work.js";

test("every model is a row, with how many of its figures are measured, published, carried and assumed", (t) => {
  const [title, ...rows] = gpusText();
  t.is(rows.length, gpuModels.length);
  t.regex(title!, /^ {2}name +product +target +SMs +MHz/);
  t.regex(
    rows.find((row) => row.startsWith("  h200 "))!,
    /H200-SXM-141GB +sm_90 +132 +1980 +66\.9 +60 +4800 +\d+, /,
  );
});

test("every figure of a model has its source, and the sources are explained", (t) => {
  const [h200] = describeGpus("H200");
  t.like(
    h200!.figures.find(({ name }) => name === "l2.latencyCycles"),
    {
      value: 264,
      source: "H200",
      confidence: "measured",
    },
  );
  const lines = gpuText(h200!);
  t.true(lines.some((line) => /^ {2}sms +132 +XLA +published$/.test(line)));
  t.true(lines.some((line) => /^ {2}H200 +measured for this project/.test(line)));
  t.deepEqual(describeGpus("h201"), []);
});

test("figures measured on an H200 are not given as measured for chips of other generations", (t) => {
  for (const { name, figures } of describeGpus())
    if (!/^h\d/.test(name))
      t.deepEqual(
        figures.filter(({ source }) => source === "H200").map((figure) => figure.name),
        [],
        name,
      );
});

// Data sheets, TFLOPS without tensor cores.
for (const [name, f32, f64] of [
  ["v100", 15.7, 7.8],
  ["t4", 8.1, 0.25],
  ["a100", 19.5, 9.7],
  ["a40", 37.4, 0.58],
  ["l40", 90.5, 1.41],
  ["h100", 66.9, 33.5],
  ["h100-pcie", 51.2, 25.6],
  ["h800", 66.9, 1],
  ["b200", 74.4, 37.2],
  ["rtx5090", 104.8, 1.64],
] as const)
  test(`${name}: ${f32} TFLOPS in f32 and ${f64} in f64`, (t) => {
    const peak = peakWork(gpuModels.find((model) => model.name === name)!);
    t.true(Math.abs(peak.f32 / 1e12 / f32 - 1) < 0.02, String(peak.f32));
    t.true(Math.abs(peak.f64 / 1e12 / f64 - 1) < 0.05, String(peak.f64));
  });
