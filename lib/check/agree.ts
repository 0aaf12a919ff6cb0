// Whether a register may be used where an instruction expects a type: PTX ISA 9.0 section 9.4 (operand size agreement) and 9.4.1
// (the relaxed rules of ld, st, cvt and similar instructions, which the isa table marks `>`).

import type { DataType } from "../isa/types.table.js";

export const isInteger = (type: DataType): boolean => type.class === "signed" || type.class === "unsigned";

/** Registers that hold integers: ptxas treats a register declared .f16x2 as 32 untyped bits. */
const holdsInteger = (register: DataType): boolean =>
  isInteger(register) || register.class === "bits" || register.name === "f16x2";

/** Whether sizes are equal and classes agree: bit types with all, signed with unsigned, a float only with the same float. */
export function agrees(register: DataType, wanted: DataType): boolean {
  if (register === wanted) return true;
  if (register.bits !== wanted.bits) return false;
  if (register.class === "predicate" || wanted.class === "predicate") return false;
  if (register.class === "bits") return true;
  if (wanted.class === "bits") return true;
  // Packed integers are in bit types: a register declared .u32 is not a .u16x2.
  return isInteger(wanted) && (wanted.lanes === 1 ? holdsInteger(register) : register.name === "f16x2");
}

/**
 * Like `agrees`, but the register may be wider. A wider float then agrees only with bit types, and an integer never with a float.
 */
export function agreesWider(register: DataType, wanted: DataType): boolean {
  if (agrees(register, wanted)) return true;
  if (register.class === "predicate" || wanted.class === "predicate" || register.bits <= wanted.bits) return false;
  if (wanted.class === "bits") return true;
  if (isInteger(wanted)) return holdsInteger(register);
  return register.class === "bits";
}

/**
 * Whether one vector may contain registers of these types: of one size, and without mixing integers and floats (ptxas rejects
 * it).
 */
export function mix(types: readonly DataType[]): boolean {
  const kinds = new Set(
    types.filter((type) => type.class !== "bits").map((type) => (isInteger(type) ? "integer" : type.name)),
  );
  return kinds.size <= 1 && types.every((type) => type.bits === types[0]!.bits);
}
