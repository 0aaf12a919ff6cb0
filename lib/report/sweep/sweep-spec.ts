// The input of `ptxkit sweep`: a program, GPU models, parameters with their values, and a launch specification. In it, strings
// that begin with "=" are arithmetic over the parameters.

import { evaluate } from "./expression.js";
import { launchColumns, PROBLEM } from "./sweep-columns.js";

export type SweepJson =
  null | boolean | number | string | readonly SweepJson[] | { readonly [name: string]: SweepJson };

export interface SweepSpec {
  /** Input files of the program. */
  readonly inputs: readonly string[];
  /** Names of models, or files with the user's own models. */
  readonly gpus: readonly string[];
  readonly parameters: ReadonlyMap<string, readonly number[]>;
  readonly launch: SweepJson;
}

/** One run: a model, and a value for each parameter. */
export interface SweepPoint {
  readonly gpu: string;
  readonly parameters: Readonly<Record<string, number>>;
}

export type ReadSweep =
  | { readonly ok: true; readonly spec: SweepSpec }
  /** `path` locates the wrong value in the document. */
  | { readonly ok: false; readonly problem: string; readonly path: readonly (string | number)[] };

const members = ["inputs", "gpus", "parameters", "launch"];
/** Column names that parameters cannot have. */
const columns: ReadonlySet<string> = new Set([...launchColumns, PROBLEM]);
/** Limit of runs in one sweep. */
const MAX_POINTS = 100_000;

export function readSweep(text: string): ReadSweep {
  const wrong = (problem: string, ...path: readonly string[]): ReadSweep => ({ ok: false, problem, path });
  let json: SweepJson;
  try {
    json = JSON.parse(text) as SweepJson;
  } catch {
    return wrong("it is not JSON");
  }
  if (!isObject(json)) return wrong("it is not a JSON object");
  const unknown = Object.keys(json).find((name) => !members.includes(name));
  if (unknown !== undefined) return wrong(`a sweep has no "${unknown}"; it has ${members.join(", ")}`, unknown);
  const { inputs, gpus, parameters = {}, launch } = json;
  if (!isListOf(inputs, isText)) return wrong('"inputs" has to be a list of files', "inputs");
  if (!isListOf(gpus, isText)) return wrong('"gpus" has to be a list of models or files', "gpus");
  if (!isObject(parameters)) return wrong('"parameters" has to be an object', "parameters");
  for (const [name, values] of Object.entries(parameters)) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      return wrong(`the parameter "${name}" has to be named by a word`, "parameters", name);
    if (columns.has(name)) return wrong(`results have a column "${name}"; rename that parameter`, "parameters", name);
    if (!isListOf(values, isNumber))
      return wrong(`"parameters.${name}" has to be a list of numbers`, "parameters", name);
  }
  if (!isObject(launch)) return wrong('"launch" has to be a launch specification', "launch");
  const lists = new Map(Object.entries(parameters) as [string, readonly number[]][]);
  const count = [...lists.values()].reduce((product, values) => product * values.length, gpus.length);
  if (count > MAX_POINTS) return wrong(`it has ${count} runs; at most ${MAX_POINTS} are possible`, "parameters");
  const spec: SweepSpec = { inputs, gpus, parameters: lists, launch };
  const [first] = pointsOf(spec);
  const tried = launchOf(spec, first!);
  return tried.ok ? { ok: true, spec } : { ok: false, problem: tried.problem, path: tried.path };
}

/** All runs; the models vary slowest and the last parameter fastest. */
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
  | { readonly ok: true; readonly json: SweepJson }
  | { readonly ok: false; readonly problem: string; readonly path: readonly (string | number)[] };

/** The launch specification of a point, with its arithmetic evaluated. */
export function launchOf({ launch }: SweepSpec, { parameters }: SweepPoint): FilledLaunch {
  const names = new Map(Object.entries(parameters));
  let found: { readonly problem: string; readonly path: readonly (string | number)[] } | undefined;
  const fill = (part: SweepJson, path: readonly (string | number)[]): SweepJson => {
    if (typeof part === "string" && part.startsWith("=")) {
      const answer = evaluate(part.slice(1), names);
      if (answer.ok) return answer.value;
      found ??= { problem: `"${pathText(path)}": "${part}": ${answer.problem}`, path };
      return 0;
    }
    if (Array.isArray(part)) return part.map((each: SweepJson, i) => fill(each, [...path, i]));
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fill(value, [...path, name])]));
  };
  const json = fill(launch, ["launch"]);
  return found === undefined ? { ok: true, json } : { ok: false, ...found };
}

/** "launch.grid[0]" */
const pathText = (path: readonly (string | number)[]): string =>
  path.map((part, i) => (typeof part === "number" ? `[${part}]` : i === 0 ? part : `.${part}`)).join("");

/** Names of the data files that the launch reads. They are the same at all points, because arithmetic yields only numbers. */
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
