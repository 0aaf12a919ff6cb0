// Assigns values to expressions of the debugger that have a place in a register or memory.

import { ExpressionError } from "./expression.js";
import { bytesAtAddress } from "./memory.js";
import type { Result, ValueResult } from "./result.js";
import { bitsOfNumber, numberOf, setRegister, storeIn, typeBytes, type Value } from "./values.js";

/** Stores a value at the result's place, and returns the new value. Throws ExpressionError. */
export function assign(to: Result, value: Value): ValueResult {
  if (to.kind !== "value" || to.place === undefined)
    throw new ExpressionError("this cannot be set: registers and single values in memory can");
  const { type } = to.value;
  const number = numberOf(value);
  const bits =
    value.type.name === type.name ? value.bits : number === undefined ? undefined : bitsOfNumber(type, number);
  if (bits === undefined) throw new ExpressionError(`.${type.name} has no such value`);
  const { place } = to;
  if (place.kind === "register") setRegister(place.frame, place.register, place.lane, bits, place.element);
  else {
    const bytes = bytesAtAddress(place.context, place.address, typeBytes(type));
    if (bytes === undefined) throw new ExpressionError(`0x${place.address.toString(16)} is in no memory`);
    storeIn({ type, bits }, bytes);
  }
  return { ...to, value: { type, bits } };
}
