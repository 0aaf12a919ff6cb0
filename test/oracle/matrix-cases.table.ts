// The resolution matrix: every linkage against every other, for variables of each space, functions, kernels, references and
// aliases, in twos and threes, and every kind of conflict. What is expected is worked out here from the rules as the PTX
// text has them (ISA 9.0 section 11.6; docs/linking.md, "Who defines a name"), never by asking our linker.
// `npm run oracle:link -- --matrix` writes each case as a folder of testdata/link/matrix, with what nvlink says of it.

/** What must come of the modules. */
export type Outcome =
  | {
      /**
       * Module whose definition `name` stands for in the image; "any" where all say the same, "-" where there is no such
       * name and the link is right all the same.
       */
      readonly chosen: string;
      readonly name?: string;
      /** Bytes. */
      readonly size?: number;
      /** The image's offset of it is a multiple of so many bytes. */
      readonly align?: number;
      /** Hexadecimal; absent where there are none. */
      readonly bytes?: string;
      /** Code of a warning, and the places that it must name, as "a:4". */
      readonly warning?: string;
      readonly places?: readonly string[];
    }
  | {
      /** Code of the error, and the places that it must name. */
      readonly error: string;
      readonly places: readonly string[];
    };

/** `orders` of the modules: "ab", "bca". */
export type Expectation = Outcome & { readonly orders: readonly string[] };

export interface MatrixCase {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Module texts by name: a, b, c. */
  readonly modules: Readonly<Record<string, string>>;
  readonly expect: readonly Expectation[];
  /** Why nvlink does something else, where it does. */
  readonly differs?: string;
  /** Left out of the comparison: nvlink's tools cannot be asked. */
  readonly unasked?: boolean;
}

const letters = ["a", "b", "c"] as const;

const moduleOf = (body: string, target = "sm_80", version = "8.5"): string =>
  `.version ${version}\n.target ${target}\n.address_size 64\n${body}\n`;

/** The lines that two or three modules begin with, from line 4. */
function modulesOf(bodies: readonly string[], target?: string): Readonly<Record<string, string>> {
  return Object.fromEntries(bodies.map((body, i) => [letters[i]!, moduleOf(body, target)]));
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

const ordersOf = (count: number): readonly (readonly number[])[] =>
  permutations(Array.from({ length: count }, (_, i) => i));
const orderText = (order: readonly number[]): string => order.map((i) => letters[i]).join("");
const everyOrder = (count: number): readonly string[] => ordersOf(count).map(orderText);

/** Orders in which the same comes of the modules, together. */
function grouped(count: number, outcome: (order: readonly number[]) => Outcome): Expectation[] {
  const groups = new Map<string, Expectation & { orders: string[] }>();
  for (const order of ordersOf(count)) {
    const what = outcome(order);
    const key = JSON.stringify(what);
    const known = groups.get(key);
    if (known !== undefined) known.orders.push(orderText(order));
    else groups.set(key, { orders: [orderText(order)], ...what });
  }
  return [...groups.values()];
}

// ----------------------------------------------------------------------------------------------- linkages of variables

type Kind = "strong" | "bare" | "weak" | "weak-bare" | "common" | "extern" | "open" | "static";
type Space = "global" | "const" | "shared";

const claims: Readonly<Record<Exclude<Kind, "static">, number>> = {
  strong: 3,
  bare: 3,
  weak: 2,
  "weak-bare": 2,
  common: 1,
  extern: 0,
  open: 0,
};

const kindsIn: Readonly<Record<Space, readonly Kind[]>> = {
  global: ["strong", "bare", "weak", "weak-bare", "common", "extern", "open", "static"],
  const: ["strong", "bare", "weak", "weak-bare", "extern", "open", "static"],
  shared: ["bare", "weak-bare", "extern", "static"],
};

const words: Readonly<Record<Kind, string>> = {
  strong: ".visible ",
  bare: ".visible ",
  weak: ".weak ",
  "weak-bare": ".weak ",
  common: ".common ",
  extern: ".extern ",
  open: ".extern ",
  static: "",
};

const hasValue = (kind: Kind): boolean => ["strong", "weak", "static"].includes(kind);
const bytesFor = (module: number): string => `0${module + 1}0000000${module + 5}000000`;

function variableText(kind: Kind, space: Space, module: number): string {
  const value = hasValue(kind) && space !== "shared" ? ` = {${module + 1}, ${module + 5}}` : "";
  const touch = space === "shared" ? "mov.u32 %r, 1; st.volatile.shared.u32 [x], %r;" : `ld.${space}.u32 %r, [x];`;
  return (
    `${words[kind]}.${space} .u32 x[${kind === "open" ? "" : 2}]${value};\n` +
    `.visible .entry use_${letters[module]}() { .reg .b32 %r; ${touch} ret; }`
  );
}

function variableCase(space: Space, kinds: readonly Kind[]): MatrixCase {
  const shared = kinds.flatMap((kind, i) => (kind === "static" ? [] : [{ kind, i, claim: claims[kind] }]));
  const best = Math.max(-1, ...shared.map(({ claim }) => claim));
  const holders = shared.filter(({ claim }) => claim === best);
  const outcome = (order: readonly number[]): Outcome => {
    if (best === 3 && holders.length > 1)
      return { error: "duplicate-symbol", places: holders.map(({ i }) => `${letters[i]}:4`) };
    if (best === 0) return { error: "undefined-symbol", places: holders.map(({ i }) => `${letters[i]}:5`) };
    if (best === -1) return { chosen: "-" };
    const first = order.find((i) => holders.some((holder) => holder.i === i))!;
    const { kind } = holders.find(({ i }) => i === first)!;
    const bytes = hasValue(kind) && space !== "shared" ? { bytes: bytesFor(first) } : {};
    // Where all are .common none of them is chosen more than another.
    return {
      chosen: kind === "common" && holders.length > 1 ? "any" : letters[first]!,
      name: "x",
      size: 8,
      align: 4,
      ...bytes,
    };
  };
  const differs = variableDifference(space, kinds);
  return {
    name: `${space}-${kinds.join("-")}`,
    about: `.${space}: ${kinds.join(", ")}`,
    modules: modulesOf(kinds.map((kind, i) => variableText(kind, space, i))),
    expect: grouped(kinds.length, outcome),
    ...(differs === undefined ? {} : { differs }),
  };
}

function variableDifference(space: Space, kinds: readonly Kind[]): string | undefined {
  const has = (...any: readonly Kind[]): boolean => kinds.some((kind) => any.includes(kind));
  if (has("common") && has("weak", "weak-bare")) return "nvlink crashes, or keeps dead bytes of the .common one";
  if (has("common") && has("bare"))
    return "nvlink says Multiple definition in one order and keeps dead bytes in the other";
  if (space === "shared" && has("bare") && has("weak-bare"))
    return "nvlink keeps dead bytes of the .weak one in every block";
  if (space === "global" && has("weak-bare") && has("strong", "bare"))
    return "nvlink keeps dead bytes of a .weak one that came first";
  return undefined;
}

const pairs = <T>(items: readonly T[]): readonly (readonly [T, T])[] =>
  items.flatMap((first, i) => items.slice(i).map((second) => [first, second] as const));

const triples = <T>(items: readonly T[]): readonly (readonly [T, T, T])[] =>
  items.flatMap((first, i) => pairs(items.slice(i)).map(([second, third]) => [first, second, third] as const));

// --------------------------------------------------------------------------------------------- linkages of functions

type CodeKind = "strong" | "weak" | "extern" | "static";

function functionCase(kinds: readonly CodeKind[]): MatrixCase {
  const shared = kinds.flatMap((kind, i) => (kind === "static" ? [] : [{ kind, i, claim: claims[kind] }]));
  const best = Math.max(-1, ...shared.map(({ claim }) => claim));
  const holders = shared.filter(({ claim }) => claim === best);
  const text = (kind: CodeKind, i: number): string => {
    const head = `${words[kind]}.func (.param .b32 r) f(.param .b32 p)`;
    const body = `{ .reg .b32 %r; mov.u32 %r, ${i + 1}; st.param.b32 [r], %r; ret; }`;
    return (
      `${kind === "extern" ? `${head};` : `${head} ${body}`}\n` +
      `.visible .entry use_${letters[i]}() { .param .b32 q; .param .b32 s; call (s), f, (q); ret; }`
    );
  };
  return {
    name: `function-${kinds.join("-")}`,
    about: `.func: ${kinds.join(", ")}`,
    modules: modulesOf(kinds.map(text)),
    expect: grouped(kinds.length, (order) => {
      if (best === 3 && holders.length > 1)
        return { error: "duplicate-symbol", places: holders.map(({ i }) => `${letters[i]}:4`) };
      if (best === 0) return { error: "undefined-symbol", places: holders.map(({ i }) => `${letters[i]}:5`) };
      if (best === -1) return { chosen: "-" };
      return { chosen: letters[order.find((i) => holders.some((holder) => holder.i === i))!]!, name: "f" };
    }),
  };
}

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

const others: readonly MatrixCase[] = [
  both(
    "kernel-strong-strong",
    "two kernels of one name",
    [".visible .entry k() { ret; }", ".visible .entry k() { ret; }"],
    conflict("duplicate-symbol", "a:4", "b:4"),
  ),
  both(
    "kernel-strong-weak",
    "a kernel before a .weak one",
    [".visible .entry k() { ret; }", ".weak .entry k() { ret; }"],
    { chosen: "a", name: "k" },
  ),
  {
    name: "kernel-weak-weak",
    about: "the first of two .weak kernels",
    modules: modulesOf([".weak .entry k() { ret; }", ".weak .entry k() { ret; }"]),
    expect: [
      { orders: ["ab"], chosen: "a", name: "k" },
      { orders: ["ba"], chosen: "b", name: "k" },
    ],
  },
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
  ...(["texref", "surfref"] as const).flatMap((type) => [
    both(
      `${type}-strong-strong`,
      `.${type} of one name is one`,
      [`.visible .global .${type} t;`, `.visible .global .${type} t;`],
      { chosen: "any", name: "t" },
    ),
    both(
      `${type}-strong-extern`,
      `.${type}, declared elsewhere`,
      [`.visible .global .${type} t;`, `.extern .global .${type} t;`],
      { chosen: "any", name: "t" },
    ),
    both(`${type}-weak-weak`, `.weak .${type}`, [`.weak .global .${type} t;`, `.weak .global .${type} t;`], {
      chosen: "any",
      name: "t",
    }),
    both(`${type}-static-static`, `static .${type}`, [`.global .${type} t;`, `.global .${type} t;`], { chosen: "-" }),
  ]),
  both(
    "samplerref-strong-extern",
    "a sampler, declared elsewhere",
    [".visible .global .samplerref s;", ".extern .global .samplerref s;"],
    { chosen: "any", name: "s" },
    {
      modules: modulesOf(
        [".visible .global .samplerref s;", ".extern .global .samplerref s;"],
        "sm_80, texmode_independent",
      ),
    },
  ),
  both(
    "alias-extern",
    "an alias, called from elsewhere",
    [`.visible .func g() { ret; }\n.visible .func f();\n.alias f, g;`, `.extern .func f();\n${callOf("", "call f;")}`],
    { chosen: "a", name: "f" },
  ),
  both(
    "alias-strong",
    "an alias and a function",
    [`.visible .func g() { ret; }\n.visible .func f();\n.alias f, g;`, ".visible .func f() { ret; }"],
    conflict("duplicate-symbol", "a:5", "b:4"),
  ),
  both(
    "alias-weak-strong",
    "a .weak alias gives way",
    [`.visible .func g() { ret; }\n.weak .func f();\n.alias f, g;`, ".visible .func f() { ret; }"],
    { chosen: "b", name: "f" },
    { differs: "nvlink says Multiple definition" },
  ),
  both(
    "alias-strong-weak",
    "an alias before a .weak function",
    [`.visible .func g() { ret; }\n.visible .func f();\n.alias f, g;`, ".weak .func f() { ret; }"],
    { chosen: "a", name: "f" },
  ),
  both(
    "managed-extern",
    "managed in both",
    [
      ".visible .global .attribute(.managed) .u32 x = 5;",
      `.extern .global .attribute(.managed) .u32 x;\n${useOf("x")}`,
    ],
    { chosen: "a", name: "x", size: 4, bytes: "05000000" },
  ),
  both(
    "managed-one",
    "managed in one module only",
    [".visible .global .attribute(.managed) .u32 x;", `.extern .global .u32 x;\n${useOf("x")}`],
    conflict("symbol-managed", "a:4", "b:4"),
  ),
  both(
    "unified-extern",
    "unified in both",
    [
      ".visible .global .attribute(.unified(1, 2)) .u32 x;",
      `.extern .global .attribute(.unified(1, 2)) .u32 x;\n${useOf("x")}`,
    ],
    { chosen: "a", name: "x" },
    {
      modules: modulesOf(
        [
          ".visible .global .attribute(.unified(1, 2)) .u32 x;",
          `.extern .global .attribute(.unified(1, 2)) .u32 x;\n${useOf("x")}`,
        ],
        "sm_90",
      ),
      differs: "nvlink wants an index file for unified symbols",
    },
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
    { chosen: "b", name: "x", size: 20, align: 4 },
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
    expect: [{ orders: ["ab", "ba"], error: "incompatible-target", places: ["a", "b"] }],
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

export const matrixCases: readonly MatrixCase[] = [
  ...(["global", "const", "shared"] as const).flatMap((space) =>
    pairs(kindsIn[space]).map((kinds) => variableCase(space, kinds)),
  ),
  ...triples<Kind>(["strong", "weak", "common", "extern", "static"]).map((kinds) => variableCase("global", kinds)),
  ...pairs<CodeKind>(["strong", "weak", "extern", "static"]).map(functionCase),
  ...triples<CodeKind>(["strong", "weak", "extern"]).map(functionCase),
  ...others,
];
