// What the linker is compared with nvlink on: modules by their bodies (sm_80 unless said), named by what is special.

export interface LinkCase {
  readonly name: string;
  readonly bodies: readonly string[];
}

const use = (name: string): string => `.visible .entry use_${name}()
{ .reg .b32 %r; .reg .b64 %a; mov.u64 %a, ${name}; ld.u32 %r, [%a]; st.u32 [%a], %r; ret; }`;

const pair = (name: string, first: string, second: string, third?: string): LinkCase => ({
  name,
  bodies: [first, second, ...(third === undefined ? [] : [third])],
});

/** Who defines a name: every pairing of linkages, and declarations that disagree. */
export const resolutionCases: readonly LinkCase[] = [
  pair("strong and strong", ".visible .global .u32 a = 1;", ".visible .global .u32 a = 2;"),
  pair("strong and weak", ".visible .global .u32 a = 1;", ".weak .global .u32 a = 2;"),
  pair("weak and strong", ".weak .global .u32 a = 1;", ".visible .global .u32 a = 2;"),
  pair("weak and weak", ".weak .global .u32 a = 1;", ".weak .global .u32 a = 2;"),
  pair("weak without value and weak with one", ".weak .global .u32 a;", ".weak .global .u32 a = 2;"),
  pair("three weak ones", ".weak .global .u32 a;", ".weak .global .u32 a = 2;", ".weak .global .u32 a = 3;"),
  pair("weak of two sizes", ".weak .global .u32 a;", ".weak .global .u64 a;"),
  pair("strong and weak of two sizes", ".visible .global .u64 a;", ".weak .global .u32 a;"),
  pair("extern and strong", `.extern .global .u32 a;\n${use("a")}`, ".visible .global .u32 a = 7;"),
  pair("strong and extern", ".visible .global .u32 a = 7;", `.extern .global .u32 a;\n${use("a")}`),
  pair("extern and weak", `.extern .global .u32 a;\n${use("a")}`, ".weak .global .u32 a = 7;"),
  pair("extern of a larger size", `.extern .global .u64 a;\n${use("a")}`, ".visible .global .u32 a = 7;"),
  pair("extern of a smaller size", `.extern .global .u32 a;\n${use("a")}`, ".visible .global .u64 a = 7;"),
  pair("open extern", `.extern .global .u32 a[];\n${use("a")}`, ".visible .global .u32 a[3] = {1, 2, 3};"),
  pair("extern of another type", `.extern .global .f32 a;\n${use("a")}`, ".visible .global .u32 a = 7;"),
  pair("extern in bytes", `.extern .global .align 4 .b8 a[4];\n${use("a")}`, ".visible .global .u32 a = 7;"),
  pair("extern of higher alignment", `.extern .global .align 16 .u32 a;\n${use("a")}`, ".visible .global .u32 a = 7;"),
  pair("extern of lower alignment", `.extern .global .u32 a;\n${use("a")}`, ".visible .global .align 16 .u32 a = 7;"),
  pair("extern in another space", `.extern .const .u32 a;\n${use("a")}`, ".visible .global .u32 a = 7;"),
  pair(
    "extern without managed",
    `.extern .global .u32 a;\n${use("a")}`,
    ".visible .global .attribute(.managed) .u32 a;",
  ),
  pair("managed extern", `.extern .global .attribute(.managed) .u32 a;\n${use("a")}`, ".visible .global .u32 a;"),
  pair(
    "managed in both",
    `.extern .global .attribute(.managed) .u32 a;\n${use("a")}`,
    ".visible .global .attribute(.managed) .u32 a = 5;",
  ),
  { name: "undefined and used", bodies: [`.extern .global .u32 a;\n${use("a")}`] },
  { name: "undefined and unused", bodies: [".extern .global .u32 a;"] },
  { name: "undefined in an initialiser", bodies: [".extern .global .u32 a;\n.visible .global .u64 p = a;"] },
  { name: "undefined function, called", bodies: [".extern .func f;\n.visible .entry k() { call f; ret; }"] },
  { name: "undefined function, not called", bodies: [".extern .func f;\n.visible .entry k() { ret; }"] },
  pair("extern and static", `.extern .global .u32 a;\n${use("a")}`, ".global .u32 a = 7;"),
  pair(
    "two statics",
    ".global .u32 a = 1;\n.visible .global .u64 p = a;",
    ".global .u32 a = 2;\n.visible .global .u64 q = a;",
  ),
  pair("static and strong", ".global .u32 a = 1;", ".visible .global .u32 a = 2;"),
  pair("common and common", ".common .global .u32 a;", ".common .global .u32 a;"),
  pair("common of two sizes", ".common .global .u32 a[2];", ".common .global .u32 a[5];"),
  pair("common of two alignments", ".common .global .u32 a;", ".common .global .align 64 .u32 a;"),
  pair("common and strong", ".common .global .u32 a;", ".visible .global .u32 a = 7;"),
  pair("strong and common", ".visible .global .u32 a = 7;", ".common .global .u32 a;"),
  pair("common and larger strong", ".common .global .u32 a;", ".visible .global .u32 a[2] = {7, 8};"),
  pair("common larger than strong", ".common .global .u32 a[2];", ".visible .global .u32 a = 7;"),
  pair("common and weak", ".common .global .u32 a;", ".weak .global .u32 a = 7;"),
  pair("weak and common", ".weak .global .u32 a = 7;", ".common .global .u32 a;"),
  pair("common and extern", ".common .global .u32 a;", `.extern .global .u32 a;\n${use("a")}`),
  pair("common and larger extern", ".common .global .u32 a;", `.extern .global .u64 a;\n${use("a")}`),
  pair("common and smaller extern", ".common .global .u64 a;", `.extern .global .u32 a;\n${use("a")}`),
  pair("variable and function", ".visible .global .u32 a;", ".visible .func a() { ret; }"),
  pair("kernel and kernel", ".visible .entry k() { ret; }", ".visible .entry k() { ret; }"),
  pair("weak kernels", ".weak .entry k() { ret; }", ".weak .entry k() { ret; }"),
  pair(
    "weak kernels with other parameters",
    ".weak .entry k(.param .u32 x) { ret; }",
    ".weak .entry k(.param .u64 x) { ret; }",
  ),
  pair("kernel and function", ".visible .entry k() { ret; }", ".visible .func k() { ret; }"),
  pair(
    "function and function",
    ".visible .func f() { ret; }",
    ".visible .func f() { ret; }\n.visible .entry k() { call f; ret; }",
  ),
  pair(
    "weak functions",
    ".weak .func f() { ret; }\n.visible .entry j() { call f; ret; }",
    ".weak .func f() { ret; }\n.visible .entry k() { call f; ret; }",
  ),
  ...(
    [
      ["one parameter more", "(.param .u32 x)", "(.param .u32 x, .param .u32 y)", "p, q"],
      ["integer and float", "(.param .u32 x)", "(.param .f32 x)", "p"],
      ["signed and unsigned", "(.param .u32 x)", "(.param .s32 x)", "p"],
      ["bits and unsigned", "(.param .u32 x)", "(.param .b32 x)", "p"],
      ["16 and 32 bits", "(.param .b32 x)", "(.param .b16 x)", "p"],
      ["32 and 64 bits", "(.param .b32 x)", "(.param .b64 x)", "p"],
      ["bits and float", "(.param .f32 x)", "(.param .b32 x)", "p"],
      ["bytes of two sizes", "(.param .b8 x[12])", "(.param .b8 x[16])", "p"],
      ["bytes of two alignments", "(.param .align 8 .b8 x[16])", "(.param .align 4 .b8 x[16])", "p"],
      ["bytes and a number", "(.param .b32 x)", "(.param .b8 x[4])", "p"],
    ] as const
  ).map(([what, defined, declared, actual]): LinkCase => {
    const names = actual.split(", ");
    const locals = declared
      .slice(1, -1)
      .split(", ")
      .map((parameter, i) => `${parameter.replace(/[xy]/, names[i]!)};`);
    return {
      name: `function with another prototype: ${what}`,
      bodies: [
        `.visible .func f${defined} { ret; }`,
        `.extern .func f${declared};\n.visible .entry k() { { ${locals.join(" ")} call f, (${actual}); } ret; }`,
      ],
    };
  }),
  pair(
    "static functions of one name",
    ".func f() { ret; }\n.visible .entry j() { call f; ret; }",
    ".func f() { ret; }\n.visible .entry k() { call f; ret; }",
  ),
  pair("texture references", ".visible .global .texref t;", ".visible .global .texref t;"),
  pair("constants beyond the bank", ".visible .const .u8 a[40000];", ".visible .const .u8 b[40000];"),
  {
    name: "shared memory beyond a block's",
    bodies: [
      ".shared .u8 s[49153];\n.visible .entry k() { .reg .b16 %h; ld.shared.u8 %h, [s]; st.shared.u8 [s], %h; ret; }",
    ],
  },
  {
    name: "driver's functions",
    bodies: [
      ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n.visible .entry k() { { .param .b32 r; .param .b64 a; .param .b64 b; call (r), vprintf, (a, b); } ret; }",
    ],
  },
];

/** Cases in which we differ from nvlink on purpose, and why (docs/linking.md). */
export const deliberate: ReadonlyMap<string, string> = new Map([
  ["common of two alignments", "nvlink keeps the first one's alignment, and the other module's accesses may fault"],
  ["common and weak", "nvlink crashes"],
  [
    "a replaced variable, less aligned",
    "nvlink lets code mean a place that is less aligned than the definition asks for",
  ],
]);
