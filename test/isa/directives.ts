// Every directive of PTX ISA 9.0 with an example: chapter 11, .pragma's strings (chapter 12), attributes (section
// 5.4.8), and the directives of declarations in chapters 5 and 7.

export interface DirectiveExample {
  readonly section: string;
  readonly name: string;
  /** Text after the header of a module of PTX 9.0 for sm_90a, or the whole module if `whole`. */
  readonly text: string;
  readonly whole?: boolean;
  /** Pattern for the printed object, if the directive's name is not in it. */
  readonly printed?: RegExp;
}

const head = ".version 9.0\n.target sm_90a\n.address_size 64";
const kernel = (directives: string): string =>
  `.visible .entry k()${directives === "" ? "" : ` ${directives}`} { ret; }`;
const body = (statements: string): string => `.visible .entry k() { ${statements} ret; }`;

export const directives: readonly DirectiveExample[] = [
  { section: "11.1.1", name: ".version", text: head, whole: true },
  { section: "11.1.2", name: ".target", text: head, whole: true },
  { section: "11.1.3", name: ".address_size", text: head, whole: true },
  { section: "11.2.1", name: ".entry", text: kernel("") },
  { section: "11.2.2", name: ".func", text: ".visible .func f() { ret; }" },
  { section: "11.2.3", name: ".alias", text: ".visible .func f() { ret; }\n.visible .func g();\n.alias g, f;" },
  { section: "11.3.1", name: ".branchtargets", text: body(".reg .u32 %i; t: .branchtargets a; brx.idx %i, t; a:") },
  {
    section: "11.3.2",
    name: ".calltargets",
    text: `.visible .func f() { ret; }\n${body(".reg .b64 %f; mov.b64 %f, f; t: .calltargets f; call %f, t;")}`,
  },
  {
    section: "11.3.3",
    name: ".callprototype",
    text: `.visible .func f() { ret; }\n${body(".reg .b64 %f; mov.b64 %f, f; p: .callprototype _ (); call %f, p;")}`,
  },
  { section: "11.4.1", name: ".maxnreg", text: kernel(".maxnreg 32") },
  { section: "11.4.2", name: ".maxntid", text: kernel(".maxntid 32, 4, 2") },
  { section: "11.4.3", name: ".reqntid", text: kernel(".reqntid 32, 4, 2") },
  { section: "11.4.4", name: ".minnctapersm", text: kernel(".maxntid 32 .minnctapersm 2") },
  {
    section: "11.4.5",
    name: ".maxnctapersm",
    text: ".version 2.0\n.target sm_20\n.entry k() .maxntid 32 .maxnctapersm 2 { exit; }",
    whole: true,
  },
  {
    section: "11.4.10",
    name: ".minperctamemory",
    text: ".version 9.4\n.target sm_90\n.address_size 64\n.visible .entry k() .minperctamemory 1024 { ret; }",
    whole: true,
  },
  { section: "11.4.6", name: ".noreturn", text: ".visible .func f() .noreturn { trap; }" },
  { section: "11.4.7", name: ".pragma", text: kernel('.pragma "nounroll";') },
  { section: "12.1", name: '.pragma "nounroll"', text: body('.pragma "nounroll";'), printed: /nounroll/ },
  {
    section: "12.2",
    name: '.pragma "used_bytes_mask"',
    text: body('.pragma "used_bytes_mask 0x7";'),
    printed: /used_bytes_mask/,
  },
  {
    section: "12.3",
    name: '.pragma "enable_smem_spilling"',
    text: body('.pragma "enable_smem_spilling";'),
    printed: /enable_smem_spilling/,
  },
  { section: "12.4", name: '.pragma "frequency"', text: body('.pragma "frequency 5";'), printed: /frequency/ },
  { section: "11.4.8", name: ".abi_preserve", text: ".visible .func f() .abi_preserve 8 { ret; }" },
  { section: "11.4.9", name: ".abi_preserve_control", text: ".visible .func f() .abi_preserve_control 8 { ret; }" },
  {
    section: "11.5.1",
    name: "@@DWARF",
    text: ".version 1.4\n.target sm_13\n.entry k() { exit; }\n@@DWARF .section .debug_info\n@@DWARF .byte 0x01",
    whole: true,
    printed: /@@DWARF \.section \.debug_info, "", @progbits\n@@DWARF \.byte 1\n/,
  },
  {
    section: "11.5.2",
    name: ".section",
    text: `${kernel("")}\n.section .debug_info {\n.b8 1\n}`,
    printed: /\.section \.debug_info \{\n\t\.b8 1\n\}/,
  },
  { section: "11.5.3", name: ".file", text: `.file 1 "a.cu"\n${body(".loc 1 2 3\n")}` },
  { section: "11.5.4", name: ".loc", text: `.file 1 "a.cu"\n${body(".loc 1 2 3\n")}` },
  { section: "11.6.1", name: ".extern", text: `.extern .global .u32 x;\n${body(".reg .b64 %a; mov.b64 %a, x;")}` },
  { section: "11.6.2", name: ".visible", text: ".visible .global .u32 x;" },
  { section: "11.6.3", name: ".weak", text: ".weak .global .u32 x;" },
  { section: "11.6.4", name: ".common", text: ".common .global .u32 x;" },
  { section: "11.7.1", name: ".reqnctapercluster", text: kernel(".reqnctapercluster 2, 1, 1") },
  { section: "11.7.2", name: ".explicitcluster", text: kernel(".explicitcluster") },
  { section: "11.7.3", name: ".maxclusterrank", text: kernel(".maxclusterrank 4") },
  {
    section: "11.8.1",
    name: ".blocksareclusters",
    text: kernel(".reqntid 32 .reqnctapercluster 2 .blocksareclusters"),
  },
  { section: "5.1", name: ".const", text: ".visible .const .u32 x = 5;" },
  { section: "5.1", name: ".global", text: ".visible .global .u32 x = 5;" },
  { section: "5.1", name: ".local", text: body(".local .u32 x; .reg .b64 %a; mov.b64 %a, x;") },
  { section: "5.1", name: ".param", text: ".visible .entry k(.param .u32 x) { ret; }" },
  { section: "5.1", name: ".reg", text: body(".reg .b32 %r; mov.b32 %r, 1;") },
  { section: "5.1", name: ".shared", text: ".visible .shared .u32 x;" },
  {
    section: "5.1",
    name: ".tex",
    text: ".version 1.4\n.target sm_13\n.tex .u32 t;\n.entry k() { exit; }",
    whole: true,
  },
  { section: "5.4.5", name: ".align", text: ".visible .global .align 16 .b8 x[16];" },
  {
    section: "5.4.8",
    name: ".attribute(.managed)",
    text: ".visible .global .attribute(.managed) .u32 x;",
    printed: /\.managed/,
  },
  {
    section: "5.4.8",
    name: ".attribute(.unified)",
    text: ".visible .global .attribute(.unified(1, 2)) .u32 x;",
    printed: /\.unified/,
  },
  { section: "7.1", name: ".ptr", text: ".visible .entry k(.param .u64 .ptr .global .align 16 x) { ret; }" },
];

export const moduleOf = ({ text, whole }: DirectiveExample): string =>
  whole === true ? `${text}\n` : `${head}\n${text}\n`;
