// `.nv.info` of one kernel: the attributes that its declaration determines, with NVIDIA's numbers and in NVIDIA's formats. Others
// (registers, stack sizes, offsets of machine instructions) do not exist before PTX is compiled, and are left out.
// docs/format.md, "Attributes, call graph, prototypes". For other tools; our reader takes the same facts from .ptxkit.decl.

import {
  EIATTR,
  EIFMT,
  POINTEE_SPACES,
  targetFacts,
  type TargetFacts,
  type InfoEntry,
  type InfoPayload,
} from "../../../formats/cuda/index.js";
import type { CodeSymbol, KernelInfo } from "../object.js";
import { isReference, type ParameterBank } from "../parameters.js";
import { registerLimit } from "./register-limit.js";

/** A kernel of a file. */
export interface FileKernel {
  readonly symbol: CodeSymbol;
  /** SM number of the file's target. */
  readonly sm: number;
  readonly kernel: KernelInfo;
  /** ELF symbol of the section of the kernel's parameters. */
  readonly parameterSymbol: number;
  /** Where the parameters are. */
  readonly bank: ParameterBank;
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

/** "Bank 0, where PARAM_CBANK says". */
const PARAMETER_BANK = 0x1f;
/** Offset of a parameter that is a texture, sampler or surface and has no place in the bank. */
const NO_OFFSET = 0xffff;

/** The low 16 bits of a bank's size, as ptxas writes it. */
const low16 = (bytes: number): number => bytes % 2 ** 16;

/** The attributes that its declaration determines; those of its code follow (columns/write/code-attributes.ts). */
export function kernelEntries({ symbol, sm, kernel, parameterSymbol, bank }: FileKernel): readonly InfoEntry[] {
  const { base: offset } = bank;
  const size = low16(bank.bytes);
  const place = { kind: "parameter-bank", symbol: parameterSymbol, offset, size } as const;
  const directive = (name: string) => symbol.directives.find((d) => d.name === name)?.values;
  const triple = (attribute: number, values: readonly number[] | undefined): readonly InfoEntry[] => {
    if (values === undefined) return [];
    const [x = 1, y = 1, z = 1] = values.map((value) => Math.min(value, 0xffff_ffff));
    return [sized(attribute, { kind: "dimensions", x, y, z })];
  };
  const rank = directive("maxclusterrank")?.[0];
  return [
    ...(bank.hasAttribute ? [sized(EIATTR.PARAM_CBANK, place)] : []),
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
        offset: isReference(each) ? NO_OFFSET : low16(bank.offsets[ordinal]!),
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
