// Sizes, alignments and offsets of types (NVVM IR 1.0 section 3.13; LLVM Language Reference, "Data Layout"). The two layouts of
// NVVM IR differ only in the width of pointers: the layout string gives 32 or 64, and the verifier compares the rest with the
// fixed values.

import type { FloatName, StructType, Type } from "./type.js";

/** All sizes, alignments and offsets are bytes. */
export interface DataLayout {
  /** 32 or 64 bits: width of generic pointers. */
  readonly pointerBits: number;
  /** Address spaces with 32-bit pointers in a 64-bit module: short pointers. */
  readonly shortSpaces: ReadonlySet<number>;
  /** Bits of pointers to an address space. */
  bitsIn(space: number): number;
  /** Bytes that a load or store of the type accesses: `i24` has 3. Undefined for types without a size. */
  storeSize(type: Type): number | undefined;
  /** Bytes from one element of an array to the next: `i24` has 4. */
  allocSize(type: Type): number | undefined;
  /** ABI alignment; 1 for types without a size. */
  align(type: Type): number;
  /** Offset of each field. */
  offsets(type: StructType): readonly number[];
}

const floatBytes: Readonly<Record<FloatName, number>> = {
  half: 2,
  bfloat: 2,
  float: 4,
  double: 8,
  x86_fp80: 10,
  fp128: 16,
  ppc_fp128: 16,
};

const roundUp = (bytes: number, align: number): number => Math.ceil(bytes / align) * align;

/** The least power of two that is not smaller. */
const powerOfTwo = (bytes: number): number => 2 ** Math.ceil(Math.log2(Math.max(bytes, 1)));

interface StructLayout {
  readonly offsets: readonly number[];
  readonly size: number;
  readonly align: number;
}

interface State {
  readonly bitsIn: DataLayout["bitsIn"];
  readonly structs: Map<StructType, StructLayout>;
}

/** The layout of a module whose pointers have that many bits. */
export function createLayout(pointerBits: 32 | 64, shortSpaces: ReadonlySet<number> = new Set()): DataLayout {
  const bitsIn = (space: number): number => (shortSpaces.has(space) ? 32 : pointerBits);
  const state: State = { bitsIn, structs: new Map() };
  return {
    pointerBits,
    shortSpaces,
    bitsIn,
    storeSize: (type) => storeSize(state, type),
    allocSize: (type) => allocSize(state, type),
    align: (type) => alignOf(state, type),
    offsets: (type) => structOf(state, type).offsets,
  };
}

function structOf(state: State, type: StructType): StructLayout {
  const known = state.structs.get(type);
  if (known !== undefined) return known;
  const offsets: number[] = [];
  let at = 0;
  let most = 1;
  for (const field of type.fields ?? []) {
    const align = type.packed ? 1 : alignOf(state, field);
    at = roundUp(at, align);
    offsets.push(at);
    at += allocSize(state, field) ?? 0;
    most = Math.max(most, align);
  }
  const made = { offsets, size: roundUp(at, most), align: most };
  state.structs.set(type, made);
  return made;
}

function alignOf(state: State, type: Type): number {
  switch (type.kind) {
    case "integer": // i65 to i128 have 16, as measured on libNVVM and llc.
      return Math.min(powerOfTwo(Math.ceil(type.bits / 8)), 16);
    case "float":
      return type.name === "x86_fp80" ? 16 : floatBytes[type.name];
    case "pointer":
      return state.bitsIn(type.space) / 8;
    case "array":
      return alignOf(state, type.element);
    case "vector":
      return powerOfTwo(storeSize(state, type) ?? 1);
    case "struct":
      return structOf(state, type).align;
    default:
      return 1;
  }
}

function bitsOf({ bitsIn }: State, type: Type): number | undefined {
  if (type.kind === "integer") return type.bits;
  if (type.kind === "float") return type.name === "x86_fp80" ? 80 : floatBytes[type.name] * 8;
  if (type.kind === "pointer") return bitsIn(type.space);
  return undefined;
}

function storeSize(state: State, type: Type): number | undefined {
  switch (type.kind) {
    case "vector": {
      const bits = bitsOf(state, type.element);
      return bits === undefined || type.scalable ? undefined : Math.ceil((bits * type.count) / 8);
    }
    case "array": {
      const element = allocSize(state, type.element);
      return element === undefined ? undefined : element * type.count;
    }
    case "struct":
      if (type.fields === undefined || type.fields.some((field) => allocSize(state, field) === undefined))
        return undefined;
      return structOf(state, type).size;
    default: {
      const bits = bitsOf(state, type);
      return bits === undefined ? undefined : Math.ceil(bits / 8);
    }
  }
}

function allocSize(state: State, type: Type): number | undefined {
  const size = storeSize(state, type);
  return size === undefined ? undefined : roundUp(size, alignOf(state, type));
}
