// The public API, names listed one by one: what a program gets from `import ... from "ptxkit"`. docs/api.md shows it at
// work, and test/golden/api.txt holds its names, so that it changes only on purpose. Everything else may change any time.

// What was found: data, and how to show it.
export { codes, type CodeName } from "./diag/codes.table.js";
export type {
  BytePlace,
  Diagnostic,
  FilePlace,
  LinePlace,
  Note,
  Place,
  Severity,
  TextPlace,
} from "./diag/diagnostic.js";
export { demand, InputError } from "./diag/demand.js";
export { createSink, type Details, type DiagnosticSink, type SinkOptions, type WarningLevel } from "./diag/sink.js";
export { renderJson } from "./diag/render-json.js";
export { renderSarif, type SarifOptions } from "./diag/render-sarif.js";
export { renderText, type TextOptions } from "./diag/render-text.js";

// PTX text.
export { parseDeclarations, parseModule } from "./ptx/parse.js";
export { printModule } from "./ptx/printer.js";
export type { Module, UnreadBody } from "./ptx/tree.js";
export type { Source } from "./ptx/source-text.js";
export { checkModule, checkSource, type CheckOptions } from "./check/check.js";
export type { CheckedModule } from "./check/module.js";

// Objects and images.
export { assemble } from "./object/assemble.js";
export { disassemble } from "./object/print/disassemble.js";
export type { LinkedImage, ObjectFile, RelocObject } from "./object/object.js";
export { readObject } from "./object/file/read.js";
export { writeObject } from "./object/file/write.js";
export { linkSources, type LinkSourcesOptions, type SourceContent } from "./link/link-sources.js";
export { linkObjects } from "./link/link-objects.js";
export type { LinkOptions } from "./link/options.js";
export type { RemovedSymbol } from "./link/gc/collect-options.js";
export type { RootOptions } from "./link/gc/roots.js";
export type { LiveStep, WhyLive } from "./link/gc/why-live.js";
export type { Linked } from "./link/model/linked.js";
export { makeMap, type LinkMap } from "./link/reports/map.js";
export type { PartialLink } from "./link/model/relocatable.js";
export { makeObjectMap, type ObjectMap } from "./link/reports/object-map.js";
export { linkRelocatable } from "./link/link-objects.js";
export { emitPtx, type EmitOptions } from "./link/link-objects.js";
export { openArchive, type OpenArchive, type OpenMember, type ReadFile } from "./link/inputs/archive.js";
export type { Input } from "./link/inputs/input.js";
export { assembleInput as openInput, openInputs, type OpenOptions } from "./link/inputs/open-input.js";
export { openLazily, type LazyInput } from "./link/archives/lazy-input.js";
export {
  selectInputs,
  type Candidate,
  type Extraction,
  type NameRoot,
  type SelectOptions,
  type Selection,
} from "./link/archives/select-archive.js";
export { selectInside } from "./link/inputs/select.js";
export { splitSelectors } from "./link/inputs/select-name.js";
export { recognise, type FileKind } from "./link/inputs/recognise.js";
export { extractInside, type ExtractedFile } from "./inspect/parts/extract.js";
export { exploreFile, type Explored, type ExploredPart } from "./inspect/explore.js";
export { exploreHtml, explorePage, type ExplorePageOptions } from "./report/page/explore.js";
export { inspectFile } from "./inspect/inspect.js";
export type { Inspection, InspectOptions, InspectResult } from "./inspect/inspection.js";

// Running.
export { loadImage, MalformedCode, type LoadOptions } from "./load/load.js";
export type { Process } from "./load/process.js";
export { readLaunchSpec, type LaunchSpec } from "./load/launch-spec.js";
export type { SpecOptions } from "./load/spec-data.js";
export type { Dimensions } from "./base/dimensions.js";
export { BindError } from "./exec/program/bind.js";
export type { ProgramOptions } from "./exec/program/programs.js";
export type { DeviceAttributes, KernelAttributes, KernelParameter } from "./exec/machine/attributes.js";
export type { DeviceArgument, DeviceBuffer, DeviceHandle, Extent, TypedNumber } from "./exec/device/arguments.js";
export type { ImageDescription } from "./load/image.js";
export type { AddressMode, BufferTexels, Filter, Sampling } from "./load/texture.js";
export type { TensorMap } from "./load/tensor-map.js";
export { elapsed, openDevice } from "./exec/device/device.js";
export type {
  Device,
  DeviceEvent,
  DeviceImage,
  DeviceLaunch,
  DeviceOptions,
  DeviceResult,
  DeviceSurface,
  DeviceTensorMap,
  DeviceTexture,
  DeviceTiming,
  HostArray,
  HostArrayType,
  MemoryStatistics,
  SurfaceDescription,
  TextureDescription,
  TimeLaunch,
} from "./exec/device/interface.js";
export type { Finding, FindingKind, Party, PtxPlace } from "./exec/sanitize/finding.js";
export type { EngineName } from "./exec/state/launch.js";
export type { LaunchOptions } from "./exec/launch/launch-options.js";
export type { AsyncMode } from "./exec/state/pending.js";
export type { StopSignal } from "./exec/launch/stop-signal.js";
export type { Fault, FaultKind, LaunchResult, ThreadLocation } from "./exec/state/result.js";

// Timing.
export { findGpu, gpuModels } from "./timing/gpus/gpus.js";
export type { GpuModel, GpuName } from "./timing/gpus/model.js";
export type { TimingResult } from "./timing/result/result.js";
export type { Advice } from "./timing/result/result.js";
export type { InstructionProfile } from "./timing/result/instruction-profile.js";
export type { LaunchEvents } from "./timing/sm/events.js";
export { timedOn, type TimedOptions } from "./report/timed.js";
export { cubinFacts } from "./report/cubin-facts.js";
export { describeGpus, type GpuDescription } from "./report/gpus-text.js";
export { linesOf, type LineProfile } from "./report/hot-lines.js";
export { konataLog } from "./report/trace-konata.js";
export { perfettoTrace } from "./report/trace-perfetto.js";

// Reports.
export { renderInspection } from "./report/inspect-text.js";
export { removedText, whyLiveText } from "./report/live-text.js";
export type { OutputReport } from "./report/prepare-spec.js";
export { runSpec, type LaunchReport, type RunOptions, type RunReport } from "./report/run.js";
export { runJson } from "./report/run-json.js";
export { runText, type RunTextOptions } from "./report/run-text.js";

// What is thrown: a defect of ours, and what this version cannot do yet.
export { InternalError } from "./base/assert.js";
export { NotYet } from "./base/not-yet.js";
