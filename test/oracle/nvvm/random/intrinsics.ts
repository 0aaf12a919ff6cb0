// Random steps: calls of LLVM's intrinsic functions.

import { bitsOf, floatTypesOf, pick, plainFloat, suffixOf } from "./types.js";
import { add, hidden, type Level, type Writer } from "./writer.js";

interface Row {
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** How many operands of its type. */
  readonly operands: number;
  /** A last operand, i1. */
  readonly flag?: true;
  /** "overflow": { T, i1 }. */
  readonly result?: "overflow";
  /** Operands are numbers, and no -0. */
  readonly plain?: true;
  readonly level: Level;
}

const scalars = ["i8", "i13", "i16", "i32", "i33", "i64", "i128"];
const vectors = ["<2 x i32>", "<4 x i8>", "<3 x i16>", "<2 x i64>"];
const floats = ["float", "double"];

const rows: readonly Row[] = [
  { names: ["ctpop", "bitreverse"], types: [...scalars, ...vectors], operands: 1, level: 0 },
  { names: ["ctlz", "cttz"], types: [...scalars, ...vectors], operands: 1, flag: true, level: 0 },
  { names: ["bswap"], types: ["i16", "i32", "i64", "i48", "i128", "<2 x i32>"], operands: 1, level: 0 },
  {
    names: ["sadd", "uadd", "ssub", "usub"].map((name) => `${name}.with.overflow`),
    types: scalars,
    operands: 2,
    result: "overflow",
    level: 0,
  },
  {
    names: ["smul.with.overflow", "umul.with.overflow"],
    types: ["i8", "i13", "i16", "i32", "i64"],
    operands: 2,
    result: "overflow",
    level: 0,
  },
  {
    names: ["smul.with.overflow", "umul.with.overflow"],
    types: ["i128", "i65"],
    operands: 2,
    result: "overflow",
    level: 2,
  },
  { names: ["fabs", "floor", "ceil", "trunc", "rint", "nearbyint"], types: [...floats, "half"], operands: 1, level: 0 },
  { names: ["sqrt", "round"], types: floats, operands: 1, level: 0 },
  { names: ["fma"], types: floats, operands: 3, level: 0 },
  // LLVM 7 rounds it twice, by way of float.
  { names: ["fma"], types: ["half"], operands: 3, level: 1 },
  { names: ["copysign", "minnum", "maxnum"], types: floats, operands: 2, plain: true, level: 0 },
  { names: ["smax", "smin", "umax", "umin"], types: [...scalars, ...vectors], operands: 2, level: 1 },
  { names: ["sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"], types: [...scalars, ...vectors], operands: 2, level: 1 },
  { names: ["abs"], types: [...scalars, ...vectors], operands: 1, flag: true, level: 1 },
  { names: ["fshl", "fshr"], types: [...scalars, ...vectors], operands: 3, level: 1 },
  { names: ["minimum", "maximum"], types: floats, operands: 2, level: 1 },
  { names: ["roundeven"], types: floats, operands: 1, level: 2 },
  { names: ["fma"], types: ["bfloat"], operands: 3, level: 2 },
  { names: ["minnum", "maxnum"], types: ["half", "bfloat"], operands: 2, plain: true, level: 2 },
  { names: ["fabs", "floor", "ceil", "trunc", "rint", "sqrt"], types: ["bfloat"], operands: 1, level: 2 },
];

function declared(w: Writer, result: string, name: string, operands: readonly string[]): string {
  w.parts.declarations.add(`declare ${result} @${name}(${operands.join(", ")})`);
  return `call ${result} @${name}`;
}

export function intrinsicStep(w: Writer): void {
  const { names, types, operands, flag, result, plain } = w.random.pick(
    rows.filter(({ level }) => level <= w.parts.level),
  );
  const name = w.random.pick(names);
  const type = w.random.pick(types);
  const hasFlag = flag === true;
  const returned = result === "overflow" ? `{ ${type}, i1 }` : type;
  const call = declared(w, returned, `llvm.${name}.${suffixOf(type)}`, [
    ...Array<string>(operands).fill(type),
    ...(hasFlag ? ["i1"] : []),
  ]);
  const list = Array.from(
    { length: operands },
    () => `${type} ${plain === true ? plainFloat(w, type) : pick(w, type)}`,
  );
  const text = `${call}(${[...list, ...(hasFlag ? ["i1 false"] : [])].join(", ")})`;
  if (result === undefined) {
    add(w, returned, text);
    return;
  }
  const both = hidden(w, text);
  add(w, type, `extractvalue ${returned} ${both}, 0`);
  add(w, "i1", `extractvalue ${returned} ${both}, 1`);
}

/** Conversions that stop at the ends of the integer's range, and sums over a vector's elements. */
export function newerIntrinsicStep(w: Writer): void {
  if (w.parts.level === 0) return;
  if (w.random.below(2) === 0) {
    const vector = w.random.pick(["<4 x i32>", "<2 x i64>", "<4 x i8>", "<4 x i16>"]);
    const element = /i\d+/.exec(vector)![0];
    const name = w.random.pick(["add", "mul", "and", "or", "xor", "smax", "umin"]);
    const call = declared(w, element, `llvm.vector.reduce.${name}.${suffixOf(vector)}`, [vector]);
    add(w, element, `${call}(${vector} ${pick(w, vector)})`);
    return;
  }
  const from = w.random.pick(w.parts.level === 2 ? floatTypesOf(2) : floats);
  const to = w.random.pick(["i8", "i16", "i32", "i64", "i13"]);
  const call = declared(w, to, `llvm.fpto${w.random.pick(["s", "u"])}i.sat.${to}.${suffixOf(from)}`, [from]);
  add(w, to, `${call}(${from} ${pick(w, from)})`);
}

/** A shift that saturates, by less than the width. */
export function saturatingShiftStep(w: Writer): void {
  if (w.parts.level === 0) return;
  const type = w.random.pick(["i8", "i16", "i32", "i64"]);
  const name = `llvm.${w.random.pick(["s", "u"])}shl.sat.${type}`;
  const by = hidden(w, `and ${type} ${pick(w, type)}, ${bitsOf(type) - 1}`);
  add(w, type, `${declared(w, type, name, [type, type])}(${type} ${pick(w, type)}, ${type} ${by})`);
}
