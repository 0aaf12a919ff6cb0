// Types of NVVM IR (NVVM IR 1.0 chapter 4; LLVM Language Reference, "Type System"). A module's types are interned: two types
// are equal if they are the same object, except for named structures, which are equal by name. Pointers of dialects A and B
// have a pointee, opaque ones (dialect C) do not. Only the parser uses pointees: loads, stores, GEPs, calls and byval carry
// their own type.

export type Type =
  VoidType | IntegerType | FloatType | PointerType | ArrayType | VectorType | StructType | FunctionType | OtherType;

interface Numbered {
  /** The index of the type in its module, from 0; properties of types are kept in lists by it. */
  readonly id: number;
}

export interface VoidType extends Numbered {
  readonly kind: "void";
}

export interface IntegerType extends Numbered {
  readonly kind: "integer";
  /** 1 to 2^23. */
  readonly bits: number;
}

export type FloatName = "half" | "bfloat" | "float" | "double" | "x86_fp80" | "fp128" | "ppc_fp128";

export interface FloatType extends Numbered {
  readonly kind: "float";
  readonly name: FloatName;
}

export interface PointerType extends Numbered {
  readonly kind: "pointer";
  /** Address space: 0 generic, 1 global, 3 shared, 4 constant, 5 local; the verifier refuses others. */
  readonly space: number;
  /** Undefined for an opaque pointer. */
  readonly pointee: Type | undefined;
}

export interface ArrayType extends Numbered {
  readonly kind: "array";
  /** Elements; at most 2^53. */
  readonly count: number;
  readonly element: Type;
}

export interface VectorType extends Numbered {
  readonly kind: "vector";
  readonly count: number;
  readonly scalable: boolean;
  readonly element: Type;
}

export interface StructType extends Numbered {
  readonly kind: "struct";
  /** Name of a named structure, without `%` and quotes. Numbered ones (`%0`) have their number. */
  readonly name: string | undefined;
  readonly packed: boolean;
  /** Undefined for an opaque structure. */
  readonly fields: readonly Type[] | undefined;
}

export interface FunctionType extends Numbered {
  readonly kind: "function";
  readonly result: Type;
  readonly parameters: readonly Type[];
  readonly variadic: boolean;
}

/** Types that are valid in few places, and those that NVVM IR does not have. */
export interface OtherType extends Numbered {
  readonly kind: "label" | "metadata" | "token" | "x86_mmx" | "x86_amx" | "target";
}

/** Creates a module's types; equal arguments give the same object. */
export interface TypeTable {
  readonly void: VoidType;
  readonly label: OtherType;
  readonly metadata: OtherType;
  readonly token: OtherType;
  other(kind: OtherType["kind"]): OtherType;
  integer(bits: number): IntegerType;
  float(name: FloatName): FloatType;
  pointer(space: number, pointee?: Type): PointerType;
  array(count: number, element: Type): ArrayType;
  vector(count: number, element: Type, scalable?: boolean): VectorType;
  /** A structure without a name. */
  struct(fields: readonly Type[], packed?: boolean): StructType;
  /** Adds a structure with a new name: opaque until `defineStruct` gives it fields. */
  addStruct(name: string): StructType;
  function(result: Type, parameters: readonly Type[], variadic?: boolean): FunctionType;
  /** Named structures in the order of their first use. */
  readonly structs: readonly StructType[];
}

/** Gives a named structure its fields, once. */
export function defineStruct(type: StructType, fields: readonly Type[], packed: boolean): void {
  const open = type as { fields: readonly Type[] | undefined; packed: boolean };
  open.fields = fields;
  open.packed = packed;
}

const nameable = /^[-a-zA-Z$._][-a-zA-Z$._0-9]*$|^\d+$/;

/** A type as IR text: `i32`, `<4 x float>`, `%pair`, `i8 addrspace(1)*`, `ptr addrspace(1)`. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case "integer":
      return `i${type.bits}`;
    case "float":
      return type.name;
    case "pointer": {
      const space = type.space === 0 ? "" : ` addrspace(${type.space})`;
      return type.pointee === undefined ? `ptr${space}` : `${typeText(type.pointee)}${space}*`;
    }
    case "array":
      return `[${type.count} x ${typeText(type.element)}]`;
    case "vector":
      return `<${type.scalable ? "vscale x " : ""}${type.count} x ${typeText(type.element)}>`;
    case "struct": {
      if (type.name !== undefined) return nameable.test(type.name) ? `%${type.name}` : `%"${type.name}"`;
      const fields = type.fields?.length === 0 ? "{}" : `{ ${(type.fields ?? []).map(typeText).join(", ")} }`;
      return type.packed ? `<${fields}>` : fields;
    }
    case "function": {
      const parameters = [...type.parameters.map(typeText), ...(type.variadic ? ["..."] : [])];
      return `${typeText(type.result)} (${parameters.join(", ")})`;
    }
    default:
      return type.kind;
  }
}
