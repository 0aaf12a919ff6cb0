// The view of a kernel or device function, for every source of it: NVIDIA's attributes, ptxkit's declarations, or PTX text.
// Properties that a source lacks are absent: only machine code has machine registers, only PTX has parameter names.

import { parameterBank } from "../../object/parameters.js";
import type { CodeSymbol } from "../../object/object.js";
import { typeText } from "../../check/symbols.js";

export interface ParameterView {
  /** Position, from 0. */
  readonly ordinal: number;
  readonly name?: string;
  /** The type in PTX: ".u64", ".b8[16]". */
  readonly type?: string;
  /** Bytes from the start of the parameters. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** `.ptr`: the state space, and the promised alignment in bytes. */
  readonly pointer?: { readonly space: string; readonly align: number };
}

export type Extents = readonly [x: number, y: number, z: number];

export interface FunctionView {
  readonly name: string;
  readonly demangled?: string;
  /** The linkage: STB_* without the prefix in lower case, or PTX's linkage. */
  readonly linkage: string;
  /** Bytes of code; 0 for a declaration. */
  readonly codeBytes?: number;
  /** Number of PTX instructions. */
  readonly instructions?: number;
  /** Machine registers per thread, and their limit (.maxnreg, or the result of .minnctapersm). */
  readonly registers?: number;
  readonly maxRegisters?: number;
  /** Bytes per thread: of the function's own frame, and of the deepest stack (lower and upper bound). */
  readonly frameBytes?: number;
  readonly minStackBytes?: number;
  readonly maxStackBytes?: number;
  /** Bytes of static shared memory including the reserved part; bytes of the reserved part; offset of dynamic shared memory. */
  readonly sharedBytes?: number;
  readonly reservedSharedBytes?: number;
  readonly dynamicSharedOffset?: number;
  readonly barriers?: number;
  /** Constant bank 0: bytes before the parameters. */
  readonly parameterBase?: number;
  readonly parameterBytes?: number;
  readonly parameters: readonly ParameterView[];
  /** Types that a device function returns, in PTX. */
  readonly returns?: readonly string[];
  /** Threads per block (.maxntid, .reqntid); blocks per cluster. */
  readonly maxThreads?: Extents;
  readonly requiredThreads?: Extents;
  readonly clusterBlocks?: Extents;
  readonly maxClusterRank?: number;
  /** Other directives, in PTX. */
  readonly directives?: readonly string[];
  /** Functions that it calls by name; those of them that are undefined. */
  readonly calls: readonly string[];
  readonly externs: readonly string[];
  /** Place of the declaration. */
  readonly file?: string;
  readonly line?: number;
}

/** The properties of a declaration that its view shows. */
export type Declared = Pick<CodeSymbol, "name" | "entry" | "prototype" | "directives">;

/** Directives that the view shows as properties of their own. */
const PLACED = new Set(["maxntid", "reqntid", "reqnctapercluster", "maxclusterrank", "maxnreg"]);

/** `sm`: the target that decides the offsets of the parameters. */
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
