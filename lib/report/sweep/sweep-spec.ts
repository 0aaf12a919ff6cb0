// What `ptxkit sweep` is given: a program, GPU models, parameters with their values, and a launch specification in which strings that
// begin with "=" are arithmetic over the parameters.

import { evaluate } from "./expression.js";
import { launchColumns, PROBLEM } from "./sweep-columns.js";

export type SweepJson =
  null | boolean | number | string | readonly SweepJson[] | { readonly [name: string]: SweepJson };

export interface SweepSpec {
  /** Files of the program. */
  readonly inputs: readonly string[];
  /** Names of models, or files of the user's own. */
  readonly gpus: readonly string[];
  readonly parameters: ReadonlyMap<string, readonly number[]>;
  readonly launch: SweepJson;
}

/** One run: a model and a value of each parameter. */
export interface SweepPoint {
  readonly gpu: string;
  readonly parameters: Readonly<Record<string, number>>;
}

export type ReadSweep =
  { readonly ok: true; readonly spec: SweepSpec } | { readonly ok: false; readonly problem: string };

const members = ["inputs", "gpus", "parameters", "launch"];
/** Parameters are columns beside these. */
const columns: ReadonlySet<string> = new Set([...launchColumns, PROBLEM]);
/** Runs of one sweep. */
const MOST_POINTS = 100_000;

export function readSweep(text: string): ReadSweep {
  const wrong = (problem: string): ReadSweep => ({ ok: false, problem });
  let json: SweepJson;
  try {
    json = JSON.parse(text) as SweepJson;
  } catch (error) {
    return wrong(`it is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) return wrong("it is not a JSON object");
  const unknown = Object.keys(json).find((name) => !members.includes(name));
  if (unknown !== undefined) return wrong(`a sweep has no "${unknown}"; it has ${members.join(", ")}`);
  const { inputs, gpus, parameters = {}, launch } = json;
  if (!isListOf(inputs, isText)) return wrong('"inputs" has to be a list of files');
  if (!isListOf(gpus, isText)) return wrong('"gpus" has to be a list of models or files');
  if (!isObject(parameters)) return wrong('"parameters" has to be an object');
  for (const [name, values] of Object.entries(parameters)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return wrong(`the parameter "${name}" has to be named by a word`);
    if (columns.has(name)) return wrong(`results have a column "${name}"; rename that parameter`);
    if (!isListOf(values, isNumber)) return wrong(`"parameters.${name}" has to be a list of numbers`);
  }
  if (!isObject(launch)) return wrong('"launch" has to be a launch specification');
  const lists = new Map(Object.entries(parameters) as [string, readonly number[]][]);
  const count = [...lists.values()].reduce((product, values) => product * values.length, gpus.length);
  if (count > MOST_POINTS) return wrong(`it has ${count} runs; at most ${MOST_POINTS} are possible`);
  const spec: SweepSpec = { inputs, gpus, parameters: lists, launch };
  const [first] = pointsOf(spec);
  const tried = launchOf(spec, first!);
  return tried.ok ? { ok: true, spec } : wrong(tried.problem);
}

/** All runs, the models outermost and the last parameter innermost. */
export function pointsOf({ gpus, parameters }: SweepSpec): readonly SweepPoint[] {
  let points: readonly SweepPoint[] = gpus.map((gpu) => ({ gpu, parameters: {} }));
  for (const [name, values] of parameters)
    points = points.flatMap((point) =>
      values.map((value) => ({ ...point, parameters: { ...point.parameters, [name]: value } })),
    );
  return points;
}

export const pointKey = ({ gpu, parameters }: SweepPoint): string => JSON.stringify([gpu, parameters]);

export type FilledLaunch =
  { readonly ok: true; readonly json: SweepJson } | { readonly ok: false; readonly problem: string };

/** The launch specification of a point: its arithmetic is done. */
export function launchOf({ launch }: SweepSpec, { parameters }: SweepPoint): FilledLaunch {
  const names = new Map(Object.entries(parameters));
  let problem: string | undefined;
  const fill = (part: SweepJson, at: string): SweepJson => {
    if (typeof part === "string" && part.startsWith("=")) {
      const answer = evaluate(part.slice(1), names);
      if (answer.ok) return answer.value;
      problem ??= `"${at}": "${part}": ${answer.problem}`;
      return 0;
    }
    if (Array.isArray(part)) return part.map((each: SweepJson, i) => fill(each, `${at}[${i}]`));
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fill(value, `${at}.${name}`)]));
  };
  const json = fill(launch, "launch");
  return problem === undefined ? { ok: true, json } : { ok: false, problem };
}

/** Names of the files whose data the launch takes. They are the same at all points: arithmetic has numbers only. */
export function launchFiles({ launch }: SweepSpec): readonly string[] {
  const names = new Set<string>();
  const visit = (part: SweepJson): void => {
    if (Array.isArray(part)) part.forEach(visit);
    if (!isObject(part)) return;
    const { file } = part;
    if (typeof file === "string") names.add(file);
    Object.values(part).forEach(visit);
  };
  visit(launch);
  return [...names];
}

const isObject = (value: SweepJson | undefined): value is { readonly [name: string]: SweepJson } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: SweepJson): value is string => typeof value === "string" && value !== "";
const isNumber = (value: SweepJson): value is number => typeof value === "number" && Number.isFinite(value);
const isListOf = <T extends SweepJson>(
  value: SweepJson | undefined,
  is: (one: SweepJson) => one is T,
): value is readonly T[] => Array.isArray(value) && value.length > 0 && value.every(is);
