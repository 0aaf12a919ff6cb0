// PTX texts that must be refused, and a few odd ones that must not. A row is [name, text, says]; `says` is what the
// diagnostic must match, without regard to case. Text after HEAD begins on line 4.

const HEAD = ".version 8.5\n.target sm_80\n.address_size 64\n";
const body = (lines) =>
  `${HEAD}.visible .entry k(.param .u64 p)\n{\n\t.reg .pred %p<4>;\n\t.reg .b16 %h<4>;\n\t.reg .b32 %r<8>;\n\t.reg .b64 %d<8>;\n\t.reg .f32 %f<8>;\n\t.reg .f64 %e<4>;\n${lines}\n\tret;\n}\n`;

/** The diagnostic stands on this line and speaks of these things. */
const at = (line, what) => `:${line}:\\d+: error: .*(${what})`;
const error = (what) => `error: .*(${what})`;
/** In a body the first instruction is on line 12. */
const declared = (name, text, what, line = 4) => [name, `${HEAD}${text}\n`, at(line, what)];
const instruction = (name, text, what, line = 12) => [name, body(`\t${text}`), at(line, what)];

/** Bytes, encodings, and ends that come too early. */
export const text = [
  ["empty", "", error("empty|version")],
  ["blank", " \t\r\n\n  ", error("empty|version")],
  ["nul-bytes-only", "\0".repeat(64), error("NUL|character|not PTX|recogni|version|0x00")],
  ["nul-in-name", `${HEAD}.global .u32 a\0b;\n`, error("NUL|character|0x00|\\\\0|control")],
  ["nul-in-comment", `${HEAD}// a\0b\n.global .u32 a = 1.5;\n`, error("type|initial|NUL|0x00|\\\\0|control")],
  ["escape-character", `${HEAD}.global .u32 \x1b[31ma;\n`, error("character|0x1b|\\\\x1b|control")],
  ["latin-1-name", Buffer.from(`${HEAD}.global .u32 gr\xfcn;\n`, "latin1"), at(4, "character|byte|0xfc|UTF")],
  ["utf-8-name", `${HEAD}.global .u32 größe;\n`, at(4, "character|byte|ASCII|ö|0xc3")],
  [
    "utf-16",
    Buffer.from(`\ufeff${HEAD}.global .u32 a;\n`, "utf16le"),
    error("UTF-16|character|encod|recogni|not PTX|byte"),
  ],
  ["stray-hash", `${HEAD}#define N 4\n.global .u32 a;\n`, at(4, "#|character|define|directive")],
  ["stray-backquote", `${HEAD}.global .u32 \`a;\n`, at(4, "`|character")],
  ["lone-dot", `${HEAD}.\n`, error("\\.|directive|expected|unexpected")],
  ["unterminated-comment", `${HEAD}.global .u32 a;\n/* and so on\n`, at(5, "comment")],
  ["comment-swallows-brace", `${HEAD}.visible .entry k()\n{\n\tret; /* }\n`, error("comment")],
  ["unterminated-string", `${HEAD}.file 1 "main.cu\n`, at(4, "string|quote|literal")],
  ["string-at-end", `${HEAD}.file 1 "`, at(4, "string|quote|literal")],
  ["ends-in-version", ".version", error("version|end|expected")],
  ["ends-in-target", ".version 8.5\n.target", error("target|end|expected")],
  ["ends-in-declaration", `${HEAD}.visible .global .u32 a`, at(4, ";|end|expected")],
  ["ends-in-array-size", `${HEAD}.global .u32 a[`, at(4, "\\]|end|expected|size")],
  ["ends-in-initialiser", `${HEAD}.global .u32 a[4] = {1, 2,`, at(4, "\\}|end|expected|initial")],
  [
    "ends-in-mask",
    `${HEAD}.global .u32 t;\n.global .u8 a[2] = {0xFF(t), 0xFF00(`,
    at(5, "end|expected|initial|mask|\\)"),
  ],
  ["ends-in-parameters", `${HEAD}.visible .entry k(.param .u64 p,`, at(4, "\\)|end|expected|param")],
  ["ends-before-body", `${HEAD}.visible .entry k(.param .u64 p)`, error("\\{|;|end|body|expected")],
  [
    "ends-in-body",
    `${HEAD}.visible .entry k()\n{\n\t.reg .b32 %r<2>;\n\tmov.u32 %r0, 1;\n`,
    error("\\}|end|expected|body"),
  ],
  [
    "ends-in-instruction",
    `${HEAD}.visible .entry k()\n{\n\t.reg .b32 %r<2>;\n\tadd.u32 %r0, %r1,`,
    at(7, "end|expected|operand"),
  ],
  [
    "ends-in-vector",
    `${HEAD}.visible .entry k()\n{\n\t.reg .b32 %r<2>;\n\tld.global.v2.u32 {%r0,`,
    at(7, "\\}|end|expected|operand"),
  ],
  ["ends-after-guard", `${HEAD}.visible .entry k()\n{\n\t.reg .pred %p;\n\t@!`, at(7, "end|expected|predicate|guard")],
  ["extra-brace", `${HEAD}.visible .entry k()\n{\n\tret;\n}\n}\n`, at(8, "\\}|unexpected|expected")],
  [
    "hundred-errors",
    HEAD + Array.from({ length: 100 }, (_, i) => `.global .u32 a${i} = 1.5;\n`).join(""),
    error("type|initial|too many|limit"),
  ],
  ["crlf", `${HEAD}// lines end as on DOS\n.global .u32 a = 7;\n`.replaceAll("\n", "\r\n"), ""],
  ["utf-8-comment", `${HEAD}// größer, 大きい\n.global .u32 a = 7;\n`, at(4, "character|byte|ASCII|0xc3")],
  ["byte-order-mark", `\ufeff${HEAD}.global .u32 a = 7;\n`, at(1, "byte.order|BOM|character|byte|ASCII|0xef")],
  ["no-last-newline", `${HEAD}.global .u32 a = 7;`, ""],
];

/** What a module says about itself. */
export const module = [
  ["no-version", ".target sm_80\n.address_size 64\n.global .u32 a;\n", error("version")],
  ["no-target", ".version 8.5\n.global .u32 a;\n", error("target")],
  ["target-first", ".target sm_80\n.version 8.5\n.global .u32 a;\n", error("version")],
  ["version-from-the-future", ".version 99.0\n.target sm_80\n", at(1, "version|99")],
  ["version-negative", ".version -8.5\n.target sm_80\n", at(1, "version|-|expected")],
  ["version-word", ".version latest\n.target sm_80\n", at(1, "version|latest|expected")],
  ["version-huge", ".version 8.99999999999999999999999999\n.target sm_80\n", at(1, "version|8\\.9")],
  ["target-unknown", ".version 8.5\n.target sm_999\n", at(2, "sm_999")],
  ["target-word", ".version 8.5\n.target gpu\n", at(2, "gpu|target")],
  ["two-targets", ".version 8.5\n.target sm_75, sm_80\n", ""],
  ["target-newer-than-version", ".version 6.0\n.target sm_80\n", ""],
  ["address-size-16", ".version 8.5\n.target sm_80\n.address_size 16\n", at(3, "16")],
  ["address-size-48", ".version 8.5\n.target sm_80\n.address_size 48\n", at(3, "48|address")],
];

/** Variables. Most rows are verdicts of ptxas that docs and habit would not lead one to expect. */
export const declarations = [
  declared("size-over-64-bits", ".global .u8 shade[18446744073709551616];", "large|overflow|size|constant|number"),
  declared("size-negative", ".global .u32 shade[-1];", "-|expected|size|negative"),
  declared("size-zero", ".global .u32 shade[0];", "shade|incomplete|zero"),
  declared("size-missing", ".global .u32 shade[];", "shade|incomplete|size"),
  declared("size-expression-negative", ".global .u32 shade[2-3];", "dimension|size|elements"),
  declared(
    "number-of-40-digits",
    ".global .u32 shade = 1234567890123456789012345678901234567890;",
    "constant|number|large|overflow|digits",
  ),
  declared("number-octal-nine", ".global .u32 shade = 09;", "9|octal|number|digit"),
  declared("number-hex-without-digits", ".global .u32 shade = 0x;", "x|hex|number|digit|expected"),
  declared("number-with-suffix", ".global .u32 shade = 5UL;", "L|suffix|number|expected"),
  declared("float-bits-too-short", ".global .f32 shade = 0f3F8;", "0f3F8|float|digits|f3F8|eight|8"),
  declared("float-bits-negated", ".global .f32 shade = -0f3F800000;", "0f|-|expected|float"),
  declared("division-by-zero", ".global .u32 shade = 1/0;", "zero"),
  declared("division-by-zero-skipped", ".global .u32 shade = 1 || 1/0;", "zero"),
  declared("remainder-by-zero", ".global .u32 shade = 1 % 0;", "zero"),
  declared("float-in-integer", ".global .u32 shade = 1.5;", "type|initial|float"),
  declared("integer-in-float", ".global .f32 shade = 1;", "type|initial|integer|float"),
  declared("cast-to-u32", ".global .u64 shade = (.u32) -1;", "cast|u32"),
  declared("conditional-of-floats", ".global .f32 shade = 1 ? 2.0 : 3.0;", "integer|float|type|conditional"),
  declared("string-initialiser", '.global .b8 shade[4] = "abc";', "string|abc|expected|initial"),
  declared("too-many-elements", ".global .u32 shade[2] = {1,2,3};", "shade|elements|initial|many"),
  declared("too-many-rows", ".global .u32 shade[2][2] = {{1,2},{3,4},{5,6}};", "shade|elements|initial|many|row"),
  declared("flat-list-for-rows", ".global .u32 shade[2][2] = {1,2,3,4};", "shade|elements|initial|many|brace|nest"),
  declared("braces-too-deep", ".global .u32 shade[2][2] = {{{1}},{2}};", "initial|type|brace|nest|deep"),
  declared("trailing-comma", ".global .u32 shade[2] = {1,};", "\\}|expected|,"),
  declared("missing-comma", ".global .u32 shade[2] = {1 2};", "2|expected|,"),
  declared("braces-for-scalar", ".global .u32 shade = {1};", "shade|type|initial|brace|list"),
  declared("scalar-for-array", ".global .u32 shade[2] = 1;", "shade|type|initial|list|brace"),
  declared("short-vector", ".global .v4 .u8 shade = {1,2};", "vector|elements|initial|number"),
  declared("half-initialiser", ".global .f16 shade = 1.0;", "f16|initial"),
  declared("shared-initialiser", ".shared .u32 shade = 1;", "shade|initial|shared"),
  declared("extern-initialiser", ".extern .global .u32 shade = 1;", "shade|initial|extern"),
  declared("common-const", ".common .const .u32 shade;", "common"),
  declared("module-local", ".local .u32 shade;", "local"),
  declared("module-register", ".reg .u32 shade;", "reg"),
  declared("module-parameter", ".param .u32 shade;", "param"),
  declared("predicate-variable", ".global .pred shade;", "pred|shade"),
  declared("vector-of-three", ".global .v3 .u32 shade;", "v3"),
  declared("vector-of-256-bits", ".global .v4 .f64 shade;", "vector|128|large"),
  declared("alignment-3", ".global .align 3 .u32 shade;", "align|power"),
  declared("alignment-0", ".global .align 0 .u32 shade;", "align|power"),
  declared("alignment-huge", ".global .align 18446744073709551616 .u32 shade;", "align|constant|number|large|overflow"),
  declared("const-over-64-KiB", ".const .u8 shade[65537];", "65537|65536|constant|large"),
  declared("explicit-constant-bank", ".const[1] .u32 shade;", "bank|\\[|const"),
  declared("two-linkages", ".visible .weak .global .u32 shade;", "weak|expected|linkage"),
  declared("name-is-underscore", ".visible .global .u32 _;", "_|name|identifier|expected"),
  declared("name-begins-with-digit", ".visible .global .u32 1a;", "1|name|identifier|expected"),
  declared("name-is-WARP_SZ", ".visible .global .u32 WARP_SZ;", "WARP_SZ"),
  declared("managed-const", ".const .attribute(.managed) .u32 shade;", "managed"),
  declared("texture-in-const", ".const .texref shade;", "texture|texref|global"),
  declared("defined-twice", ".global .u32 shade;\n.global .u32 shade;", "shade", 5),
  declared("weak-twice", ".weak .global .u32 shade = 1;\n.weak .global .u32 shade = 1;", "shade", 5),
  declared("extern-of-another-type", ".extern .global .u32 shade;\n.visible .global .u64 shade = 1;", "shade", 5),
  declared("extern-of-another-size", ".extern .global .u32 shade[4];\n.visible .global .u32 shade[8];", "shade", 5),
  declared("extern-then-static", ".extern .global .u32 shade;\n.global .u32 shade = 1;", "shade", 5),
  declared("pointer-to-itself", ".global .u64 shade = shade;", "shade"),
  declared("generic-pointer-to-itself", ".global .u64 shade = generic(shade);", "shade|initial|generic"),
  declared("pointer-before-its-target", ".global .u64 shade = spot;\n.global .u32 spot;", "spot"),
  declared("pointer-to-nothing", ".global .u64 shade = nosuch;", "nosuch"),
  declared("generic-pointer-to-nothing", ".global .u64 shade = generic(nosuch);", "nosuch|initial|generic"),
  declared("pointer-to-shared", ".shared .u32 spot;\n.global .u64 shade = spot;", "spot|shared|space", 5),
  declared("pointer-in-16-bits", ".global .u32 spot;\n.global .u16 shade = spot;", "type|shade|u16|address|initial", 5),
  declared("pointer-in-float", ".global .u32 spot;\n.global .f64 shade = spot;", "type|shade|f64|address|initial", 5),
  declared("pointer-minus", ".global .u32 spot;\n.global .u64 shade = spot-8;", "-|expected", 5),
  declared("pointer-difference", ".global .u32 spot;\n.global .u32 s;\n.global .u64 shade = spot-s;", "-|expected", 6),
  declared("pointer-in-brackets", ".global .u32 spot;\n.global .u64 shade = (spot);", "spot|expected", 5),
  declared("pointer-by-index", ".global .u32 spot[4];\n.global .u64 shade = spot[2];", "\\[|expected", 5),
  declared("offset-inside-generic", ".global .u32 spot;\n.global .u64 shade = generic(spot+8);", "\\+|expected", 5),
  declared("generic-of-number", ".global .u64 shade = generic(5);", "5|expected|generic"),
  declared("generic-of-function", ".func tint(){ret;}\n.global .u64 shade = generic(tint);", "tint|generic|initial", 5),
  declared("function-plus-offset", ".func tint(){ret;}\n.global .u64 shade = tint+8;", "tint|type|offset|initial", 5),
  declared("mask-of-two-bytes", ".global .u32 spot;\n.global .u8 shade = 0xFFFF(spot);", "mask|0xffff", 5),
  declared("mask-between-bytes", ".global .u32 spot;\n.global .u8 shade = 0x0FF0(spot);", "mask|0x0?ff0", 5),
  declared("mask-in-b8", ".global .u32 spot;\n.global .b8 shade = 0xFF(spot);", "type|b8|mask|initial", 5),
  declared("mask-plus", ".global .u32 spot;\n.global .u8 shade = 0xFF(spot)+1;", "\\+|expected", 5),
  declared(
    "mask-inside-generic",
    ".global .u32 spot;\n.global .u8 shade = generic(0xFF(spot));",
    "0xFF|expected|mask|generic",
    5,
  ),
];

/** What ptxas -c takes silently, and makes nothing sensible of: `check` may take it too, `as` must refuse it. */
export const oversized = [
  declared("size-times-size", ".global .u8 shade[4294967296][4294967296];", "shade|size|large|overflow"),
  declared("size-nearly-64-bits", ".global .u32 shade[4611686018427387904];", "shade|large|overflow|size"),
];

/** Functions and the names in them. */
export const functions = [
  declared("function-twice", ".visible .func tint() {ret;}\n.visible .func tint() {ret;}", "tint", 5),
  declared("kernel-twice", ".visible .entry tint() {ret;}\n.visible .entry tint() {ret;}", "tint", 5),
  declared("extern-function-defined", ".extern .func tint();\n.visible .func tint() {ret;}", "tint", 5),
  declared("extern-function-with-body", ".extern .func tint() {ret;}", "tint|extern"),
  declared(
    "prototypes-differ",
    ".visible .func tint(.param .b32 x);\n.visible .func tint(.param .b64 x) {ret;}",
    "tint",
    5,
  ),
  declared("common-function", ".common .func tint() {ret;}", "common|func|expected"),
  declared("function-in-function", ".visible .func tint()\n{\n.func g() {ret;}\n}", "func|expected|nest", 6),
  declared("kernel-returns", ".visible .entry (.param .b32 r) k() {ret;}", "\\(|return|entry|expected|name"),
  declared(
    "parameters-over-limit",
    ".visible .entry k(.param .align 4 .b8 p[32768]) {ret;}",
    "param|32764|32768|large|size",
  ),
  declared("parameter-named-twice", ".visible .entry k(.param .u32 p, .param .u32 p) {ret;}", "p"),
  instruction("label-undefined", "bra NOWHERE;", "NOWHERE"),
  instruction("label-twice", "A: mov.u32 %r0, 1;\nA: mov.u32 %r0, 2;", "A", 13),
  [
    "label-of-another-function",
    `${HEAD}.visible .entry k()\n{\nA:\n\tret;\n}\n.visible .entry l()\n{\n\tbra A;\n}\n`,
    at(11, "A"),
  ],
  instruction("register-undefined", "mov.u32 %r0, %nosuch;", "%nosuch"),
  instruction("register-past-its-range", "mov.u32 %r8, 1;", "%r8"),
  instruction("register-twice", ".reg .b32 %x;\n\t.reg .b32 %x;", "%x", 13),
  instruction("register-out-of-scope", "{ .reg .b32 %x; mov.u32 %x, 1; }\n\tmov.u32 %r0, %x;", "%x", 13),
  instruction("register-range-negative", ".reg .b32 %x<-1>;", "-|expected|range|count"),
  instruction("special-register-written", "mov.u32 %tid.x, 1;", "tid"),
  instruction("variable-undefined", "ld.global.u32 %r0, [nosuch];", "nosuch"),
  instruction("call-undefined", "call nosuch;", "nosuch"),
  [
    "call-too-few-arguments",
    `${HEAD}.func f(.param .b32 x) {ret;}\n.visible .entry k()\n{\n\tcall f;\n\tret;\n}\n`,
    at(7, "f|argument|param"),
  ],
  [
    "call-ignores-prototype",
    `${HEAD}.func f(.param .b32 x) {ret;}\n.visible .entry k()\n{\n\t.param .b64 y;\n\tcall f, (y);\n\tret;\n}\n`,
    at(8, "f|argument|type|param"),
  ],
  instruction("call-without-prototype", "call %d0, ();", "prototype|call|%d0|target"),
  instruction("call-prototype-undefined", "call %d0, (), NOSUCH;", "NOSUCH"),
  [
    "call-a-kernel",
    `${HEAD}.visible .entry f() {ret;}\n.visible .entry k()\n{\n\tcall f;\n\tret;\n}\n`,
    at(7, "f|entry|kernel|call"),
  ],
  instruction("bra-to-register", "bra %r0;", "%r0|label"),
];

/** Instructions. */
export const instructions = [
  instruction("no-such-instruction", "frobnicate.u32 %r0, %r1;", "frobnicate"),
  instruction("misspelt", "mvo.u32 %r0, %r1;", "mvo"),
  instruction("no-such-modifier", "add.u32.quickly %r0, %r1, %r2;", "quickly|modifier"),
  instruction("no-type", "add %r0, %r1, %r2;", "add|type"),
  instruction("two-types", "add.u32.u64 %r0, %r1, %r2;", "add|type|u64|modifier"),
  instruction("type-of-no-instruction", "add.pred %p0, %p1, %p2;", "pred|add|type"),
  instruction("contradicting-modifiers", "add.rn.rz.f32 %f0, %f1, %f2;", "rz|rn|modifier|round"),
  instruction("rounding-of-integers", "add.rn.u32 %r0, %r1, %r2;", "rn|round|add|modifier"),
  instruction("saturating-u32", "add.sat.u32 %r0, %r1, %r2;", "sat|u32"),
  instruction("no-semicolon", "add.u32 %r0, %r1, %r2", ";|expected|ret", "(12|13)"),
  instruction("too-few-operands", "add.u32 %r0, %r1;", "operand|argument|add"),
  instruction("too-many-operands", "add.u32 %r0, %r1, %r2, %r3;", "operand|argument|add"),
  instruction("empty-operand", "add.u32 %r0, , %r2;", ",|expected|operand"),
  instruction("register-too-narrow", "add.u64 %d0, %d1, %r2;", "type|%r2|add|operand|argument|size|bits"),
  instruction("float-for-integer", "add.u32 %r0, %f1, %r2;", "type|%f1|add|operand|argument"),
  instruction("integer-for-float", "add.f32 %f0, %f1, %d2;", "type|%d2|add|operand|argument|size|bits"),
  instruction(
    "float-immediate-for-integer",
    "add.u32 %r0, %r1, 1.5;",
    "type|1\\.5|add|operand|argument|float|immediate",
  ),
  instruction(
    "integer-immediate-for-float",
    "add.f32 %f0, %f1, 1;",
    "type|add|operand|argument|float|immediate|integer",
  ),
  instruction("immediate-destination", "add.u32 1, %r1, %r2;", "destination|1|operand|argument|add|expected"),
  instruction("guard-is-no-predicate", "@%r0 ret;", "%r0|predicate|guard|type"),
  instruction("setp-into-register", "setp.eq.u32 %r0, %r1, %r2;", "setp|type|%r0|predicate|argument|operand"),
  instruction("comparison-unknown", "setp.about.u32 %p0, %r1, %r2;", "about|modifier|setp"),
  instruction("vector-too-long", "ld.global.v4.f64 {%e0,%e1,%e2,%e3}, [%d0];", "vector|v4|128|ld|256|type"),
  instruction(
    "vector-count-mismatch",
    "ld.global.v2.u32 {%r0,%r1,%r2}, [%d0];",
    "vector|v2|elements|operand|argument|ld",
  ),
  instruction("vector-without-v", "ld.global.u32 {%r0,%r1}, [%d0];", "vector|operand|argument|ld"),
  instruction("address-in-32-bits", "ld.global.u32 %r0, [%r1];", "address|%r1|bits|type|size|operand|argument"),
  instruction("store-to-const", "st.const.u32 [%d0], %r0;", "const|st|space|modifier"),
  instruction("store-to-kernel-parameter", "st.param.u64 [p], %d0;", "param|p|st"),
  instruction("load-of-a-register", "ld.global.u32 %r0, %d0;", "address|%d0|operand|argument|ld|\\["),
  instruction("barrier-16", "bar.sync 16;", "16|barrier|range|bar|operand"),
  instruction("barrier-count-33", "bar.sync 0, 33;", "33|32|warp|multiple|bar|operand"),
  instruction("shift-by-64-bits", "shl.b32 %r0, %r1, %d0;", "type|%d0|shl|operand|argument|size|bits"),
  instruction("prmt-of-64-bits", "prmt.b64 %d0, %d1, %d2, 0;", "prmt|b64|type|modifier"),
  instruction("newer-than-target", "wgmma.fence.sync.aligned;", "sm_90|wgmma|target"),
  [
    "newer-than-version",
    body("\tmov.u32 %r0, 1;\n\tredux.sync.add.s32 %r0, %r1, -1;").replace("8.5", "6.3").replace("sm_80", "sm_75"),
    error("redux|version|7\\.0|sm_80|target"),
  ],
  instruction("label-without-instruction-after", "A:\n\tB:\n\tbra A, B, C;", "bra|operand|argument|,|expected|;|'C'", 14),
];

/** ptxas takes it, and so may we; what counts is that nothing is allocated for it. */
export const either = [
  instruction(
    "register-range-huge",
    ".reg .b32 %x<18446744073709551616>;",
    "%x|range|number|large|overflow|constant|count",
  ),
];

/** Texts too large to commit: [name, pieces, says, whether taking it is as good], a piece being [text, how often]. */
export const large = [
  [
    "braces-deep",
    [
      [`${HEAD}.visible .entry k()\n`, 1],
      ["{", 100000],
      ["}", 100000],
    ],
    "error: .*(nest|deep|depth)",
    true,
  ],
  [
    "braces-deep-unclosed",
    [
      [`${HEAD}.visible .entry k()\n`, 1],
      ["{", 100000],
    ],
    "error: .*(nest|deep|depth|end|expected|\\})",
  ],
  [
    "parentheses-deep",
    [
      [`${HEAD}.global .u32 a = `, 1],
      ["(", 100000],
      ["1", 1],
      [")", 100000],
      [";\n", 1],
    ],
    "error: .*(nest|deep|depth)",
    true,
  ],
  [
    "signs-deep",
    [
      [`${HEAD}.global .u32 a = `, 1],
      ["- ", 100000],
      ["1;\n", 1],
    ],
    "error: .*(nest|deep|depth)",
    true,
  ],
  [
    "conditionals-deep",
    [
      [`${HEAD}.global .u32 a = `, 1],
      ["1 ? 2 : ", 50000],
      ["1;\n", 1],
    ],
    "error: .*(nest|deep|depth)",
    true,
  ],
  [
    "initialiser-deep",
    [
      [`${HEAD}.global .u32 a[2] = `, 1],
      ["{", 100000],
      ["1", 1],
      ["}", 100000],
      [";\n", 1],
    ],
    "error: .*(nest|deep|depth|initial|type|brace)",
  ],
  [
    "dimensions-many",
    [
      [`${HEAD}.global .u32 a`, 1],
      ["[1]", 100000],
      [";\n", 1],
    ],
    "error: .*(dimension|nest|deep|many)",
    true,
  ],
  [
    "name-of-a-megabyte",
    [
      [`${HEAD}.global .u64 p = `, 1],
      ["x", 1000000],
      [";\n", 1],
    ],
    "error: .*(xxxx|long|name)",
  ],
  [
    "number-of-a-megabyte",
    [
      [`${HEAD}.global .u32 a = `, 1],
      ["9", 1000000],
      [";\n", 1],
    ],
    "error: .*(constant|number|large|overflow|digits|long)",
  ],
  [
    "modifiers-many",
    [
      [`${HEAD}.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n\tadd`, 1],
      [".u32", 100000],
      [" %r0, %r1, %r2;\n}\n", 1],
    ],
    ":7:\\d+: error: .*(add|modifier|type|many|long)",
  ],
  [
    "operands-many",
    [
      [`${HEAD}.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n\tadd.u32 %r0`, 1],
      [", %r1", 100000],
      [";\n}\n", 1],
    ],
    ":7:\\d+: error: .*(add|operand|argument|many)",
  ],
  [
    "errors-many",
    [
      [HEAD, 1],
      [".global .u32 = ;\n", 20000],
    ],
    "error: .*(expected|=|name|unexpected)",
  ],
  [
    "strings-open-many",
    [
      [HEAD, 1],
      ['.file 1 "\n', 20001],
    ],
    "error: .*(string|quote|literal)",
  ],
  [
    "comment-of-a-megabyte",
    [
      [`${HEAD}/*`, 1],
      ["*", 1000000],
    ],
    "error: .*comment",
  ],
];
/** Initialised data of 300 MiB in a line of text: refused by `as` and `link` unless --max-image-size allows it. */
export const imageTooLarge = `${HEAD}.visible .global .u8 a[314572800] = {1};\n`;
