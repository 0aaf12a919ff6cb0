// Modules that are right one by one and must not be linked together, and inputs that are no modules.

const HEAD = ".version 8.5\n.target sm_80\n.address_size 64\n";
const both = (first, second) => ({ "a.ptx": `${HEAD}${first}\n`, "b.ptx": `${HEAD}${second}\n` });
const use = (name) =>
  `.visible .entry use()\n{\n\t.reg .b32 %r;\n\tld.global.u32 %r, [${name}];\n\tst.global.u32 [${name}], %r;\n\tret;\n}`;
const call = (signature, args) =>
  `${signature}\n.visible .entry use()\n{\n\t.param .b32 x;\n\t.param .b64 y;\n\tcall ${args};\n\tret;\n}`;
/** Both modules are named, and the symbol. */
const names = (symbol, what = "") => `error: .*${symbol}[\\s\\S]*${what}`;

/** [name, files, says] : `link` of the files in this order. A symbol error names every module concerned. */
export const sets = [
  [
    "two-definitions",
    both(".visible .global .u32 shade = 1;", ".visible .global .u32 shade = 2;"),
    "(?=[\\s\\S]*a\\.ptx:4)(?=[\\s\\S]*b\\.ptx:4)[\\s\\S]*error: .*shade",
  ],
  [
    "two-functions",
    both(".visible .func shade() { ret; }", ".visible .func shade() { ret; }"),
    "(?=[\\s\\S]*a\\.ptx:4)(?=[\\s\\S]*b\\.ptx:4)[\\s\\S]*error: .*shade",
  ],
  [
    "two-kernels",
    both(".visible .entry shade() { ret; }", ".visible .entry shade() { ret; }"),
    "(?=[\\s\\S]*a\\.ptx:4)(?=[\\s\\S]*b\\.ptx:4)[\\s\\S]*error: .*shade",
  ],
  [
    "undefined-variable",
    { "a.ptx": `${HEAD}.extern .global .u32 shade;\n${use("shade")}\n` },
    "a\\.ptx:\\d+:\\d+: error: .*shade",
  ],
  [
    "undefined-function",
    { "a.ptx": `${HEAD}${call(".extern .func shade;", "shade")}\n` },
    "a\\.ptx:\\d+:\\d+: error: .*shade",
  ],
  [
    "undefined-in-initialiser",
    { "a.ptx": `${HEAD}.extern .global .u32 shade;\n.visible .global .u64 p = generic(shade)+4;\n` },
    "a\\.ptx:\\d+:\\d+: error: .*shade",
  ],
  [
    "undefined-but-static-elsewhere",
    both(`.extern .global .u32 shade;\n${use("shade")}`, ".global .u32 shade = 1;"),
    names("shade"),
  ],
  [
    "sizes-differ",
    both(".extern .global .u32 shade[4];\n" + use("shade"), ".visible .global .u32 shade[8];"),
    names("shade", "(16|32|size)"),
  ],
  [
    "weak-sizes-differ",
    both(".weak .global .u32 shade[4];", ".weak .global .u32 shade[8];"),
    names("shade", "(16|32|size)"),
  ],
  [
    "spaces-differ",
    both(".extern .global .u32 shade;\n" + use("shade"), ".visible .const .u32 shade = 1;"),
    names("shade", "(const|global|space)"),
  ],
  [
    "variable-and-function",
    both(".extern .global .u32 shade;\n" + use("shade"), ".visible .func shade() { ret; }"),
    names("shade"),
  ],
  [
    "kernel-and-function",
    both(call(".extern .func shade;", "shade"), ".visible .entry shade() { ret; }"),
    names("shade"),
  ],
  [
    "parameters-differ",
    both(call(".extern .func shade(.param .b32 x);", "shade, (x)"), ".visible .func shade(.param .b64 x) { ret; }"),
    names("shade"),
  ],
  [
    "parameter-counts-differ",
    both(
      call(".extern .func shade(.param .b32 x);", "shade, (x)"),
      ".visible .func shade(.param .b32 x, .param .b32 y) { ret; }",
    ),
    names("shade"),
  ],
  [
    "common-larger-than-definition",
    both(".common .global .u32 shade[8];", ".visible .global .u32 shade[4] = {1};"),
    names("shade", "(16|32|size|common)"),
  ],
  [
    "managed-or-not",
    both(".extern .global .attribute(.managed) .u32 shade;\n" + use("shade"), ".visible .global .u32 shade;"),
    names("shade", "managed"),
  ],
  [
    "targets-differ",
    { "a.ptx": HEAD, "b.ptx": HEAD.replace("sm_80", "sm_75") },
    "(?=[\\s\\S]*sm_75)(?=[\\s\\S]*sm_80)[\\s\\S]*error:",
  ],
  [
    "constants-over-64-KiB",
    both(".visible .const .u8 a[40000];", ".visible .const .u8 b[40000];"),
    "error: .*(const|80000|65536)",
  ],
  [
    "shared-over-limit",
    {
      "a.ptx": `${HEAD}.visible .entry k()\n{\n\t.shared .b8 big[300000];\n\t.reg .b32 %r;\n\tld.shared.u32 %r, [big];\n\tst.shared.u32 [big+4], %r;\n\tret;\n}\n`,
    },
    "error: .*(shared|big|300000)",
  ],
  [
    "one-module-wrong",
    both(".visible .global .u32 shade = 1;", ".visible .global .u32 other = 1.5;"),
    "b\\.ptx:4:\\d+: error:",
  ],
];

/** Files beside modules: [name, contents, says], given to `link` alone. */
export const files = [
  [
    "response-of-itself.rsp",
    "@link/response-of-itself.rsp\n",
    "error: .*(response|recurs|itself|deep|nest)",
    [1, 2],
    "@",
  ],
  ["response-unclosed-quote.rsp", '"link/two-definitions.a.ptx\n', "error: .*(quote|response)", [1, 2], "@"],
  ["response-absent.rsp", null, "error: .*response-absent\\.rsp", 2, "@"],
  ["archive-empty.a", "!<arch>\n", "error: .*nothing to link"],
  [
    "archive-header-cut.a",
    "!<arch>\na.o/            0           0     0     644  ",
    "error: .*(archive|member|header|truncat|end)",
  ],
  [
    "archive-size-past-end.a",
    "!<arch>\n" +
      "a.o/".padEnd(16) +
      "0".padEnd(12) +
      "0".padEnd(6) +
      "0".padEnd(6) +
      "644".padEnd(8) +
      "9999999999" +
      "`\nabc\n",
    "error: .*(archive|member|size|end|truncat)",
  ],
  [
    "archive-size-a-word.a",
    "!<arch>\n" +
      "a.o/".padEnd(16) +
      "0".padEnd(12) +
      "0".padEnd(6) +
      "0".padEnd(6) +
      "644".padEnd(8) +
      "ten".padEnd(10) +
      "`\nabc\n",
    "error: .*(archive|member|size|number)",
  ],
  [
    "archive-name-past-table.a",
    "!<arch>\n" +
      "/9999".padEnd(16) +
      "0".padEnd(12) +
      "0".padEnd(6) +
      "0".padEnd(6) +
      "644".padEnd(8) +
      "4".padEnd(10) +
      "`\nabcd",
    "error: .*(archive|member|name)",
  ],
  [
    "archive-bad-end-mark.a",
    "!<arch>\n" +
      "a.o/".padEnd(16) +
      "0".padEnd(12) +
      "0".padEnd(6) +
      "0".padEnd(6) +
      "644".padEnd(8) +
      "4".padEnd(10) +
      "??abcd",
    "error: .*(archive|member|header)",
  ],
];

/** Command lines that are wrong whatever the files hold: [name, arguments, says], status 2. */
export const commands = [
  ["no-command", [], "usage|command"],
  ["unknown-command", ["lnik"], "lnik"],
  ["unknown-option", ["link", "--optimise-hard", "link/two-definitions.a.ptx", "-o", "$OUT"], "optimise-hard"],
  ["no-input", ["link", "-o", "$OUT"], "input|file|missing|argument"],
  ["no-output", ["link", "link/two-definitions.a.ptx"], "-o|output"],
  ["input-absent", ["check", "text/nosuch.ptx"], "nosuch\\.ptx"],
  ["input-a-folder", ["check", "text"], "text"],
  ["output-in-no-folder", ["link", "link/two-definitions.a.ptx", "-o", "nosuch/folder/out.cubin"], "nosuch/folder"],
  ["arch-unknown", ["link", "--arch", "sm_9999", "link/two-definitions.a.ptx", "-o", "$OUT"], "sm_9999"],
  ["emit-unknown", ["link", "--emit", "coff", "link/two-definitions.a.ptx", "-o", "$OUT"], "coff"],
  ["library-absent", ["link", "-l", "nosuch", "link/two-definitions.a.ptx", "-o", "$OUT"], "nosuch", [1, 2]],
  ["jobs-a-word", ["link", "-j", "many", "link/two-definitions.a.ptx", "-o", "$OUT"], "many|-j"],
  ["error-limit-negative", ["check", "--error-limit", "-3", "text/crlf.ptx"], "-3|error-limit"],
  ["run-without-a-kernel", ["run", "run/faults.ptx"], "launch|kernel|-k"],
  ["run-both-ways", ["run", "run/faults.ptx", "--launch", "run/unknown-kernel.json", "-k", "trap_now"], "launch|-k"],
  ["run-grid-of-zero", ["run", "run/faults.ptx", "-k", "trap_now", "-g", "0", "-b", "1"], "-g|grid|0"],
  ["run-grid-a-word", ["run", "run/faults.ptx", "-k", "trap_now", "-g", "one", "-b", "1"], "-g|grid|one"],
  [
    "run-argument-unreadable",
    ["run", "run/faults.ptx", "-k", "store_past_end", "-g", "1", "-b", "1", "-a", "u32=twelve"],
    "twelve",
  ],
  [
    "run-argument-of-no-type",
    ["run", "run/faults.ptx", "-k", "store_past_end", "-g", "1", "-b", "1", "-a", "u33=12"],
    "u33",
  ],
  ["run-unknown-kernel", ["run", "run/faults.ptx", "-k", "nosuch", "-g", "1", "-b", "1"], "nosuch", [1, 2]],
  ["run-unknown-gpu", ["run", "run/faults.ptx", "-k", "trap_now", "-g", "1", "-b", "1", "--gpu", "voodoo2"], "voodoo2"],
];
