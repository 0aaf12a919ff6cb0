// The available GPU models, and the sources of their figures: `ptxkit gpus`.

import { gpuFacts } from "../timing/gpus/gpus.js";
import { modelOf, type GpuFacts } from "../timing/gpus/model.js";
import { confidences, sources, type Confidence, type Source, type SourceKey } from "../timing/gpus/sources.table.js";
import { peakWork } from "../timing/result/work.js";
import { plainStyler, type Styler } from "./style.js";
import { renderTable, type Column } from "./table.js";

export interface GpuFigure {
  /** "l2.latencyCycles" */
  readonly name: string;
  readonly value: number | readonly number[];
  readonly source: SourceKey;
  readonly confidence: Confidence;
}

/** A GPU model in a line of `--gpu help`. */
export interface GpuDescription {
  readonly name: string;
  readonly product: string;
  readonly figures: readonly GpuFigure[];
  /** Number of figures for each level of confidence. */
  readonly confidence: Readonly<Record<Confidence, number>>;
}

/** The confidence of a figure. A measurement on the H200 is carried over for every other model, even of the same die. */
const confidenceOf = (key: SourceKey, gpu: string): Confidence =>
  key === "H200" && gpu !== "h200" ? "carried" : ((sources[key] as Source).confidence ?? "published");

/** Describes a model with the source of each of its figures. */
export function describeGpu(facts: GpuFacts): GpuDescription {
  const figures = [...figuresOf(facts, facts.name, "")];
  const count = (confidence: Confidence): number => figures.filter((figure) => figure.confidence === confidence).length;
  return {
    name: facts.name,
    product: facts.product,
    figures,
    confidence: Object.fromEntries(confidences.map((each) => [each, count(each)])) as GpuDescription["confidence"],
  };
}

function* figuresOf(part: unknown, gpu: string, name: string): Generator<GpuFigure, void, undefined> {
  if (Array.isArray(part)) {
    const [value, source] = part as [GpuFigure["value"], SourceKey];
    yield { name, value, source, confidence: confidenceOf(source, gpu) };
    return;
  }
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) yield* figuresOf(value, gpu, name === "" ? key : `${name}.${key}`);
}

/** All models, or those with a name, in the order of their generations. */
export const describeGpus = (name?: string): readonly GpuDescription[] =>
  gpuFacts.filter((facts) => name === undefined || facts.name === name.toLowerCase()).map(describeGpu);

const overview: readonly Column[] = [
  { title: "name", role: "name" },
  { title: "product", shrinks: true },
  { title: "target" },
  { title: "SMs", align: "right" },
  { title: "MHz", align: "right" },
  { title: "f32 TFLOPS", align: "right", optional: true },
  { title: "L2 MiB", align: "right" },
  { title: "GB/s", align: "right" },
  { title: "measured, published, carried, assumed", align: "right", optional: true },
];

/** A row for each model. */
export function gpusText(
  options: { readonly width?: number | undefined; readonly style?: Styler } = {},
): readonly string[] {
  const rows = gpuFacts.map((facts) => {
    const model = modelOf(facts);
    const { confidence } = describeGpu(facts);
    return [
      facts.name,
      facts.product,
      `sm_${model.computeCapability}`,
      String(model.sms),
      String(model.clockMHz),
      (peakWork(model).f32 / 1e12).toFixed(1),
      String(model.l2.mebibytes),
      String(model.dram.gigabytesPerSecond),
      confidences.map((each) => confidence[each]).join(", "),
    ];
  });
  return renderTable(overview, rows, { ...options, indent: 2 });
}

const figures: readonly Column[] = [
  { title: "figure", role: "name" },
  { title: "value", align: "right" },
  { title: "source" },
  { title: "confidence" },
];

/** Every figure of a model with its source. */
export function gpuText(
  { name, product, figures: all, confidence }: GpuDescription,
  options: { readonly width?: number | undefined; readonly style?: Styler } = {},
): readonly string[] {
  const { style = plainStyler } = options;
  const used = [...new Set(all.map(({ source }) => source))];
  const share = confidences.map((each) => `${confidence[each]} ${each}`).join(", ");
  return [
    style("heading", `${name}: ${product}`),
    `  ${all.length} figures: ${share}`,
    "",
    ...renderTable(
      figures,
      all.map((figure) => [
        figure.name,
        Array.isArray(figure.value) ? figure.value.join(" ") : String(figure.value),
        figure.source,
        figure.confidence,
      ]),
      { ...options, indent: 2 },
    ),
    "",
    ...renderTable(
      [{ title: "source" }, { title: "what", shrinks: true }],
      used.map((key) => {
        const { what, url } = sources[key] as Source;
        return [key, url === undefined ? what : `${what}; ${url}`];
      }),
      { ...options, indent: 2 },
    ),
  ];
}
