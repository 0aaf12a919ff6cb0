// `.nv.info` of one function: the attributes that PTX determines, with NVIDIA's numbers and in NVIDIA's formats. Others
// (registers, stack sizes, offsets of machine instructions) do not exist before PTX is compiled, and are omitted. docs/format.md,
// "Attributes, call graph, prototypes". For other tools; ptxkit's reader takes the same data from .ptxkit.decl.

import {
  EIATTR,
  EIFMT,
  POINTEE_SPACES,
  targetFacts,
  type TargetFacts,
  type InfoEntry,
  type InfoPayload,
} from "../../../formats/cuda/index.js";
import type { CodeProperties, CodeSymbol, KernelInfo } from "../object.js";
import { isReference, type ParameterBank } from "../parameters.js";
import { registerLimit } from "./register-limit.js";

export interface FunctionFacts {
  readonly symbol: CodeSymbol;
  /** SM number of the file's target. */
  readonly sm: number;
  /** The kernel's properties; undefined for other functions. */
  readonly kernel: KernelInfo | undefined;
  /** ELF symbol of the section of the kernel's parameters. */
  readonly parameterSymbol: number;
  /** Layout of the kernel's parameters; undefined for other functions. */
  readonly bank: ParameterBank | undefined;
  /** ELF symbols of undefined functions that the function calls. */
  readonly externs: readonly number[];
  /** Properties of its code; undefined if there is nothing to record. */
  readonly code: CodeProperties | undefined;
}

const sized = (attribute: number, payload: InfoPayload): InfoEntry => ({ attribute, format: EIFMT.SVAL, payload });
const half = (attribute: number, value: number): InfoEntry => ({
  attribute,
  format: EIFMT.HVAL,
  payload: { kind: "number", value },
});

const flag = (attribute: number): InfoEntry => ({
  attribute,
  format: EIFMT.NVAL,
  payload: { kind: "flag", value: 0 },
});

const spaces: readonly string[] = POINTEE_SPACES;

/** Stack size of a kernel for which no size is sufficient. */
export const UNKNOWN_STACK = 0xffff_ffff;
/** Constant bank of a parameter: bank 0, at the place that PARAM_CBANK gives. */
const PARAMETER_BANK = 0x1f;
/** Offset of a parameter that is a texture, sampler or surface and has no place in the bank. */
const NOWHERE = 0xffff;

const NOTHING: readonly InfoEntry[] = [];
/** Limit of the symbols in one attribute, at four bytes each. */
const MOST_SYMBOLS = Math.floor(0xffff / 4);

/** All attributes of a function. */
export function functionInfo(facts: FunctionFacts): readonly InfoEntry[] {
  const ofCode = codeInfo(facts);
  const { kernel, bank } = facts;
  return kernel === undefined || bank === undefined ? ofCode : [...kernelEntries(facts, kernel, bank), ...ofCode];
}

/** The attributes after those of a kernel's parameters. */
export function codeInfo({ code, externs }: Pick<FunctionFacts, "externs" | "code">): readonly InfoEntry[] {
  const missing = externs.length === 0 ? NOTHING : externEntries(externs);
  if (code === undefined) return missing;
  const { barriers: value, readsBlockZ, usesMatrices, isRecursive } = code;
  const count = { attribute: EIATTR.NUM_BARRIERS, format: EIFMT.BVAL, payload: { kind: "number", value } } as const;
  return [
    ...(value === 0 ? [] : [count]),
    ...(readsBlockZ ? [flag(EIATTR.CTAIDZ_USED)] : []),
    ...(usesMatrices ? [flag(EIATTR.WMMA_USED)] : []),
    ...(isRecursive ? [sized(EIATTR.CRS_STACK_SIZE, { kind: "number", value: UNKNOWN_STACK })] : []),
    ...missing,
  ];
}

/** Splits the list into as many attributes as their 16-bit sizes require. */
function externEntries(externs: readonly number[]): readonly InfoEntry[] {
  return Array.from({ length: Math.ceil(externs.length / MOST_SYMBOLS) }, (_, i) =>
    sized(EIATTR.EXTERNS, { kind: "symbols", symbols: externs.slice(i * MOST_SYMBOLS, (i + 1) * MOST_SYMBOLS) }),
  );
}

/** The low 16 bits of a bank's size, which ptxas writes. */
const told = (bytes: number): number => bytes % 2 ** 16;

function kernelEntries(facts: FunctionFacts, kernel: KernelInfo, bank: ParameterBank): readonly InfoEntry[] {
  const { symbol, sm, parameterSymbol } = facts;
  const { base: offset } = bank;
  const size = told(bank.bytes);
  const place = { kind: "parameter-bank", symbol: parameterSymbol, offset, size } as const;
  const directive = (name: string) => symbol.directives.find((d) => d.name === name)?.values;
  const triple = (attribute: number, values: readonly number[] | undefined): readonly InfoEntry[] => {
    if (values === undefined) return [];
    const [x = 1, y = 1, z = 1] = values.map((value) => Math.min(value, 0xffff_ffff));
    return [sized(attribute, { kind: "dimensions", x, y, z })];
  };
  const rank = directive("maxclusterrank")?.[0];
  return [
    ...(bank.isSaid ? [sized(EIATTR.PARAM_CBANK, place)] : []),
    ...(bank.bytes === 0 ? [] : [half(EIATTR.CBANK_PARAM_SIZE, size)]),
    ...parameterEntries(symbol, bank, targetFacts(sm)),
    half(EIATTR.MAXREG_COUNT, registerLimit(symbol.directives, sm)),
    ...triple(EIATTR.MAX_THREADS, kernel.maxThreads),
    ...triple(EIATTR.REQNTID, kernel.requiredThreads),
    ...triple(EIATTR.CTA_PER_CLUSTER, directive("reqnctapercluster")),
    ...(directive("explicitcluster") === undefined ? [] : [flag(EIATTR.EXPLICIT_CLUSTER)]),
    ...(directive("blocksareclusters") === undefined ? [] : [flag(EIATTR.BLOCKS_ARE_CLUSTERS)]),
    ...(rank === undefined
      ? []
      : [sized(EIATTR.MAX_CLUSTER_RANK, { kind: "number", value: Math.min(rank, 0xffff_ffff) })]),
  ];
}

/** Parameters from last to first, in NVIDIA's order. */
function parameterEntries(
  symbol: CodeSymbol,
  bank: ParameterBank,
  { constPointee }: TargetFacts,
): readonly InfoEntry[] {
  return symbol.prototype.parameters
    .map((each, ordinal): InfoEntry => {
      const { layout, pointer } = each;
      const type = isReference(each) ? layout.type.name : "none";
      const space = pointer?.space ?? (pointer === undefined ? type : "generic");
      const parameter = {
        index: 0,
        ordinal,
        offset: isReference(each) ? NOWHERE : told(bank.offsets[ordinal]!),
        size: layout.size,
        pointeeAlignLog2: Math.floor(Math.log2(Math.max(1, pointer?.align ?? 1))),
        pointeeSpace: space === "const" ? constPointee : Math.max(0, spaces.indexOf(space)),
      };
      return bank.isLarge
        ? sized(EIATTR.KPARAM_INFO_V2, { kind: "parameter-v2", ...parameter })
        : sized(EIATTR.KPARAM_INFO, { kind: "parameter", ...parameter, bank: PARAMETER_BANK });
    })
    .reverse();
}
