// Two modules that use most features of an object, for several tests.

import type { CheckedModule } from "../../lib/check/module.js";
import type { Code, Register } from "../../lib/isa/code.js";
import type { Operand } from "../../lib/isa/instruction.js";
import {
  checkedModule,
  code,
  fn,
  initial,
  instruction,
  layout,
  parameter,
  prototype,
  register,
  target,
  type,
  variable,
} from "./build.js";

const registers: readonly Register[] = [
  ...[0, 1, 2, 3].map((i) => ({ name: `%r${i}`, type: type("b32"), vector: 1 as const })),
  { name: "%rd7", type: type("b64"), vector: 1 },
  { name: "%rd9", type: type("b64"), vector: 1 },
  { name: "%p", type: type("pred"), vector: 1 },
  { name: "%v", type: type("f32"), vector: 4 },
];

const at = (base: Extract<Operand, { kind: "address" }>["base"], offset = 0n): Operand => ({
  kind: "address",
  base,
  offset,
  rest: [],
});

/** `symbols` are the indices that the code refers to: a global, a constant, a function. */
export function richCode([global, constant, callee]: readonly [number, number, number]): Code {
  return code(
    registers,
    [
      instruction("ld.param.u32", "ld", [register(0), at({ kind: "variable", variable: 0 })], 12),
      instruction(
        "mov.u64",
        "mov.address",
        [register(4), { kind: "address-of", base: { kind: "symbol", symbol: global }, offset: 8n }],
        13,
      ),
      {
        ...instruction("ld.global.u32", "ld", [register(1), at({ kind: "register", register: 4 }, -4n)], 14),
        guard: { register: 6, negated: true },
      },
      {
        ...instruction("ld.const.u32", "ld", [register(2), at({ kind: "symbol", symbol: constant }, 4n)], 14),
        location: 0,
      },
      instruction("mov.b64", "mov.pack", [register(5), { kind: "vector", elements: [register(0), register(1)] }], 15),
      {
        ...instruction(
          "setp.lt.u32",
          "setp",
          [
            { kind: "pair", first: register(6), second: { kind: "sink" } },
            register(0),
            { kind: "immediate", bits: 0xffff_ffffn },
          ],
          16,
        ),
        location: 1,
      },
      instruction("mov.u64", "mov", [register(4), { kind: "immediate", bits: 0xffff_ffff_ffff_fff0n }], 400),
      instruction("mov.u32", "mov", [register(0), { kind: "special", name: "tid.x" }], 3),
      instruction("ld.global.u32", "ld", [register(0), at({ kind: "absolute" }, 4096n)], 4),
      instruction(
        "call.uni",
        "call",
        [
          undefined,
          { kind: "address-of", base: { kind: "symbol", symbol: callee }, offset: 0n },
          { kind: "list", elements: [register(0)] },
        ],
        5,
      ),
      instruction(
        "call",
        "call",
        [undefined, register(4), { kind: "list", elements: [] }, { kind: "table", table: "call-targets", index: 0 }],
        6,
      ),
      instruction("brx.idx", "brx.idx", [register(0), { kind: "table", table: "branch-targets", index: 0 }], 7),
    ],
    {
      variables: [
        { name: "x", kind: "parameter", layout: layout("u32") },
        { name: "frame", kind: "local", layout: layout("b8", [3, 5], 16) },
        { name: "y", kind: "return", layout: layout("b32"), register: 3 },
      ],
      labels: [
        { name: "$L0", target: 0 },
        { name: "end", target: 12 },
      ],
      branchTargets: [{ name: "ts", targets: [0, 3, 12] }],
      callTargets: [{ name: "cs", symbols: [callee] }],
      prototypes: [
        { name: "p", prototype: prototype([parameter("_", layout("b64"))], [parameter("_", layout("b32"))]) },
      ],
      locations: [
        { file: 1, line: 20, column: 3 },
        {
          file: 2,
          line: 7,
          column: 1,
          functionName: { label: "$L__info", offset: 4 },
          inlinedAt: { file: 1, line: 21, column: 9 },
        },
      ],
      pragmas: [{ before: 2, text: "nounroll" }],
    },
  );
}

/** Every kind of symbol, section and relocation of one module. */
export function richModule(sm = "sm_75"): CheckedModule {
  const symbols = [
    variable("g", "global", layout("u32", [4]), {
      linkage: "visible",
      initial: initial([1, ...new Array<number>(15).fill(0)]),
    }),
    variable("c", "const", layout("u32", [2]), { linkage: "weak" }),
    fn("f", code([], [], {}), {
      prototype: prototype([parameter("a", layout("b32"))], [parameter("r", layout("f64"))]),
    }),
    fn("k", richCode([0, 1, 2]), {
      entry: true,
      prototype: prototype([
        parameter("x", layout("u32")),
        { ...parameter("q", layout("u64")), pointer: { space: "global", align: 16 } },
      ]),
      directives: [{ name: "maxntid", values: [128, 2], strings: [] }],
    }),
    variable("table", "global", layout("u64", [3]), {
      initial: initial(new Array<number>(24).fill(0), [
        { offset: 0, width: 8, kind: "address", symbol: 0, addend: 0n },
        { offset: 8, width: 8, kind: "generic", symbol: 1, addend: 12n },
        { offset: 16, width: 8, kind: "address", symbol: 2, addend: 0n },
      ]),
    }),
    variable("bytes", "global", layout("u8", [2]), {
      initial: initial([0, 0], [{ offset: 1, width: 1, kind: "address", symbol: 3, addend: 0n, byte: 5 }]),
    }),
    variable("e", "global", layout("f32", [undefined]), { linkage: "extern" }),
    variable("common", "global", layout("u64"), { linkage: "common" }),
    variable("s", "shared", layout("b8", [40], 16)),
    variable("$__own__9", "shared", layout("b8", [12], 8), { scope: "k" }),
    variable("zero", "global", layout("b8", [100], 64), { linkage: "visible", managed: true, unified: [19n, 95n] }),
    {
      kind: "reference",
      name: "tex",
      linkage: "visible",
      place: variable("", "global", layout("u8")).place,
      type: "texref",
      layout: layout("texref"),
    } as const,
    fn("unused", undefined, { linkage: "extern" }),
    fn("alias", undefined, { alias: 2 }),
  ];
  return checkedModule(symbols, {
    target: target(sm),
    targetOptions: ["texmode_independent"],
    files: [{ index: 1, path: "a.cu" }],
  });
}
