// A kernel or device function, as every source of it is shown: NVIDIA's attributes, our declarations, or PTX text. What a
// source does not know is absent: machine registers exist only in machine code, names of parameters only in PTX.

import { parameterBank } from "../object/parameters.js";
import type { CodeSymbol } from "../object/object.js";
import { typeText } from "../check/symbols.js";

export interface ParameterView {
  /** Position, from 0. */
  readonly ordinal: number;
  readonly name?: string;
  /** As PTX writes it: ".u64", ".b8[16]". */
  readonly type?: string;
  /** Bytes from the start of the parameters. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** `.ptr`: the space that is pointed to, and the alignment in bytes that is promised. */
  readonly pointer?: { readonly space: string; readonly align: number };
}

export type Extents = readonly [x: number, y: number, z: number];

export interface FunctionView {
  readonly name: string;
  readonly demangled?: string;
  /** How other modules see it: STB_* without the prefix in lower case, or PTX's linkage. */
  readonly linkage: string;
  /** Bytes of code; 0 where it is declared only. */
  readonly codeBytes?: number;
  /** PTX instructions. */
  readonly instructions?: number;
  /** Machine registers per thread, and the most that it may have (.maxnreg, or what .minnctapersm leaves). */
  readonly registers?: number;
  readonly maxRegisters?: number;
  /** Bytes per thread: of its own frame, and of the deepest stack (least and most known). */
  readonly frameBytes?: number;
  readonly minStackBytes?: number;
  readonly maxStackBytes?: number;
  /** Static shared memory in bytes, what the system keeps included; the part it keeps; where dynamic memory begins. */
  readonly sharedBytes?: number;
  readonly reservedSharedBytes?: number;
  readonly dynamicSharedOffset?: number;
  readonly barriers?: number;
  /** Constant bank 0: bytes in front of the parameters. */
  readonly parameterBase?: number;
  readonly parameterBytes?: number;
  readonly parameters: readonly ParameterView[];
  /** What a device function returns, as PTX writes it. */
  readonly returns?: readonly string[];
  /** Threads per block: .maxntid, .reqntid; blocks per cluster. */
  readonly maxThreads?: Extents;
  readonly requiredThreads?: Extents;
  readonly clusterBlocks?: Extents;
  readonly maxClusterRank?: number;
  /** Other directives, as PTX writes them. */
  readonly directives?: readonly string[];
  /** Functions that it calls by name, and of those the undefined ones. */
  readonly calls: readonly string[];
  readonly externs: readonly string[];
  /** Where it is declared. */
  readonly file?: string;
  readonly line?: number;
}

/** The part of a view that a declaration gives. */
export type Declared = Pick<CodeSymbol, "name" | "entry" | "prototype" | "directives">;

/** Directives that have a place of their own in the view. */
const PLACED = new Set(["maxntid", "reqntid", "reqnctapercluster", "maxclusterrank", "maxnreg"]);

/** `sm`: of the target that its parameters are placed for. */
export function declaredView(
  { entry, prototype, directives }: Declared,
  sm: number,
): Omit<FunctionView, "name" | "linkage" | "calls" | "externs"> {
  const values = (name: string): readonly number[] | undefined => directives.find((d) => d.name === name)?.values;
  const extents = (key: string, name: string): object => {
    const found = values(name);
    return found === undefined ? {} : { [key]: [found[0] ?? 1, found[1] ?? 1, found[2] ?? 1] };
  };
  const single = (key: string, name: string): object => {
    const found = values(name)?.[0];
    return found === undefined ? {} : { [key]: found };
  };
  const block = parameterBank(prototype, sm);
  const others = directives.filter(({ name }) => !PLACED.has(name));
  return {
    ...(entry ? { parameterBytes: block.bytes } : {}),
    parameters: prototype.parameters.map(({ name, layout, pointer }, ordinal) => ({
      ordinal,
      name,
      type: typeText(layout),
      offset: block.offsets[ordinal]!,
      size: layout.size,
      ...(pointer === undefined ? {} : { pointer: { space: pointer.space ?? "generic", align: pointer.align ?? 1 } }),
    })),
    ...(prototype.returns.length === 0 ? {} : { returns: prototype.returns.map(({ layout }) => typeText(layout)) }),
    ...extents("maxThreads", "maxntid"),
    ...extents("requiredThreads", "reqntid"),
    ...extents("clusterBlocks", "reqnctapercluster"),
    ...single("maxClusterRank", "maxclusterrank"),
    ...single("maxRegisters", "maxnreg"),
    ...(others.length === 0
      ? {}
      : {
          directives: others.map(({ name, values, strings }) =>
            [`.${name}`, ...[...values, ...strings.map((s) => `"${s}"`)]].join(" "),
          ),
        }),
  };
}
