// Prepares the launches of a specification on a loaded process: buffers are allocated and filled, symbols written, parameters
// packed. What does not fit the image is reported.

import { createNearest } from "../base/nearest.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { launchProblem } from "../exec/machine/launch-limits.js";
import { elementType, type ElementType } from "../load/elements.table.js";
import type { Argument, Launch, LaunchSpec, Output } from "../load/launch-spec.js";
import { createVariableFinder, qualified, variableBytes } from "../load/load.js";
import { addressBytes, type ArgumentValue, packParameters, pointerBytes } from "../load/parameters.js";
import type { LoadedKernel, LoadedVariable, Process } from "../load/process.js";
import type { Region } from "../load/region-list.js";
import type { ElementData } from "../load/spec-data.js";
import { encodeTensorMap } from "../load/tensor-map.js";
import { createOpaque, type OpaqueObjects } from "./run-images.js";

/** An output with its final bytes. */
export interface OutputReport extends ElementData {
  readonly name: string;
}

export interface Prepared {
  readonly kernel: LoadedKernel;
  readonly launch: Launch;
  readonly parameters: Uint8Array;
}

/** A specification whose names, sizes and arguments fit the image. */
export interface PreparedSpec {
  readonly buffers: ReadonlyMap<string, Region>;
  readonly outputs: readonly OutputReport[];
  readonly launches: readonly Prepared[];
}

/** Allocates buffers, writes symbols and packs parameters; undefined after a report. */
export function prepareSpec(process: Process, spec: LaunchSpec, sink: DiagnosticSink): PreparedSpec | undefined {
  const errorsBefore = sink.errorCount;
  const buffers = allocateBuffers(process, spec, sink);
  const opaque = createOpaque(process, spec, buffers, sink);
  const named = variablesByName(process, sink);
  const outputs = spec.outputs.flatMap((output) => findOutput(process, output, spec, { buffers, opaque, named }) ?? []);
  writeSymbols(process, spec, named, sink);
  const nearest = createNearest(() => process.kernels.keys());
  const launches = spec.launches.flatMap(
    (launch) => prepareLaunch(process, launch, { buffers, opaque, tensorMaps: spec.tensorMaps, nearest }, sink) ?? [],
  );
  return sink.errorCount > errorsBefore ? undefined : { buffers, outputs, launches };
}

/** Whether the specification fits the image; false after a report. Changes the process, but runs nothing. */
export const checkSpec = (process: Process, spec: LaunchSpec, sink: DiagnosticSink): boolean =>
  prepareSpec(process, spec, sink) !== undefined;

function allocateBuffers(process: Process, spec: LaunchSpec, sink: DiagnosticSink): ReadonlyMap<string, Region> {
  const regions = new Map<string, Region>();
  for (const [name, data] of spec.buffers) {
    try {
      const region = process.memory.allocate(data.bytes.length);
      region.bytes.set(data.bytes);
      regions.set(name, region);
      process.history.names.set(region.base, name);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      sink.report("device-memory", `buffer '${name}': ${error.message}`, data.place, {
        remedy: "make buffers smaller, or run in several launches what needs all of them",
      });
    }
  }
  return regions;
}

/** The resolved names of a launch. */
interface LaunchNames {
  readonly buffers: ReadonlyMap<string, Region>;
  readonly opaque: OpaqueObjects;
  readonly tensorMaps: LaunchSpec["tensorMaps"];
  /** Similar names of kernels, for messages. */
  nearest(name: string): readonly string[];
}

function prepareLaunch(
  process: Process,
  launch: Launch,
  names: LaunchNames,
  sink: DiagnosticSink,
): Prepared | undefined {
  const kernel = process.kernels.get(launch.kernel);
  if (kernel === undefined) {
    const kernels = [...process.kernels.keys()];
    const [meant] = names.nearest(launch.kernel);
    const list =
      kernels.length === 0 ? "the image has no kernels" : `its kernels are ${kernels.slice(0, 5).join(", ")}`;
    sink.report("launch-spec", `there is no kernel '${launch.kernel}'`, launch.place, {
      remedy: meant === undefined ? list : `did you mean '${meant}'?`,
    });
    return undefined;
  }
  const problem = launchProblem(kernel, launch);
  if (problem !== undefined) {
    sink.report("launch-spec", problem, launch.place);
    return undefined;
  }
  const packed = packParameters(
    kernel,
    launch.arguments.map((argument, i) => argumentValue(argument, pointerBytes(kernel, i), names)),
  );
  if (packed.ok) return { kernel, launch, parameters: packed.bytes };
  const place = launch.arguments[packed.index ?? -1]?.place ?? launch.place;
  // A launch of the command line has no place.
  const remedy = "pass each parameter in order with -a: a value as -a u32=8, a buffer as -a f32[8]=0";
  sink.report("launch-spec", packed.message, place, place === undefined ? { remedy } : {});
  return undefined;
}

function argumentValue(
  argument: Argument,
  pointer: 4 | 8,
  { buffers, opaque: { handles }, tensorMaps }: LaunchNames,
): ArgumentValue {
  switch (argument.kind) {
    case "buffer":
      return { bytes: addressBytes((buffers.get(argument.buffer)?.base ?? 0) + argument.offset, pointer) };
    case "texture":
    case "surface":
      return { bytes: addressBytes(handles[argument.kind].get(argument.name) ?? 0, 8) };
    case "tensorMap": {
      const { buffer, offset, map } = tensorMaps.get(argument.name)!;
      return { bytes: encodeTensorMap(map, (buffers.get(buffer)?.base ?? 0) + offset) };
    }
    case "value":
    case "bytes":
      return argument;
  }
}

// -------------------------------------------------------------------------------------------------- symbols and outputs

function writeSymbols(process: Process, spec: LaunchSpec, named: NamedVariable, sink: DiagnosticSink): void {
  for (const { name, data, place } of spec.symbols) {
    const found = named(name, place);
    if (found === undefined) continue;
    if (data.bytes.length <= found.size) variableBytes(process, found).set(data.bytes);
    else sink.report("launch-spec", `symbol '${name}' has ${found.size} bytes; ${data.bytes.length} do not fit`, place);
  }
}

interface OutputNames {
  readonly buffers: ReadonlyMap<string, Region>;
  readonly opaque: OpaqueObjects;
  readonly named: NamedVariable;
}

function findOutput(
  process: Process,
  output: Output,
  spec: LaunchSpec,
  { buffers, opaque, named }: OutputNames,
): OutputReport | undefined {
  if (output.kind === "image") {
    const image = opaque.images.get(output.target);
    return image && { name: output.name, type: image.shape.format.element, bytes: image.storage.bytes };
  }
  if (output.kind === "buffer") {
    const region = buffers.get(output.target);
    return region && { name: output.name, type: spec.buffers.get(output.target)!.type, bytes: region.bytes };
  }
  const found = named(output.target, output.place);
  return found && { name: output.name, type: typeOf(found), bytes: variableBytes(process, found) };
}

/** The element type of a variable: its declared type, or bytes if there is no such element type. */
function typeOf({ symbol, size }: LoadedVariable): ElementType {
  const type = elementType(symbol.layout.type.name);
  return type === undefined || size % type.bytes !== 0 ? elementType("b8")! : type;
}

/** The variable of a name; undefined after a report. */
type NamedVariable = (name: string, place: Output["place"]) => LoadedVariable | undefined;

function variablesByName(process: Process, sink: DiagnosticSink): NamedVariable {
  const find = createVariableFinder(process);
  const nearest = createNearest(() => process.variables.map(({ name }) => name));
  return (name, place) => {
    const found = find(name);
    if (found !== undefined && found !== "ambiguous") return found;
    if (found === "ambiguous") {
      const choices = process.variables.filter((variable) => variable.name === name).map(qualified);
      sink.report("launch-spec", `several modules have a variable '${name}'`, place, {
        remedy: `name one: ${choices.join(", ")}`,
      });
    } else {
      const [meant] = nearest(name);
      sink.report(
        "launch-spec",
        `there is no variable '${name}'`,
        place,
        meant === undefined ? {} : { remedy: `did you mean '${meant}'?` },
      );
    }
    return undefined;
  };
}
