// Launch specifications that must be refused with their place, and kernels that fault. All use faults.ptx.

/** One module of small kernels, each of which does one wrong thing. */
export const faults = String.raw`// Kernels that do one wrong thing each.
.version 8.5
.target sm_80
.address_size 64

.visible .global .align 4 .u32 counter;
.visible .const .align 4 .u32 table[4] = {1, 2, 3, 4};
.shared .align 4 .u32 cell[8];

// y[i] = a * x[i]; nothing is wrong with it: what is wrong is in the launch specification
.visible .entry scale(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
	.reg .pred %p;
	.reg .b32 %i, %n, %b;
	.reg .f32 %a, %v;
	.reg .b64 %x, %y, %o;
	ld.param.u32 %n, [n];
	ld.param.f32 %a, [a];
	ld.param.u64 %x, [x];
	ld.param.u64 %y, [y];
	mov.u32 %i, %ctaid.x;
	mov.u32 %b, %ntid.x;
	mul.lo.u32 %i, %i, %b;
	mov.u32 %b, %tid.x;
	add.u32 %i, %i, %b;
	setp.ge.u32 %p, %i, %n;
	@%p ret;
	mul.wide.u32 %o, %i, 4;
	add.u64 %x, %x, %o;
	add.u64 %y, %y, %o;
	ld.global.f32 %v, [%x];
	mul.f32 %v, %v, %a;
	st.global.f32 [%y], %v;
	ret;
}

.visible .entry store_null()
{
	.reg .b64 %d;
	mov.u64 %d, 0;
	st.global.u32 [%d], 1;
	ret;
}

.visible .entry load_wild()
{
	.reg .b32 %r;
	.reg .b64 %d;
	mov.u64 %d, 0xDEADBEEF00000000;
	ld.u32 %r, [%d];
	st.global.u32 [counter], %r;
	ret;
}

.visible .entry load_misaligned()
{
	.reg .b32 %r;
	.reg .b64 %d;
	mov.u64 %d, counter;
	ld.global.u32 %r, [%d+1];
	st.global.u32 [counter], %r;
	ret;
}

.visible .entry vector_misaligned(.param .u64 p)
{
	.reg .b32 %r<4>;
	.reg .b64 %d;
	ld.param.u64 %d, [p];
	ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d+4];
	st.global.u32 [%d], %r0;
	ret;
}

.visible .entry atomic_misaligned()
{
	.reg .b32 %r;
	.reg .b64 %d;
	mov.u64 %d, counter;
	atom.global.add.u32 %r, [%d+2], 1;
	ret;
}

// the only thread to go wrong is number 37
.visible .entry store_past_end(.param .u64 p)
{
	.reg .pred %p;
	.reg .b32 %t;
	.reg .b64 %d;
	ld.param.u64 %d, [p];
	mov.u32 %t, %tid.x;
	setp.ne.u32 %p, %t, 37;
	@%p bra OUT;
	add.u64 %d, %d, 4096;
	st.global.u32 [%d], %t;
OUT:
	ret;
}

.visible .entry shared_past_end()
{
	.reg .b32 %r;
	ld.shared.u32 %r, [cell+1048576];
	st.shared.u32 [cell], %r;
	ret;
}

.visible .entry local_past_end()
{
	.local .align 4 .b8 frame[16];
	.reg .b64 %d;
	mov.u64 %d, frame;
	add.u64 %d, %d, 16777216;
	st.local.u32 [%d], 1;
	ret;
}

.visible .entry trap_now()
{
	trap;
}

// the first warp waits at one barrier, the second at another: nobody ever comes
.visible .entry deadlock()
{
	.reg .pred %p;
	.reg .b32 %t;
	mov.u32 %t, %tid.x;
	setp.lt.u32 %p, %t, 32;
	@%p bra A;
	bar.sync 1, 64;
	bra OUT;
A:
	bar.sync 2, 64;
OUT:
	ret;
}

.visible .entry endless()
{
FOREVER:
	bra FOREVER;
}

// a spin lock that nobody opens
.visible .entry spin()
{
	.reg .pred %p;
	.reg .b32 %r;
AGAIN:
	atom.global.cas.b32 %r, [counter], 1, 0;
	setp.ne.u32 %p, %r, 1;
	@%p bra AGAIN;
	ret;
}

.func deeper()
{
	.local .align 8 .b8 frame[1024];
	.reg .b64 %d;
	mov.u64 %d, frame;
	st.local.u64 [%d], %d;
	call deeper;
	ret;
}

.visible .entry recurse()
{
	call deeper;
	ret;
}

.visible .entry call_null()
{
	.reg .b64 %d;
	mov.u64 %d, 0;
P: .callprototype _ ();
	call %d, P;
	ret;
}

.visible .entry call_data()
{
	.reg .b64 %d;
	mov.u64 %d, counter;
P: .callprototype _ ();
	call %d, P;
	ret;
}

.extern .func __assertfail(.param .b64 message, .param .b64 file, .param .b32 line, .param .b64 function, .param .b64 size);
.global .align 1 .b8 text[10] = {120, 32, 60, 32, 110};
.global .align 1 .b8 name[5] = {97, 46, 99, 117};

.visible .entry assert_fails()
{
	.reg .b64 %d<3>;
	.param .b64 message, file, function, size;
	.param .b32 line;
	mov.u64 %d0, text;
	cvta.global.u64 %d0, %d0;
	mov.u64 %d1, name;
	cvta.global.u64 %d1, %d1;
	st.param.b64 [message], %d0;
	st.param.b64 [file], %d1;
	st.param.b32 [line], 7;
	st.param.b64 [function], %d1;
	st.param.b64 [size], 1;
	call __assertfail, (message, file, line, function, size);
	ret;
}
`;

/** [name, kernel and its arguments on the command line, what must be said] */
export const kernels = [
  ["store-null", ["-k", "store_null", "-g", "1", "-b", "32"], "illegal|address|null|0x0"],
  ["load-wild", ["-k", "load_wild", "-g", "1", "-b", "32"], "illegal|address|0xdeadbeef"],
  ["load-misaligned", ["-k", "load_misaligned", "-g", "1", "-b", "32"], "misaligned|align"],
  ["vector-misaligned", ["-k", "vector_misaligned", "-g", "1", "-b", "1", "-a", "u32[64]=0"], "misaligned|align"],
  ["atomic-misaligned", ["-k", "atomic_misaligned", "-g", "1", "-b", "1"], "misaligned|align"],
  [
    "store-past-end",
    ["-k", "store_past_end", "-g", "2", "-b", "64", "-a", "u32[16]=0"],
    "(illegal|memory|address|bounds)[\\s\\S]*37",
  ],
  ["shared-past-end", ["-k", "shared_past_end", "-g", "1", "-b", "1"], "shared|illegal|address|bounds"],
  ["local-past-end", ["-k", "local_past_end", "-g", "1", "-b", "1"], "local|illegal|address|bounds|stack"],
  ["trap", ["-k", "trap_now", "-g", "1", "-b", "32"], "trap"],
  ["barrier-deadlock", ["-k", "deadlock", "-g", "1", "-b", "64"], "deadlock|barrier"],
  ["endless-loop", ["-k", "endless", "-g", "1", "-b", "32", "--max-instructions", "10000"], "instruction"],
  ["endless-spin", ["-k", "spin", "-g", "2", "-b", "64", "--max-instructions", "10000"], "instruction"],
  ["infinite-recursion", ["-k", "recurse", "-g", "1", "-b", "1"], "stack"],
  ["call-null", ["-k", "call_null", "-g", "1", "-b", "1"], "illegal|address|call|function|null"],
  ["call-data", ["-k", "call_data", "-g", "1", "-b", "1"], "illegal|address|call|function"],
  ["assert", ["-k", "assert_fails", "-g", "1", "-b", "32"], "assert"],
];

const good = {
  buffers: { x: { type: "f32", length: 64, fill: "iota" }, y: { type: "f32", length: 64 } },
  launches: [
    {
      kernel: "scale",
      grid: [1, 1, 1],
      block: [64, 1, 1],
      args: [{ u32: 64 }, { f32: 2 }, { buffer: "x" }, { buffer: "y" }],
    },
  ],
  outputs: ["y"],
};
/** The good specification with one thing changed. */
const changed = (change) => {
  const copy = structuredClone(good);
  change(copy, copy.launches[0]);
  return JSON.stringify(copy, null, 2) + "\n";
};
const args = (...list) => changed((_, launch) => (launch.args = list));
const x = (value) => changed((spec) => (spec.buffers.x = value));

/** [name, text, what must be said]; a text that is an object becomes JSON */
export const launches = [
  ["empty", "", "JSON|empty|end|expected"],
  ["not-json", "buffers: none\n", "JSON|:1:"],
  ["trailing-comma", '{\n  "launches": [],\n}\n', "JSON|:3:|,|\\}"],
  ["ends-early", changed(() => {}).slice(0, 200), "JSON|end|expected"],
  ["an-array", "[]\n", "object|array|expected"],
  ["a-number", "1e999\n", "object|number|expected"],
  ["null", "null\n", "object|null|expected"],
  ["no-launches", '{ "buffers": {} }\n', "launches"],
  ["launches-not-a-list", changed((spec) => (spec.launches = {})), "launches"],
  ["unknown-key", changed((spec) => (spec.bufers = {})), "bufers"],
  ["unknown-launch-key", changed((_, launch) => (launch.sharedbytes = 4)), "sharedbytes"],
  ["unknown-kernel", changed((_, launch) => (launch.kernel = "scael")), "scael"],
  ["kernel-missing", changed((_, launch) => delete launch.kernel), "kernel"],
  ["kernel-is-a-variable", changed((_, launch) => (launch.kernel = "counter")), "counter"],
  ["arguments-too-few", args({ u32: 64 }, { f32: 2 }, { buffer: "x" }), "argument|param|4|scale"],
  [
    "arguments-too-many",
    args({ u32: 64 }, { f32: 2 }, { buffer: "x" }, { buffer: "y" }, { u32: 1 }),
    "argument|param|5|scale",
  ],
  [
    "argument-too-wide",
    args({ u64: 64 }, { f32: 2 }, { buffer: "x" }, { buffer: "y" }),
    "argument|param|size|bytes|8|n\\b",
  ],
  [
    "argument-bytes-too-short",
    args({ bytes: "0000" }, { f32: 2 }, { buffer: "x" }, { buffer: "y" }),
    "argument|param|size|bytes|2|n\\b",
  ],
  ["argument-empty", args({}, { f32: 2 }, { buffer: "x" }, { buffer: "y" }), "argument|type|args"],
  [
    "argument-of-two-types",
    args({ u32: 64, s32: 64 }, { f32: 2 }, { buffer: "x" }, { buffer: "y" }),
    "argument|type|u32|s32",
  ],
  [
    "argument-out-of-range",
    args({ u32: 4294967296 }, { f32: 2 }, { buffer: "x" }, { buffer: "y" }),
    "range|4294967296|u32",
  ],
  ["argument-negative", args({ u32: -2147483649 }, { f32: 2 }, { buffer: "x" }, { buffer: "y" }), "range|-2147483649|u32"],
  ["argument-not-whole", args({ u32: 1.5 }, { f32: 2 }, { buffer: "x" }, { buffer: "y" }), "whole|integer|1\\.5|u32"],
  ["argument-word", args({ u32: 64 }, { f32: "two" }, { buffer: "x" }, { buffer: "y" }), "two|number|f32"],
  ["unknown-buffer", args({ u32: 64 }, { f32: 2 }, { buffer: "z" }, { buffer: "y" }), "z"],
  [
    "buffer-named-like-a-prototype",
    args({ u32: 64 }, { f32: 2 }, { buffer: "constructor" }, { buffer: "y" }),
    "constructor",
  ],
  [
    "offset-past-end",
    args({ u32: 64 }, { f32: 2 }, { buffer: "x", offset: 1000000 }, { buffer: "y" }),
    "offset|1000000",
  ],
  ["offset-negative", args({ u32: 64 }, { f32: 2 }, { buffer: "x", offset: -4 }, { buffer: "y" }), "offset|-4"],
  ["buffer-of-unknown-type", x({ type: "f31", length: 64 }), "f31|type"],
  ["buffer-without-type", x({ length: 64 }), "type"],
  ["buffer-without-length", x({ type: "f32" }), "length|x"],
  ["buffer-of-negative-length", x({ type: "f32", length: -1 }), "length|-1"],
  ["buffer-of-huge-length", x({ type: "f64", length: 9007199254740991 }), "length|large|9007199254740991|memory|size"],
  ["buffer-of-fractional-length", x({ type: "f32", length: 2.5 }), "length|2\\.5"],
  ["buffer-filled-with-a-word", x({ type: "f32", length: 64, fill: "ones" }), "fill|ones"],
  ["buffer-of-bad-hex", x({ type: "u8", hex: "0g" }), "hex"],
  ["buffer-of-odd-hex", x({ type: "u8", hex: "012" }), "hex"],
  ["buffer-hex-not-whole", x({ type: "u32", hex: "010203" }), "hex|u32|multiple|bytes"],
  ["buffer-of-words", x({ type: "u32", data: [1, "two", 3] }), "two|data|u32"],
  ["buffer-data-out-of-range", x({ type: "u8", data: [1, 256] }), "256|range|u8"],
  ["buffer-data-not-a-number", x({ type: "u8", data: [1, "NaN"] }), "NaN|u8"],
  ["buffer-length-against-data", x({ type: "u8", length: 3, data: [1, 2] }), "length|data|3|2"],
  ["unknown-symbol", changed((spec) => (spec.symbols = { nosuch: { type: "u32", data: [1] } })), "nosuch"],
  ["symbol-too-long", changed((spec) => (spec.symbols = { counter: { type: "u32", data: [1, 2] } })), "counter"],
  ["symbol-is-a-kernel", changed((spec) => (spec.symbols = { scale: { type: "u32", data: [1] } })), "scale"],
  ["unknown-output", changed((spec) => (spec.outputs = ["z"])), "z"],
  ["unknown-output-symbol", changed((spec) => (spec.outputs = ["symbol:nosuch"])), "nosuch"],
  ["grid-of-zero", changed((_, launch) => (launch.grid = [0, 1, 1])), "grid|0"],
  ["grid-not-a-list", changed((_, launch) => (launch.grid = "1")), "grid"],
  ["grid-of-four", changed((_, launch) => (launch.grid = [1, 1, 1, 1])), "grid"],
  ["grid-past-limit", changed((_, launch) => (launch.grid = [1, 65536, 1])), "grid|65535|65536"],
  ["block-past-limit", changed((_, launch) => (launch.block = [1025, 1, 1])), "block|1024|1025|threads"],
  ["block-volume-past-limit", changed((_, launch) => (launch.block = [64, 32, 1])), "block|1024|2048|threads"],
  ["shared-past-limit", changed((_, launch) => (launch.sharedBytes = 1e9)), "shared"],
  ["shared-negative", changed((_, launch) => (launch.sharedBytes = -1)), "shared"],
  ["file-absent", x({ file: "nosuch.npy" }), "nosuch\\.npy"],
  ["npy-bad-magic", x({ file: "bad-magic.npy" }), "bad-magic\\.npy|npy|magic"],
  ["npy-header-past-end", x({ file: "header-past-end.npy" }), "header-past-end\\.npy|npy|header"],
  ["npy-of-objects", x({ file: "objects.npy" }), "objects\\.npy|npy|type|object"],
  ["npy-huge-shape", x({ file: "huge-shape.npy" }), "huge-shape\\.npy|npy|shape|large|size"],
  ["npy-short-of-data", x({ file: "short.npy" }), "short\\.npy|npy|bytes|end"],
];

const npy = (header, data = Buffer.alloc(0)) => {
  const text = Buffer.from(header.padEnd(117) + "\n", "latin1");
  return Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00", "latin1"),
    Buffer.from([text.length & 255, text.length >> 8]),
    text,
    data,
  ]);
};
/** Files the specifications above name. */
export const arrays = [
  ["bad-magic.npy", Buffer.from("\x93NUMBY\x01\x00\x10\x00{}              ", "latin1")],
  ["header-past-end.npy", Buffer.from("\x93NUMPY\x01\x00\xff\xff{'descr': '<f4', ", "latin1")],
  ["objects.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': (4,), }", Buffer.alloc(32))],
  [
    "huge-shape.npy",
    npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", Buffer.alloc(16)),
  ],
  ["short.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (64,), }", Buffer.alloc(16))],
];
/** [name, pieces, what must be said]: too large to commit */
export const largeLaunches = [
  [
    "deep",
    [
      ["[", 100000],
      ["]", 100000],
    ],
    "nest|deep|depth|object|array|JSON",
  ],
  ["deep-unclosed", [['{"a":', 100000]], "nest|deep|depth|JSON|end"],
];
