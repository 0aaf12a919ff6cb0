// Types of NVVM IR (NVVM IR 1.0 chapter 4; LLVM Language Reference, "Type System"). A module's types are interned: two
// types are equal where they are the same object, but for named structures, which are equal by name alone.
//
// Pointers of dialects A and B have a pointee, opaque ones (dialect C) have none. Nothing behind the parser asks a
// pointer for its pointee: loads, stores, GEPs, calls and byval carry their own type.

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
  /** Address space: 0 generic, 1 global, 3 shared, 4 constant, 5 local; others are the verifier's to refuse. */
  readonly space: number;
  /** Undefined where the pointer is opaque. */
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
  /** Of a named structure: without `%` and quotes. Numbered ones (`%0`) have their number. */
  readonly name: string | undefined;
  readonly packed: boolean;
  /** Undefined of an opaque structure. */
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

/** Makes a module's types; equal arguments give the same object. */
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
  /** Adds a structure of a name that none has: opaque until `defineStruct` gives it fields. */
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

/**
 * Types in a row, as those of fields: a row's end has what was made of it. A text for each would be most of the memory of a module
 * with a type for each of its functions.
 */
interface Row<T> {
  made: T | undefined;
  /** The type that followed first, and the row to there; what others lead to is in `others`. */
  type: Type | undefined;
  next: Row<T> | undefined;
  others: Map<number, Row<T>> | undefined;
}

const createRow = <T>(): Row<T> => ({ made: undefined, type: undefined, next: undefined, others: undefined });

function follow<T>(row: Row<T>, type: Type): Row<T> {
  if (row.type === type) return row.next!;
  if (row.type === undefined) {
    row.type = type;
    return (row.next = createRow());
  }
  row.others ??= new Map();
  let next = row.others.get(type.id);
  if (next === undefined) row.others.set(type.id, (next = createRow()));
  return next;
}

export function createTypes(): TypeTable {
  const made = new Map<string, Type>();
  const structs: StructType[] = [];
  /** By the pointee's id: those to the generic space, which a module may have for each of its types, and those of other spaces. */
  const generic: (PointerType | undefined)[] = [];
  const spaces = new Map<number, Map<number, PointerType>>();
  const [plain, packedRow] = [createRow<StructType>(), createRow<StructType>()];
  const [fixed, variadicRow] = [createRow<FunctionType>(), createRow<FunctionType>()];
  let count = 0;
  const intern = <T extends Type>(key: string, make: (id: number) => T): T => {
    let type = made.get(key);
    if (type === undefined) made.set(key, (type = make(count++)));
    return type as T;
  };
  const other = (kind: OtherType["kind"]): OtherType => intern(kind, (id) => ({ kind, id }));
  return {
    void: intern("void", (id) => ({ kind: "void", id })),
    label: other("label"),
    metadata: other("metadata"),
    token: other("token"),
    other,
    integer: (bits) => intern(`i${bits}`, (id) => ({ kind: "integer", id, bits })),
    float: (name) => intern(name, (id) => ({ kind: "float", id, name })),
    pointer(space, pointee) {
      if (pointee === undefined) return intern(`p${space}`, (id) => ({ kind: "pointer", id, space, pointee }));
      if (space === 0) {
        while (generic.length <= pointee.id) generic.push(undefined);
        return (generic[pointee.id] ??= { kind: "pointer", id: count++, space, pointee });
      }
      let own = spaces.get(space);
      if (own === undefined) spaces.set(space, (own = new Map()));
      let type = own.get(pointee.id);
      if (type === undefined) own.set(pointee.id, (type = { kind: "pointer", id: count++, space, pointee }));
      return type;
    },
    array: (length, element) =>
      intern(`[${length}x${element.id}`, (id) => ({ kind: "array", id, count: length, element })),
    vector: (length, element, scalable = false) =>
      intern(`<${scalable ? "v" : ""}${length}x${element.id}`, (id) => ({
        kind: "vector",
        id,
        count: length,
        scalable,
        element,
      })),
    struct(fields, packed = false) {
      let row = packed ? packedRow : plain;
      for (const field of fields) row = follow(row, field);
      return (row.made ??= { kind: "struct", id: count++, name: undefined, packed, fields });
    },
    addStruct(name) {
      const type: StructType = { kind: "struct", id: count++, name, packed: false, fields: undefined };
      structs.push(type);
      return type;
    },
    function(result, parameters, variadic = false) {
      let row = follow(variadic ? variadicRow : fixed, result);
      for (const parameter of parameters) row = follow(row, parameter);
      return (row.made ??= { kind: "function", id: count++, result, parameters, variadic });
    },
    structs,
  };
}

const nameable = /^[-a-zA-Z$._][-a-zA-Z$._0-9]*$|^\d+$/;

/** A type as IR text has it: `i32`, `<4 x float>`, `%pair`, `i8 addrspace(1)*`, `ptr addrspace(1)`. */
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
