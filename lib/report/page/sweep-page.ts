// The page of a sweep's results: the fastest run on each GPU, and a plot over each parameter with several values. The numbers of
// every plot are in a table; cli/viewer/sweep-charts.ts draws the plots.

import { plotData } from "../sweep/plot-data.js";
import { fastestOnGpus, fastestOver, type PlotData, type PlotRow } from "../sweep/sweep-plot.js";
import { PROBLEM } from "../sweep/sweep-columns.js";
import { rowsOf, type SweepResult } from "../sweep/sweep-rows.js";
import type { SweepSpec } from "../sweep/sweep-spec.js";
import { pageDocument } from "./document.js";
import { chart, figure } from "./figure.js";
import { html, table, type Html, type HtmlPart, type TableColumn } from "./html.js";
import { grouped } from "./numbers.js";

export interface SweepPageOptions {
  readonly spec: SweepSpec;
  readonly results: readonly SweepResult[];
  /** The text of the drawing script. */
  readonly viewer: string;
}

/** Limit of rows in a table. */
const MAX_ROWS = 2000;

export function sweepPage({ spec, results, viewer }: SweepPageOptions): string {
  const data = plotData(spec, results);
  const { gpus, launches, parameters } = data;
  const failed = results.filter(({ problem }) => problem !== undefined);
  const varied = parameters.filter(({ values }) => values.length > 1).map(({ name }) => name);
  const over = varied.length === 0 ? "" : ` over ${varied.join(", ")}`;
  return pageDocument({
    title: `${launches.slice(0, 3).join(", ")} on ${gpus.slice(0, 3).join(", ")}: ptxkit sweep`,
    heading: "ptxkit sweep",
    summary: html`${grouped(results.length)} ${results.length === 1 ? "run" : "runs"}${over}, on ${gpus.join(", ")}.
    Times are a model's, not a GPU's.`,
    main: html`${launches.map((name, i) => launchSection(data, name, i))} ${controls(data)} ${plots(data)}
    ${problemSection(failed)} ${rowsSection(results)}`,
    dataId: "sweep",
    data,
    viewer,
  });
}

const number = (title: string): TableColumn => ({ title, isNumber: true });
const short = (value: number): string => String(Number(value.toPrecision(4)));

/** The fastest run of a launch on each GPU. */
function launchSection(data: PlotData, name: string, launch: number): Html {
  const { gpus, parameters, metrics, bounds } = data;
  const rows = fastestOnGpus(data, { launch, fixed: new Map() }).flatMap((row, i) =>
    row === undefined
      ? []
      : [
          [
            gpus[i]!,
            ...row.at.map(String),
            ...row.metrics.map((value, m) => (m === 1 ? grouped(value) : short(value))),
            bounds[row.bound]!,
          ],
        ],
  );
  return html`<section>
    <h2>${name} <small>the fastest run on each GPU</small></h2>
    ${gpus.length > 1 ? chart(String(launch), "gpus", `Time of the fastest run of ${name} on each GPU`) : undefined}
    ${table(
      "Parameters, time and bound of the fastest run",
      [
        { title: "GPU" },
        ...parameters.map(({ name }) => number(name)),
        ...metrics.map(({ title, unit }) => number(`${title}, ${unit}`)),
        { title: "bound by" },
      ],
      rows,
    )}
  </section>`;
}

const option = (value: string, text: string): Html => html`<option value="${value}">${text}</option>`;

/** Controls that select what the plots show; the script makes them visible. */
function controls({ launches, metrics, parameters }: PlotData): Html {
  const select = (id: string, label: string, options: readonly Html[]): Html =>
    html`<label
      >${label}
      <select id="${id}">
        ${options}
      </select></label
    > `;
  const fixed = parameters.flatMap(({ name, values }, i) =>
    values.length > 1
      ? select(`fixed${i}`, name, [
          option("", "the fastest"),
          ...values.map((value) => option(String(value), String(value))),
        ])
      : [],
  );
  return html`<nav aria-label="What the plots show" id="controls" hidden>
    ${select(
      "launch",
      "Launch",
      launches.map((name, i) => option(String(i), name)),
    )}
    ${select(
      "metric",
      "Shown",
      metrics.map(({ title, unit }, i) => option(String(i), `${title}, ${unit}`)),
    )}
    ${fixed}
  </nav>`;
}

function plots(data: PlotData): HtmlPart {
  const { parameters, launches } = data;
  if (launches.length === 0) return undefined;
  const varied = parameters.flatMap(({ values }, i) => (values.length > 1 ? [i] : []));
  if (varied.length === 0) return undefined;
  return html`<section>
    <h2>Over each parameter <small>at every value the fastest run over the other parameters; marks show the bound</small></h2>
    <div class="figures">
      ${varied.map((i) =>
        figure(
          String(i),
          "parameter",
          `Over ${parameters[i]!.name}`,
          `Time over ${parameters[i]!.name}, a line for each GPU`,
          html`${launches.map((name, launch) => parameterTable(data, i, name, launch))}`,
        ),
      )}
    </div>
  </section>`;
}

function parameterTable(data: PlotData, parameter: number, name: string, launch: number): Html {
  const { gpus, parameters, bounds } = data;
  const fastest = fastestOver(data, parameter, { launch, fixed: new Map() }).map(
    (rows) => new Map(rows.map((row) => [row.at[parameter]!, row])),
  );
  const cell = (row: PlotRow | undefined): string =>
    row === undefined ? "" : `${short(row.metrics[0]!)}, ${bounds[row.bound]!}`;
  return table(
    `µs of ${name} and its bound`,
    [number(parameters[parameter]!.name), ...gpus.map(number)],
    parameters[parameter]!.values.map((value) => [value, ...fastest.map((rows) => cell(rows.get(value)))]),
  );
}

const leftOut = (shown: string, count: number): HtmlPart =>
  count > MAX_ROWS
    ? html`<p>The first ${grouped(MAX_ROWS)} of ${grouped(count)} ${shown}; CSV and JSON have all.</p>`
    : undefined;

function problemSection(failed: readonly SweepResult[]): HtmlPart {
  if (failed.length === 0) return undefined;
  return html`<section>
    <h2>Failed runs</h2>
    ${leftOut("failed runs", failed.length)}
    ${table(
      "Runs without a time",
      ["GPU", "parameters", "problem"].map((title) => ({ title })),
      failed.slice(0, MAX_ROWS).map(({ point: { gpu, parameters }, problem }) => [
        gpu,
        Object.entries(parameters)
          .map(([name, value]) => `${name}=${value}`)
          .join(" "),
        problem,
      ]),
    )}
  </section>`;
}

function rowsSection(results: readonly SweepResult[]): HtmlPart {
  const rows = rowsOf(results).filter((row) => !(PROBLEM in row));
  const [first] = rows;
  if (first === undefined) return undefined;
  const columns = Object.keys(first);
  return html`<section>
    <h2>Results</h2>
    ${leftOut("rows", rows.length)}
    <details>
      <summary>All columns</summary>
      ${table(
        "A row for each launch of each run",
        columns.map((title) => ({ title, isNumber: typeof first[title] === "number" })),
        rows.slice(0, MAX_ROWS).map((row) => columns.map((column) => row[column])),
      )}
    </details>
  </section>`;
}
