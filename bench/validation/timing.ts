// Holds the timing model against what an H200 measured: 86 launches of 64 kernels, 1,313 figures of microbenchmarks.
//
//   npm run validate:timing                             all of it: some 25 minutes of CPU time, most of them for bw_*
//   npm run validate:timing -- --kernels | --micro      one half
//   npm run validate:timing -- --only REGEX             cases whose name it matches
//   npm run validate:timing -- --cache warm             kernels against their warm measurements, each launched a second time
//   npm run validate:timing -- --json FILE              writes a JSON line for each case as it ends
//   npm run validate:timing -- --json FILE --resume     predicts only the cases that FILE lacks; the build must be the same
//   npm run validate:timing -- --records DIR --gpu NAME --jobs N --quiet

import { fork } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import type { GpuModel } from "../../lib/timing/gpus/model.js";
import { predict, predictClocks } from "./predict.js";
import {
  kernelRunnable,
  measureOf,
  microRunnable,
  readKernelCases,
  readMicroCases,
  recordsFolder,
  toleranceOf,
  type KernelCase,
  type ClockedRunnable,
  type MicroCase,
  type Runnable,
} from "./records.js";
import { agreementOf, type Pair } from "./statistics.js";

const { values } = parseArgs({
  options: {
    kernels: { type: "boolean", default: false },
    micro: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    cache: { type: "string", default: "cold" },
    records: { type: "string", default: recordsFolder },
    gpu: { type: "string", default: "h200" },
    jobs: { type: "string", default: "2" },
    json: { type: "string" },
    resume: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
    part: { type: "string" },
  },
});

interface Prediction {
  readonly id: string;
  readonly cycles: readonly number[];
  readonly issued: readonly number[];
  readonly registers: readonly number[];
  readonly seconds: number;
  readonly error?: string;
}

const both = !values.kernels && !values.micro;
const warm = values.cache === "warm";
const only = new RegExp(values.only);
const chosen = <Case extends { readonly id: string }>(wanted: boolean, read: (folder: string) => readonly Case[]) =>
  both || wanted ? read(values.records).filter(({ id }) => only.test(id)) : [];
const kernels = chosen(values.kernels, readKernelCases);
const micros = chosen(values.micro, readMicroCases);

/** The same launches twice: the second time, caches hold what the first left. */
function twice(runnable: Runnable): Runnable {
  const spec = JSON.parse(runnable.specification) as { readonly launches: readonly object[] };
  return { ...runnable, specification: JSON.stringify({ ...spec, launches: [...spec.launches, ...spec.launches] }) };
}

async function predictionOf(
  id: string,
  answer: (model: GpuModel) => Promise<Partial<Prediction>>,
): Promise<Prediction> {
  const model = findGpu(values.gpu);
  if (model === undefined) throw new Error(`there is no GPU model '${values.gpu}'`);
  const none = { id, cycles: [], issued: [], registers: [], seconds: 0 };
  const began = process.cpuUsage();
  try {
    const found = await answer(model);
    const { user, system } = process.cpuUsage(began);
    return { ...none, ...found, seconds: (user + system) / 1e6 };
  } catch (error) {
    return { ...none, error: (error as Error).message };
  }
}

const predictKernel = (id: string, runnable: Runnable, launches = 0): Promise<Prediction> =>
  predictionOf(id, async (model) => {
    const timings = (await predict(runnable, model)).slice(-launches);
    return {
      cycles: timings.map(({ cycles }) => cycles),
      issued: timings.map(({ issuedInstructions }) => issuedInstructions),
      registers: timings.map(({ occupancy }) => occupancy.registers),
    };
  });

const predictMicro = (id: string, runnable: ClockedRunnable): Promise<Prediction> =>
  predictionOf(id, async (model) => ({ cycles: await predictClocks(runnable, model) }));

/** Predictions of an interrupted run. An incomplete last line is ignored. */
function earlierPredictions(): readonly Prediction[] {
  if (!values.resume || values.json === undefined || !existsSync(values.json)) return [];
  return readFileSync(values.json, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Prediction);
}

/** A child process predicts every `parts`-th case that an earlier run has not predicted. */
async function runPart(part: number, parts: number): Promise<void> {
  const done = new Set(earlierPredictions().map(({ id }) => id));
  const work: readonly (readonly [id: string, predictOne: () => Promise<Prediction>])[] = [
    ...kernels.map(
      (one) =>
        [
          one.id,
          () => {
            const runnable = kernelRunnable(values.records, one);
            return warm ? predictKernel(one.id, twice(runnable), one.measured.length) : predictKernel(one.id, runnable);
          },
        ] as const,
    ),
    ...micros.map((one) => [one.id, () => predictMicro(one.id, microRunnable(values.records, one))] as const),
  ];
  for (let i = part; i < work.length; i += parts) {
    const [id, predictOne] = work[i]!;
    if (!done.has(id)) process.send!(await predictOne());
  }
  process.disconnect();
}

async function predictAll(): Promise<ReadonlyMap<string, Prediction>> {
  const earlier = earlierPredictions();
  const found = new Map(earlier.map((prediction) => [prediction.id, prediction]));
  if (values.json !== undefined)
    writeFileSync(values.json, earlier.map((prediction) => `${JSON.stringify(prediction)}\n`).join(""));
  const jobs = Math.max(1, Number(values.jobs));
  await Promise.all(
    Array.from(
      { length: jobs },
      (_, part) =>
        new Promise<void>((resolve) => {
          const child = fork(process.argv[1]!, [...process.argv.slice(2), "--part", `${part}/${jobs}`]);
          child.on("message", (message) => {
            const prediction = message as Prediction;
            found.set(prediction.id, prediction);
            if (values.json !== undefined) appendFileSync(values.json, `${JSON.stringify(prediction)}\n`);
            if (process.stderr.isTTY) process.stderr.write(`\r${found.size} of ${kernels.length + micros.length}`);
          });
          child.on("close", () => resolve());
        }),
    ),
  );
  return found;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const column = (value: number | undefined, digits: number, width: number): string =>
  (value === undefined || Number.isNaN(value) ? "-" : value.toFixed(digits)).padStart(width);

function showAgreement(title: string, pairs: readonly Pair[]): void {
  const of = agreementOf(pairs);
  console.log(
    `${title}: MAPE ${percent(of.meanError)}, median ${percent(of.medianError)}, geometric-mean error ${percent(of.geometricError)}, ` +
      `bias x${of.bias.toFixed(2)}, within 20 %: ${percent(of.withinFifth)}, correlation of logs ${of.correlation.toFixed(3)}, of ranks ${of.rankCorrelation.toFixed(3)}`,
  );
}

function showKernels(cases: readonly KernelCase[], predictions: ReadonlyMap<string, Prediction>): void {
  const pairs: (Pair & { readonly one: KernelCase; readonly prediction: Prediction })[] = [];
  const missing: string[] = [];
  for (const one of cases) {
    const prediction = predictions.get(one.id);
    if (prediction === undefined || prediction.cycles.length === 0)
      missing.push(`${one.id} (${prediction?.error ?? "no answer"})`);
    else {
      const measured = sum(one.measured.map((launch) => launch[warm ? "warm" : "cold"].cycles));
      pairs.push({ one, prediction, predicted: sum(prediction.cycles), measured });
    }
  }
  if (!values.quiet) {
    console.log(
      "predicted/measured  predicted  measured  instructions (model / measured)  registers (model / measured)",
    );
    for (const { one, prediction, predicted, measured } of pairs.toSorted(
      (a, b) => a.predicted / a.measured - b.predicted / b.measured,
    )) {
      const executed = one.measured.every(({ ncu }) => ncu !== undefined)
        ? sum(one.measured.map(({ ncu }) => ncu!.warpInstructions))
        : undefined;
      console.log(
        `${column(predicted / measured, 2, 18)} ${column(predicted, 0, 10)} ${column(measured, 0, 9)} ` +
          `${column(sum(prediction.issued), 0, 11)} / ${column(executed, 0, 8)} ` +
          `${prediction.registers.join(" ").padStart(12)} / ${one.measured
            .map(({ registers }) => registers)
            .join(" ")
            .padEnd(9)}  ${one.id}`,
      );
    }
  }
  for (const name of missing) console.log(`no prediction: ${name}`);
  if (pairs.length > 1) showAgreement(`kernels, ${warm ? "warm" : "cold"} (${pairs.length})`, pairs);
}

function showMicros(cases: readonly MicroCase[], predictions: ReadonlyMap<string, Prediction>): void {
  const groups = new Map<string, (Pair & { readonly fits: boolean })[]>();
  for (const one of cases) {
    const { cycles = [], error } = predictions.get(one.id) ?? {};
    if (error !== undefined) console.log(`no prediction: ${one.id} (${error})`);
    for (const measure of one.measures) {
      const predicted = measureOf(measure, cycles);
      const { measured } = measure;
      const fits = Math.abs(predicted - measured) <= toleranceOf(one) * measured;
      const group = groups.get(one.group) ?? [];
      group.push({ predicted, measured, fits });
      groups.set(one.group, group);
      if (!values.quiet && !fits)
        console.log(
          `${column(predicted / measured, 2, 7)} ${column(predicted, 2, 10)} ${column(measured, 2, 10)}  ${one.id} ${measure.name}, ${measure.unit}`,
        );
    }
  }
  const fitting = (rows: readonly { readonly fits: boolean }[]): number => rows.filter(({ fits }) => fits).length;
  for (const [name, rows] of groups) {
    const known = rows.filter(({ predicted, measured }) => predicted > 0 && measured > 0);
    const error = known.length > 1 ? `; geometric-mean error ${percent(agreementOf(known).geometricError)}` : "";
    console.log(
      `${name.padEnd(14)} ${column(fitting(rows), 0, 4)} of ${column(rows.length, 0, 4)} within tolerance${error}`,
    );
  }
  const all = [...groups.values()].flat();
  console.log(
    `microbenchmarks: ${fitting(all)} of ${all.length} (${percent(fitting(all) / all.length)}) within 5 % (latency, throughput) or 10 % (memory)`,
  );
}

if (values.part !== undefined) {
  const [part, parts] = values.part.split("/").map(Number);
  await runPart(part!, parts!);
} else {
  const predictions = await predictAll();
  if (kernels.length > 0) showKernels(kernels, predictions);
  if (micros.length > 0) showMicros(micros, predictions);
  if (!values.quiet)
    console.log(
      `${predictions.size} cases in ${sum([...predictions.values()].map(({ seconds }) => seconds)).toFixed(0)} s of CPU time`,
    );
}
