// The resolution matrix: every linkage against every other, for variables of each space, functions, kernels, references and
// aliases, in twos and threes, and every kind of conflict. What is expected is worked out here from the rules as the PTX
// text has them (ISA 9.0 section 11.6; docs/linking.md, "Who defines a name"), never by asking our linker.
// `npm run oracle:link -- --matrix` writes each case as a folder of testdata/link/matrix, with what nvlink says of it.

import { everyOrder, modulesOf, moduleOf, pairs, type MatrixCase, type Outcome } from "./matrix-case.js";
import { linkageCases, type Space } from "./matrix-cells.js";

// ------------------------------------------------------------------------------------------------- what stands by itself

/** One thing said by two modules, with the same outcome in both orders. */
const both = (
  name: string,
  about: string,
  bodies: readonly string[],
  outcome: Outcome,
  more: Partial<MatrixCase> = {},
): MatrixCase => ({
  name,
  about,
  modules: modulesOf(bodies),
  expect: [{ orders: everyOrder(bodies.length), ...outcome }],
  ...more,
});

const conflict = (error: string, ...places: readonly string[]): Outcome => ({ error, places });
const warned = (warning: string, chosen: string, ...places: readonly string[]): Outcome => ({
  chosen,
  name: "x",
  warning,
  places,
});
const useOf = (name: string): string => `.visible .entry use_${name}() { .reg .b64 %a; mov.u64 %a, ${name}; ret; }`;
/** The same for shared memory, which only accesses keep alive. */
const touchOf = (name: string): string =>
  `.visible .entry use_${name}() { .reg .b16 %h; mov.u16 %h, 1; st.volatile.shared.u8 [${name}], %h; ret; }`;
const useIn = (space: Space): string => (space === "shared" ? touchOf("x") : useOf("x"));
const callOf = (locals: string, call: string): string => `.visible .entry k() { ${locals} ${call} ret; }`;

const definedWith = (what: string) => `.visible .func f${what} { ret; }`;

const sizeWords = { strong: ".visible", weak: ".weak", common: ".common", extern: ".extern", static: "" } as const;
const sizeKinds = ["strong", "weak", "common", "extern", "static"] as const;
const ranks = { strong: 3, weak: 2, common: 1, extern: 0, static: -1 } as const;

/** 8 bytes here and 12 there, for each linkage against each: only .common variables may be smaller than what they become. */
const sizeCases: readonly MatrixCase[] = sizeKinds.flatMap((small) =>
  sizeKinds.flatMap((large): readonly MatrixCase[] => {
    // Two strong ones exclude each other whatever their size, and of two declarations the other error is that none defines it.
    if (small === large && (small === "strong" || small === "extern" || small === "static")) return [];
    const text = (kind: keyof typeof sizeWords, count: number, user: string): string =>
      `${sizeWords[kind]} .global .u32 x[${count}];\n${useOf("x").replace("use_x", user)}`;
    const isOwn = small === "static" || large === "static";
    const other = small === "static" ? large : small;
    const grows = small === "common" && large !== "extern" && !isOwn;
    const outcome: Outcome = isOwn
      ? other === "extern"
        ? { error: "undefined-symbol", places: [small === "extern" ? "a:5" : "b:5"] }
        : { chosen: small === "static" ? "b" : "a", name: "x", size: small === "static" ? 12 : 8 }
      : grows
        ? { chosen: large === "common" ? "any" : "b", name: "x", size: 12 }
        : conflict("symbol-size", "a:4", "b:4");
    const differs = grows && ranks[large] > 1 ? "nvlink crashes, or says Multiple definition" : undefined;
    return [
      both(
        `size-${small}-${large}`,
        `8 bytes ${small}, 12 bytes ${large}`,
        [text(small, 2, "use_a"), text(large, 3, "use_b")],
        outcome,
        differs === undefined ? {} : { differs },
      ),
    ];
  }),
);

const others: readonly MatrixCase[] = [
  {
    name: "kernel-weak-bounds",
    about: "weak kernels with other bounds of a launch: the first one's, as it is",
    modules: modulesOf([".weak .entry k() .maxntid 128,1,1 { ret; }", ".weak .entry k() .reqntid 64,1,1 { ret; }"]),
    expect: [
      { orders: ["ab"], chosen: "a", name: "k" },
      { orders: ["ba"], chosen: "b", name: "k" },
    ],
  },
  both(
    "kernel-extern-bounds",
    "a kernel declared without the bounds that its definition has",
    [
      ".extern .entry k();\n.visible .global .u64 p = k;",
      ".visible .entry k() .maxntid 256,1,1 .minnctapersm 2 { ret; }",
    ],
    { chosen: "b", name: "k" },
  ),
  both(
    "kernel-extern-parameters",
    "a kernel declared with other parameters than it has",
    [".extern .entry k(.param .u32 a);\n.visible .global .u64 p = k;", ".visible .entry k() { ret; }"],
    conflict("symbol-prototype", "a:4", "b:4"),
    { differs: "nvlink holds no kernel's parameters against a declaration of it" },
  ),
  both(
    "function-extern-noreturn",
    "a function that only its declaration says not to return",
    [`.extern .func f() .noreturn;\n${callOf("", "call f;")}`, ".visible .func f() { ret; }"],
    { chosen: "b", name: "f" },
  ),
  both(
    "alias-of-static",
    "a second name for others of a function that is static",
    [".func g() { ret; }\n.visible .func f();\n.alias f, g;", `.extern .func f();\n${callOf("", "call f;")}`],
    { chosen: "a", name: "f" },
    { differs: "ptxas makes the second name static too" },
  ),
  both(
    "alias-weak-of-strong",
    "a .weak second name of a .visible function gives way",
    [".visible .func g() { ret; }\n.weak .func f();\n.alias f, g;", ".visible .func f() { ret; }"],
    { chosen: "b", name: "f" },
    { differs: "ptxas makes the second name strong too, and nvlink says Multiple definition" },
  ),
  both(
    "alias-static-of-strong",
    "a static second name of a .visible function is its module's own",
    [".visible .func g() { ret; }\n.func f();\n.alias f, g;", ".visible .func f() { ret; }"],
    { chosen: "b", name: "f" },
    { differs: "ptxas makes the second name strong too, and nvlink says Multiple definition" },
  ),
  both(
    "kernel-weak-parameters",
    "two .weak kernels with other parameters",
    [".weak .entry k(.param .u32 x) { ret; }", ".weak .entry k(.param .u64 x) { ret; }"],
    conflict("symbol-prototype", "a:4", "b:4"),
  ),
  both(
    "kind-kernel-function",
    "a kernel and a function",
    [".visible .entry k() { ret; }", ".visible .func k() { ret; }"],
    conflict("symbol-kind", "a:4", "b:4"),
  ),
  both(
    "kind-variable-function",
    "a variable and a function",
    [".visible .global .u32 x;", ".visible .func x() { ret; }"],
    conflict("symbol-kind", "a:4", "b:4"),
  ),
  both(
    "kind-extern-variable-function",
    "an .extern variable and a function",
    [`.extern .global .u32 x;\n${useOf("x")}`, ".visible .func x() { ret; }"],
    conflict("symbol-kind", "a:4", "b:4"),
  ),
  both(
    "kind-texref-surfref",
    "a texture and a surface",
    [".visible .global .texref t;", ".visible .global .surfref t;"],
    conflict("symbol-kind", "a:4", "b:4"),
  ),
  both(
    "kind-texref-variable",
    "a texture and a variable",
    [".visible .global .texref t;", ".visible .global .u64 t;"],
    conflict("symbol-kind", "a:4", "b:4"),
  ),
  ...(["global", "const", "shared"] as const).flatMap((space) => [
    both(
      `size-${space}-extern`,
      "a declaration of another size",
      [`.visible .${space} .u32 x[2];`, `.extern .${space} .u32 x[3];\n${useIn(space)}`],
      conflict("symbol-size", "a:4", "b:4"),
    ),
    both(
      `size-${space}-weak`,
      "two .weak definitions of two sizes",
      [
        `.weak .${space} .u32 x[2];\n${useIn(space)}`,
        `.weak .${space} .u32 x[3];\n${useIn(space).replace("use_", "also_")}`,
      ],
      conflict("symbol-size", "a:4", "b:4"),
    ),
    both(
      `type-${space}-extern`,
      "a declaration of another type",
      [`.visible .${space} .u32 x;`, `.extern .${space} .f32 x;\n${useIn(space)}`],
      warned("symbol-type", "a", "a:4", "b:4"),
    ),
    both(
      `bits-${space}-extern`,
      "a declaration in bytes, as nvcc writes it",
      [`.visible .${space} .align 4 .f32 x[2];`, `.extern .${space} .align 4 .b8 x[8];\n${useIn(space)}`],
      { chosen: "a", name: "x", size: 8, align: 4 },
    ),
    both(
      `align-${space}-extern`,
      "a declaration aligned more strictly than the definition",
      [`.visible .${space} .u32 x;`, `.extern .${space} .align 16 .u32 x;\n${useIn(space)}`],
      warned("symbol-align", "a", "a:4", "b:4"),
    ),
  ]),
  ...pairs(["global", "const", "shared"] as const).flatMap(([first, second]) =>
    first === second
      ? []
      : [
          both(
            `space-${first}-${second}`,
            `.${first} here and .${second} there`,
            [`.visible .${first} .u32 x;`, `.extern .${second} .u32 x;\n${useOf("x")}`],
            conflict("symbol-space", "a:4", "b:4"),
          ),
          both(
            `space-${second}-${first}`,
            `.${second} here and .${first} there`,
            [`.visible .${second} .u32 x;`, `.extern .${first} .u32 x;\n${useOf("x")}`],
            conflict("symbol-space", "a:4", "b:4"),
          ),
        ],
  ),
  ...sizeCases,
  both(
    "size-odd",
    "two declarations against the definition: it is the odd one",
    [
      ".visible .global .u32 x[2];",
      `.extern .global .u32 x[3];\n${useOf("x")}`,
      `.extern .global .u32 x[3];\n${useOf("x").replace("use_", "also_")}`,
    ],
    conflict("symbol-size", "a:4", "b:4", "c:4"),
  ),
  both(
    "common-sizes",
    "the largest of .common sizes",
    [".common .global .u32 x[2];", ".common .global .u32 x[5];", ".common .global .u32 x[3];"],
    { chosen: "any", name: "x", size: 20, align: 4 },
  ),
  both(
    "common-alignments",
    "the largest of .common alignments",
    [".common .global .u32 x;", ".common .global .align 64 .u32 x;"],
    { chosen: "any", name: "x", size: 4, align: 64 },
    { differs: "nvlink takes the first one's alignment" },
  ),
  both(
    "common-larger",
    ".common, larger than the definition",
    [".common .global .u32 x[2];", ".visible .global .u32 x = 7;"],
    conflict("symbol-size", "a:4", "b:4"),
  ),
  both(
    "common-smaller",
    ".common, smaller than the definition",
    [".common .global .u32 x;", ".visible .global .u32 x[2] = {7, 8};"],
    { chosen: "b", name: "x", size: 8, bytes: "0700000008000000" },
  ),
  both(
    "dynamic-shared",
    "dynamic shared memory in two modules",
    [
      `.extern .shared .align 16 .b8 x[];\n${touchOf("x")}`,
      `.extern .shared .align 16 .b8 x[];\n${touchOf("x").replace("use_", "also_")}`,
    ],
    { chosen: "any", name: "x" },
  ),
  both(
    "dynamic-and-static-shared",
    ".extern .shared x[] and .shared x[7]",
    [
      `.extern .shared .u32 x[];\n${touchOf("x")}`,
      `.visible .shared .u32 x[7];\n${touchOf("x").replace("use_", "also_")}`,
    ],
    { chosen: "b", name: "x", size: 28 },
    { differs: "nvlink gives the kernels no memory for it" },
  ),
  both(
    "undefined-unused-variable",
    "an undefined variable that nothing uses",
    [".extern .global .u32 x;", ".visible .global .u32 y;"],
    conflict("undefined-symbol", "a:4"),
  ),
  both(
    "undefined-unused-function",
    "an undefined function that nothing calls",
    [".extern .func f();", callOf("", "")],
    { chosen: "-" },
  ),
  both(
    "undefined-in-value",
    "an undefined name in an initial value",
    [".extern .global .u32 x;\n.visible .global .u64 p = x;", callOf("", "")],
    conflict("undefined-symbol", "a:5"),
  ),
  ...(
    [
      [
        "count",
        "(.param .u32 p)",
        "(.param .u32 p, .param .u32 q)",
        ".param .u32 s; .param .u32 t;",
        "call f, (s, t);",
      ],
      ["none", "()", "(.param .u32 p)", ".param .u32 s;", "call f, (s);"],
      ["float", "(.param .u32 p)", "(.param .f32 p)", ".param .f32 s;", "call f, (s);"],
      ["width", "(.param .b32 p)", "(.param .b64 p)", ".param .b64 s;", "call f, (s);"],
      [
        "bytes",
        "(.param .align 4 .b8 p[12])",
        "(.param .align 4 .b8 p[16])",
        ".param .align 4 .b8 s[16];",
        "call f, (s);",
      ],
      [
        "vector",
        "(.param .f64 p)",
        "(.param .v2 .f32 p)",
        ".reg .v2 .f32 s; mov.f32 s.x, 1.0; mov.f32 s.y, 2.0;",
        "call f, (s);",
      ],
      [
        "vector-bytes",
        "(.param .align 8 .b8 p[8])",
        "(.reg .v2 .u32 p)",
        ".reg .v2 .u32 s; mov.u32 s.x, 1; mov.u32 s.y, 2;",
        "call f, (s);",
      ],
      ["bytes-scalar", "(.param .b32 p)", "(.param .align 4 .b8 p[4])", ".param .align 4 .b8 s[4];", "call f, (s);"],
    ] as const
  ).map(([what, defined, declared, locals, call]) =>
    both(
      `prototype-${what}`,
      `${declared} calls ${defined}`,
      [definedWith(defined), `.extern .func f${declared};\n${callOf(locals, call)}`],
      conflict("symbol-prototype", "a:4", "b:4"),
    ),
  ),
  both(
    "prototype-result",
    "a result here and none there",
    [".visible .func f() { ret; }", `.extern .func (.param .b32 r) f();\n${callOf(".param .b32 s;", "call (s), f;")}`],
    conflict("symbol-prototype", "a:4", "b:4"),
  ),
  both(
    "prototype-signed",
    "signed and unsigned are passed alike",
    [definedWith("(.param .u32 p)"), `.extern .func f(.param .s32 p);\n${callOf(".param .s32 s;", "call f, (s);")}`],
    { chosen: "a", name: "f" },
  ),
  ...(
    [
      ["vector", "(.param .b64 p)", ".v2 .f32", "mov.f32 s.x, 1.0; mov.f32 s.y, 2.0;"],
      ["pair", "(.param .u32 p)", ".f16x2", "mov.b32 s, 1;"],
      ["half", "(.param .b16 p)", ".f16", "mov.b16 s, 1;"],
    ] as const
  ).map(([what, defined, declared, set]) =>
    both(
      `prototype-as-${what}`,
      `a ${declared} is passed as an integer of its size`,
      [
        definedWith(defined),
        `.extern .func f(.param ${declared} p);\n${callOf(`.reg ${declared} s; ${set}`, "call f, (s);")}`,
      ],
      { chosen: "a", name: "f" },
    ),
  ),
  {
    name: "version-old-new",
    about: "PTX versions may differ",
    modules: {
      a: moduleOf(".visible .global .u32 x = 1;", "sm_75", "6.3"),
      b: moduleOf(`.extern .global .u32 x;\n${useOf("x")}`, "sm_75"),
    },
    expect: [{ orders: ["ab", "ba"], chosen: "a", name: "x", size: 4, bytes: "01000000" }],
  },
  {
    name: "target-major",
    about: "architectures of two generations",
    modules: {
      a: moduleOf(".visible .global .u32 x = 1;", "sm_75"),
      b: moduleOf(".visible .global .u32 y = 1;", "sm_80"),
    },
    expect: [{ orders: ["ab", "ba"], error: "incompatible-target", places: ["a:2", "b:2"] }],
    unasked: true,
  },
  {
    name: "target-suffix",
    about: "sm_90 and sm_90a, as nvlink has it",
    modules: {
      a: moduleOf(".visible .global .u32 x = 1;", "sm_90"),
      b: moduleOf(".visible .global .u32 y = 1;", "sm_90a"),
    },
    expect: [{ orders: ["ab", "ba"], chosen: "a", name: "x" }],
    unasked: true,
  },
];

export const matrixCases: readonly MatrixCase[] = [...linkageCases, ...others];
