// ptxkit inspect: shows the contents of files.

import path from "node:path";
import type { crossCheck } from "../../formats/elf/elfy-witness.js";
import type { Place } from "../../lib/diag/diagnostic.js";
import { NotYet } from "../../lib/base/not-yet.js";
import { extractInside } from "../../lib/inspect/parts/extract.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import { isNamed } from "../../lib/inspect/inspect-elf.js";
import { VIEWS, type Inspection, type ViewName } from "../../lib/inspect/inspection.js";
import { isSelective, type Selection } from "../../lib/inspect/parts/selection.js";
import type { occupancyView } from "../../lib/inspect/occupancy.js";
import type { FunctionLines } from "../../lib/inspect/views/lines.js";
import { kindText, recognise } from "../../lib/link/inputs/recognise.js";
import type { DiagnosticSink } from "../../lib/diag/sink.js";
import type { Source } from "../../lib/ptx/source-text.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { inSession, type CommonOptions, type Session } from "../options/common.js";
import type { Host } from "../files/host.js";
import { memberReader, orReport, readSource } from "../inputs/inputs.js";
import { checkOutputs, openOutputs, writeTogether } from "../files/outputs.js";
import { readSelected } from "../inputs/selected.js";
import { status, UsageError, type Status } from "../base/status.js";
import { version } from "../version.js";
import { pageScript } from "../viewer-script.js";

export interface InspectOptions extends CommonOptions, Partial<Readonly<Record<ViewName, boolean>>> {
  readonly json?: boolean;
  readonly crossCheck?: boolean;
  readonly compareImages?: boolean;
  readonly verify?: boolean;
  /** Selectors of nested files, outermost first. */
  readonly entry?: readonly string[];
  readonly extract?: string;
  readonly list?: boolean;
  readonly kind?: "ptx" | "cubin";
  readonly arch?: string;
  readonly match?: string;
  readonly hex?: readonly string[];
  readonly function?: readonly string[];
  /** Compute capability: 90 for sm_90. */
  readonly loadsOn?: number;
  /** The HTML page to write. */
  readonly html?: string;
}

export function inspect(files: readonly string[], options: InspectOptions, host: Host): Promise<Status> {
  return inSession(host, options, async (session) => {
    const { extract, entry } = options;
    refuseContradictions(options);
    if (options.html !== undefined) return writePage(options.html, files, options, session);
    if (extract !== undefined && files.length > 1)
      throw new UsageError("--extract takes one file", "call inspect for each, with a folder for each");
    const witness = options.crossCheck === true || options.verify === true ? { witness: await elfyWitness() } : {};
    // The verifier and the second reader need all bytes.
    const isWhole = options.verify === true || options.crossCheck === true;
    const reader = isWhole ? readSource : readInspected;
    const models = options.occupancy === true ? { occupancyOf: await occupancyMaker() } : {};
    const shown: Inspection[] = [];
    for (const file of files) {
      const source = orReport(file, session, () => readSelected(file, session, entry, reader));
      if (source === undefined) continue;
      if (extract !== undefined) return extractTo(extract, file, source, selectionOf(options), session);
      const inspection = inspectSource(source, { ...options, ...witness, ...models }, session);
      if (inspection === undefined) continue;
      reportMissing(inspection, options, session);
      if (!isChosen(inspection, options, session)) continue;
      shown.push(inspection);
      if (options.json !== true) host.out(`${shown.length > 1 ? "\n" : ""}${textOf(inspection, session)}`);
    }
    if (options.json === true && shown.length > 0) host.out(jsonText(shown, files.length));
    const isUnlike = shown.some(({ images }) => images?.some(({ findings }) => findings.length > 0));
    const lacksImage = shown.some(({ loads }) => loads?.modules.some(({ chosen }) => chosen === null));
    return shown.length === files.length && !lacksImage && !isUnlike ? status.done : status.wrongInput;
  });
}

/** The bytes of a file; the fatbins of a large one are read on demand. */
function readInspected(file: string, session: Session): Source {
  const bytes = session.host.readInspected(file);
  session.sources.set(file, bytes);
  return { name: file, bytes };
}

/** An HTML page, --extract and --loads-on cannot be combined with options that request other output. */
function refuseContradictions(options: InspectOptions): void {
  const { html, extract, list, compareImages, loadsOn, hex, function: functions, json } = options;
  const others = views(options).length > 0 || hex !== undefined || functions !== undefined;
  const isSelecting = isSelective(selectionOf(options));
  if (
    isSelecting &&
    (html !== undefined ||
      loadsOn !== undefined ||
      (!others && extract === undefined && list !== true && compareImages !== true))
  )
    throw new UsageError(
      "--kind, --arch and --match choose what --list, --extract and views show",
      "give one of those: --list, or --kernels",
    );
  if (
    compareImages === true &&
    (views(options).length > 0 || hex !== undefined || html !== undefined || extract !== undefined || list === true || loadsOn !== undefined) // prettier-ignore
  )
    throw new UsageError(
      "--compare-images excludes views, --html, --extract, --list and --loads-on",
      "call inspect for each",
    );
  if (list === true && (others || html !== undefined || extract !== undefined || loadsOn !== undefined))
    throw new UsageError("--list excludes --html, --extract, --loads-on and views", "call inspect for each");
  if (html !== undefined && (others || json === true || extract !== undefined || loadsOn !== undefined))
    throw new UsageError("--html shows everything, and excludes --json, --extract and views", "call inspect for each");
  if (extract !== undefined && (others || json === true || loadsOn !== undefined))
    throw new UsageError("--extract excludes --json and views", "call inspect for each");
  if (loadsOn !== undefined && others)
    throw new UsageError("--loads-on excludes --function and views", "call inspect for each");
}

/** One page that explores all files. */
async function writePage(
  output: string,
  files: readonly string[],
  { entry }: InspectOptions,
  session: Session,
): Promise<Status> {
  const { exploreFile } = await import("../../lib/inspect/explore.js");
  const { explorePage } = await import("../../lib/report/page/explore.js");
  const { host, sink } = session;
  checkOutputs([output], files, host);
  const explored = files.flatMap((file) => {
    const source = orReport(file, session, () => readSelected(file, session, entry));
    const found = source === undefined ? undefined : exploreFile(source, sink, memberReader(session));
    return found === undefined ? [] : [found];
  });
  if (explored.length < files.length || sink.errorCount > 0) return status.wrongInput;
  const page = explorePage({ files: explored, viewer: pageScript("explore") });
  writeTogether(host, (host) => host.write(output, page));
  return status.done;
}

function inspectSource(
  source: Source,
  options: InspectOptions & { readonly witness?: typeof crossCheck; readonly occupancyOf?: typeof occupancyView },
  session: Session,
): Inspection | undefined {
  const { witness, verify = false } = options;
  const readFile = memberReader(session);
  const { hex, function: functions, loadsOn } = options;
  const result = inspectFile(
    source,
    {
      views: views(options),
      verify,
      readFile,
      ...(witness && { witness }),
      ...(options.occupancyOf && { occupancyOf: options.occupancyOf }),
      selection: selectionOf(options),
      lists: options.list === true,
      comparesImages: options.compareImages === true,
      ...(hex && { hex }),
      ...(functions && { functions }),
      ...(loadsOn !== undefined && { loadsOn }),
    },
    session.sink,
  );
  if (result.kind === "unsupported") throw new NotYet(result.reason, result.remedy);
  return result.inspection;
}

const lineName = ({ function: name, demangled }: FunctionLines): readonly { name: string; demangled?: string }[] =>
  name === undefined ? [] : [{ name, ...(demangled === undefined ? {} : { demangled }) }];

/** Whether --kind, --arch and --match select a file that is no container; reports it if not. */
function isChosen(inspection: Inspection, options: InspectOptions, { sink }: Session): boolean {
  const { file, kind, target, elements, list } = inspection;
  const { kind: wanted, arch, match } = options;
  if (elements !== undefined || list !== undefined) return true;
  const isKind = wanted === undefined || (wanted === "ptx" ? kind === "ptx" : /^(cubin|ptxkit)/.test(kind));
  const isArch = arch === undefined || (target ?? inspection.module?.target) === arch;
  if (isKind && isArch && (match === undefined || file.includes(match))) return true;
  const asked = [wanted ?? "code", ...(arch === undefined ? [] : [`for ${arch}`]), ...(match === undefined ? [] : [`named ${match}`])]; // prettier-ignore
  sink.report("no-such-member", `${file} is no ${asked.join(" ")}, and holds none`, { kind: "file", file });
  return false;
}

/** Reports the requested sections and functions that no file contains. */
function reportMissing(inspection: Inspection, options: InspectOptions, { sink }: Session): void {
  const { file, kind, damaged, shortened } = inspection;
  if (damaged || shortened || options.loadsOn !== undefined) return;
  const all = [inspection, ...(inspection.elements ?? [])];
  const place: Place = kind === "ptx" || kind === "nvvm" ? { kind: "file", file } : { kind: "bytes", file, offset: 0 };
  const report = (what: string, remedy: string): void =>
    sink.report("no-such-member", `there is no ${what} in ${file}`, place, { remedy });
  const sections = all.flatMap(({ hex = [] }) => hex.map(({ section }) => section));
  for (const wanted of options.hex ?? [])
    if (!sections.some(({ name, index }) => name === wanted || `${index}` === wanted))
      report(`section ${wanted}`, `--sections lists them: ptxkit inspect ${file} --sections`);
  const lists = all.flatMap(({ kernels, functions, resourceUsage, occupancy, debugLine }) =>
    [kernels, functions, resourceUsage?.functions, occupancy, debugLine?.functions.flatMap(lineName)].filter(
      (list) => list !== undefined,
    ),
  );
  const isListed = lists.length > 0 || (inspection.elements !== undefined && views(options).some(isOfFunctions));
  for (const wanted of isListed ? (options.function ?? []) : [])
    if (!lists.some((list) => list.some((each) => isNamed(each, wanted))))
      report(`kernel or function ${wanted}`, `--kernels lists them: ptxkit inspect ${file} --kernels`);
}

const selectionOf = ({ kind, arch, match }: InspectOptions): Selection => ({
  ...(kind && { kind }),
  ...(arch !== undefined && { arch }),
  ...(match !== undefined && { match }),
});

const views = (options: InspectOptions): readonly ViewName[] => VIEWS.filter((view) => options[view] === true);

/** Whether --function limits the rows of a view. */
const isOfFunctions = (view: ViewName): boolean =>
  view === "kernels" || view === "resourceUsage" || view === "occupancy" || view === "debugLine";

function textOf(inspection: Inspection, { host, outColor }: Session): string {
  return renderInspection(inspection, { width: host.outColumns, style: outColor ? ansiStyler : plainStyler });
}

/** Extracts the PTX and the machine code of a file, and lists what was written. If a part is damaged, nothing is written. */
function extractTo(folder: string, input: string, source: Source, selection: Selection, session: Session): Status {
  const { host, sink } = session;
  const said: string[] = [];
  let count = 0;
  const outputs = openOutputs(host);
  try {
    for (const { name, bytes } of extractInside(source, sink, memberReader(session), selection)) {
      const file = path.join(folder, name);
      said.push(
        `${file}: ${bytes === undefined ? "not written, only NVIDIA's tools read it" : `${bytes.length} bytes`}\n`,
      );
      if (bytes === undefined) continue;
      checkOutputs([file], [input], host);
      if (count++ === 0) outputs.host.makeFolder(folder);
      outputs.host.write(file, bytes);
    }
    if (sink.errorCount > 0) return status.wrongInput;
    outputs.commit();
  } finally {
    outputs.discard();
  }
  host.out(said.join(""));
  if (count === 0) reportNothing(source, selection, sink);
  return status.done;
}

function reportNothing({ name: file, bytes }: Source, selection: Selection, sink: DiagnosticSink): void {
  const kind = recognise(bytes);
  const isText = kind === "ptx" || kind === "nvvm";
  const place: Place = isText ? { kind: "file", file } : { kind: "bytes", file, offset: 0 };
  const isKnown = kind !== "empty" && kind !== "unknown";
  if (!isKnown) return sink.report("unknown-format", `${file} is ${kindText(kind)}: there is nothing inside`, place);
  const what = `PTX nor machine code ${isSelective(selection) ? "like that " : ""}`;
  sink.report("no-such-member", `there is neither ${what}inside ${file}`, place);
}

/** Loaded on demand: it imports an optional package. */
async function elfyWitness(): Promise<typeof crossCheck> {
  return (await import("../../formats/elf/elfy-witness.js")).crossCheck;
}

/** Loaded on demand too, because it imports the GPU models. */
async function occupancyMaker(): Promise<typeof occupancyView> {
  return (await import("../../lib/inspect/occupancy.js")).occupancyView;
}

/** One JSON document: the inspection of a single file, or a list of inspections in `files`. */
function jsonText(shown: readonly Inspection[], asked: number): string {
  const ptxkit = { version: version() };
  const document = asked === 1 ? { ptxkit, ...shown[0] } : { ptxkit, files: shown };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
