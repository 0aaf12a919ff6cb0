// The table that creates a module's types: equal arguments give the same object.

import type {
  ArrayType,
  FunctionType,
  OtherType,
  PointerType,
  StructType,
  Type,
  TypeTable,
  VectorType,
} from "./type.js";

/**
 * A sequence of types, such as those of fields; its end refers to the type created from it. A string key for each would take
 * most of the memory of a module with a type for each of its functions.
 */
interface Row<T> {
  made: T | undefined;
  /** The type that followed first, and the row that it leads to; `others` has the rest. */
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

/** The end of the row that extends another by some types. */
function rowOf<T>(from: Row<T>, types: readonly Type[]): Row<T> {
  let row = from;
  for (const type of types) row = follow(row, type);
  return row;
}

interface State {
  /** Number of types. */
  count: number;
  /** Types that are looked up by text. */
  readonly made: Map<string, Type>;
  readonly structs: StructType[];
  /** By the pointee's id: pointers to the generic space, of which a module may have one for each type, and to other spaces. */
  readonly generic: (PointerType | undefined)[];
  readonly spaces: Map<number, Map<number, PointerType>>;
  /** By the element's id: a cache of the array type requested last. */
  readonly arrays: (ArrayType | undefined)[];
}

export function createTypes(): TypeTable {
  const state: State = { count: 0, made: new Map(), structs: [], generic: [], spaces: new Map(), arrays: [] };
  const [plain, packedRow] = [createRow<StructType>(), createRow<StructType>()];
  const [fixed, variadicRow] = [createRow<FunctionType>(), createRow<FunctionType>()];
  const other = (kind: OtherType["kind"]): OtherType => intern(state, kind, (id) => ({ kind, id }));
  return {
    void: intern(state, "void", (id) => ({ kind: "void", id })),
    label: other("label"),
    metadata: other("metadata"),
    token: other("token"),
    other,
    integer: (bits) => intern(state, `i${bits}`, (id) => ({ kind: "integer", id, bits })),
    float: (name) => intern(state, name, (id) => ({ kind: "float", id, name })),
    pointer: (space, pointee) => pointerOf(state, space, pointee),
    array: (count, element) => arrayOf(state, count, element),
    vector(count, element, scalable = false) {
      const make = (id: number): VectorType => ({ kind: "vector", id, count, scalable, element });
      return intern(state, `<${scalable ? "v" : ""}${count}x${element.id}`, make);
    },
    struct(fields, packed = false) {
      const row = rowOf(packed ? packedRow : plain, fields);
      return (row.made ??= { kind: "struct", id: state.count++, name: undefined, packed, fields });
    },
    addStruct(name) {
      const type: StructType = { kind: "struct", id: state.count++, name, packed: false, fields: undefined };
      state.structs.push(type);
      return type;
    },
    function(result, parameters, variadic = false) {
      const row = rowOf(follow(variadic ? variadicRow : fixed, result), parameters);
      return (row.made ??= { kind: "function", id: state.count++, result, parameters, variadic });
    },
    structs: state.structs,
  };
}

function intern<T extends Type>(state: State, key: string, make: (id: number) => T): T {
  let type = state.made.get(key);
  if (type === undefined) state.made.set(key, (type = make(state.count++)));
  return type as T;
}

function pointerOf(state: State, space: number, pointee: Type | undefined): PointerType {
  if (pointee === undefined) return intern(state, `p${space}`, (id) => ({ kind: "pointer", id, space, pointee }));
  if (space === 0) {
    const { generic } = state;
    // Without gaps, which would make the engine use a hash table.
    while (generic.length <= pointee.id) generic.push(undefined);
    return (generic[pointee.id] ??= { kind: "pointer", id: state.count++, space, pointee });
  }
  let own = state.spaces.get(space);
  if (own === undefined) state.spaces.set(space, (own = new Map()));
  let type = own.get(pointee.id);
  if (type === undefined) own.set(pointee.id, (type = { kind: "pointer", id: state.count++, space, pointee }));
  return type;
}

function arrayOf(state: State, count: number, element: Type): ArrayType {
  const { arrays } = state;
  while (arrays.length <= element.id) arrays.push(undefined);
  const known = arrays[element.id];
  if (known?.count === count) return known;
  const make = (id: number): ArrayType => ({ kind: "array", id, count, element });
  return (arrays[element.id] = intern(state, `[${count}x${element.id}`, make));
}
