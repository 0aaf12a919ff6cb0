// Control flow, the stack, barriers, fences and miscellaneous instructions: a kernel for each row, run with every
// spelling that the row allows, which replaces `$` in the kernel's text, on two warps by default. PTX ISA 9.0 sections 9.7.12, 9.7.13.1 to
// 9.7.13.4, 9.7.17 and 9.7.19. ../control.test.ts tests divergence, deadlocks and faults.

import test from "ava";
import type { FaultKind } from "../../../lib/exec/state/result.js";
import { platformFor } from "../../oracle/isa/choices.js";
import { deviceOfModule } from "../kernel.js";
import { controlForms } from "./suites.js";
import { holdForms, opcodesOf } from "./support.js";

interface Kernel {
  /** Leaves each thread's result in %v; has %t and %w (scratch), predicates %p and %q, labels and 1024 bytes `sh`. */
  readonly body: string;
  readonly before?: string;
  readonly expected: (thread: number, spelling: string) => number;
  readonly threads?: number;
  readonly cluster?: number;
  readonly fault?: FaultKind;
}

/** A hint or an ordering: values are unchanged, and visible to others. */
const nothing = (text: string): Kernel => ({
  body: `shl.b32 %w, %t, 2; st.shared.u32 [sh+512], 7; mov.u32 %v, 9; ${text} ld.shared.u32 %w, [sh+512]; add.u32 %v, %v, %w;`,
  expected: () => 16,
});

/** Every thread stores a number; after the barrier all threads see all numbers. */
const behindBarrier = (
  text: string,
): string => `shl.b32 %w, %t, 2; add.u32 %w, %w, %base; st.shared.u32 [%w], %t; ${text}
  xor.b32 %w, %t, 63; shl.b32 %w, %w, 2; add.u32 %w, %w, %base; ld.shared.u32 %v, [%w];`;

/** The first warp arrives and continues; the second waits for the data. */
const producer = (
  arrive: string,
  sync: string,
): string => `setp.lt.u32 %p, %t, 32; mov.u32 %v, 1; shl.b32 %w, %t, 2; add.u32 %w, %w, %base;
  @!%p bra consume; add.u32 %v, %t, 100; st.shared.u32 [%w], %v; ${arrive} bra done;
  consume: ${sync} sub.u32 %w, %w, 128; ld.shared.u32 %v, [%w]; done:`;

const reductions = (name: string, extra: string): Readonly<Record<string, Kernel>> => ({
  [`${name}.sync`]: {
    body: behindBarrier(`$ 0;`),
    expected: (l) => l ^ 63,
  },
  [`${name}.arrive`]: { body: producer("$ 3, 64;", `${name}.sync${extra} 3, 64;`), expected: (l) => 100 + (l % 32) },
  [`${name}.red.popc`]: {
    body: "and.b32 %w, %t, 3; setp.eq.u32 %p, %w, 0; $ %v, 1, %p; $ %w, 2, 64, !%p; mad.lo.u32 %v, %v, 100, %w;",
    expected: () => 16 * 100 + 48,
  },
  [`${name}.red`]: {
    body: `setp.lt.u32 %p, %t, 40; $ %q, 0, %p; selp.u32 %v, 1, 0, %q; setp.lt.u32 %p, %t, 64; $ %q, 0, 64, !%p; selp.u32 %w, 2, 0, %q; add.u32 %v, %v, %w;
      setp.eq.u32 %p, %t, %t; $ %q, 0, %p; selp.u32 %w, 4, 0, %q; add.u32 %v, %v, %w;`,
    expected: (_, spelling) => (spelling.includes(".or") ? 1 + 4 : 4),
  },
});

const kernels: Readonly<Record<string, Kernel>> = {
  bra: {
    body: "mov.u32 %v, 1; setp.lt.u32 %p, %t, 32; @!%p $ over; mov.u32 %v, 2; over: add.u32 %v, %v, 10;",
    expected: (l) => (l < 32 ? 12 : 11),
  },
  "brx.idx": {
    body: `places: .branchtargets one, two, three; shr.u32 %w, %t, 5; add.u32 %w, %w, 1; mov.u32 %v, 0; $ %w, places;
      one: add.u32 %v, %v, 1; two: add.u32 %v, %v, 10; three: add.u32 %v, %v, 100;`,
    expected: (l) => (l < 32 ? 110 : 100),
  },
  call: {
    before: `.func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %a; ld.param.b32 %a, [a]; shl.b32 %a, %a, 1; st.param.b32 [r], %a; ret; }`,
    body: `.reg .b64 %f; shape: .callprototype (.param .b32 _) _ (.param .b32 _); mov.u64 %f, twice;
      { .param .b32 x, y; st.param.b32 [x], %t; $ (y), twice, (x); ld.param.b32 %v, [y]; }
      { .param .b32 x, y; st.param.b32 [x], %v; $ (y), %f, (x), shape; ld.param.b32 %v, [y]; }`,
    expected: (l) => 4 * l,
  },
  ret: {
    before: `.func (.param .b32 r) most(.param .b32 a) { .reg .b32 %a; .reg .pred %p; ld.param.b32 %a, [a]; st.param.b32 [r], %a;
      setp.gt.u32 %p, %a, 31; @!%p bra go; st.param.b32 [r], 31; $; go: ret; }`,
    body: "{ .param .b32 x, y; st.param.b32 [x], %t; call (y), most, (x); ld.param.b32 %v, [y]; }",
    expected: (l) => Math.min(l, 31),
  },
  exit: {
    body: "mov.u32 %v, 5; setp.lt.u32 %p, %t, 32; st.global.u32 [%out], %v; @%p $; mov.u32 %v, 6;",
    expected: (l) => (l < 32 ? 5 : 6),
  },
  ...Object.fromEntries(
    ["stacksave", "stackrestore", "alloca"].map((id): [string, Kernel] => [id, { body: "", expected: (l) => l }]),
  ),
  brkpt: { body: "setp.eq.u32 %p, %t, 40; mov.u32 %v, 1; @%p $;", expected: () => 0, fault: "trap" },
  nanosleep: nothing("$ 100; $ %t;"),
  pmevent: nothing("$ 3;"),
  "pmevent.mask": nothing("$ 9;"),
  trap: { body: "setp.eq.u32 %p, %t, 40; mov.u32 %v, 1; @%p $;", expected: () => 0, fault: "trap" },
  setmaxnreg: nothing("$ 64;"),
  griddepcontrol: nothing("$;"),
  ...reductions("bar", ""),
  ...reductions("barrier", ""),
  "bar.warp.sync": {
    body: `shl.b32 %w, %t, 2; add.u32 %w, %w, %base; and.b32 %v, %t, 1; setp.ne.u32 %p, %v, 0; @%p bra odd; st.shared.u32 [%w], %t; odd:
      @!%p bra even; st.shared.u32 [%w], %t; even: $ 0xffffffff; xor.b32 %w, %t, 1; shl.b32 %w, %w, 2; add.u32 %w, %w, %base; ld.shared.u32 %v, [%w];`,
    expected: (l) => l ^ 1,
  },
  "barrier.cluster.arrive": {
    body: `mov.u32 %v, %cluster_ctarank; st.shared.u32 [sh], %v; $; barrier.cluster.wait; xor.b32 %v, %v, 1;
      mapa.shared::cluster.u32 %w, %base, %v; ld.shared::cluster.u32 %v, [%w]; barrier.cluster.arrive; barrier.cluster.wait;`,
    expected: (l) => (l < 64 ? 1 : 0),
    cluster: 2,
  },
  "barrier.cluster.wait": {
    body: `mov.u32 %v, %cluster_ctarank; st.shared.u32 [sh], %v; barrier.cluster.arrive; $; xor.b32 %v, %v, 1;
      mapa.shared::cluster.u32 %w, %base, %v; ld.shared::cluster.u32 %v, [%w]; barrier.cluster.arrive; barrier.cluster.wait;`,
    expected: (l) => (l < 64 ? 1 : 0),
    cluster: 2,
  },
  membar: nothing("$;"),
  "membar.proxy": nothing("$;"),
  fence: nothing("$;"),
  "fence.restricted.acquire": nothing("$;"),
  "fence.restricted.release": nothing("$;"),
  "fence.mbarrier_init": nothing("$;"),
  "fence.proxy": nothing("$;"),
  "fence.proxy.alias": nothing("$;"),
  "fence.proxy.fabric": nothing("$;"),
  "fence.proxy.async.read": nothing("$;"),
  "fence.proxy.tensormap.release": nothing("$;"),
  "fence.proxy.tensormap.acquire": nothing("mov.u64 %a, map; $ [%a], 128;"),
  "fence.proxy.async.acquire": nothing("$;"),
  "fence.proxy.async.release": nothing("$;"),
};

/** The three stack instructions in one kernel, with the type's registers. */
const stack = (spelling: string): string => {
  const type = spelling.slice(-3);
  const bits = type.slice(1);
  return `.reg .b${bits} s<3>, n; mov.b${bits} n, 24; stacksave.${type} s0; alloca.${type} s1, n, 16; st.local.u32 [s1+20], %t; stackrestore.${type} s0;
    alloca.${type} s2, n, 16; setp.eq.u${bits} %p, s1, s2; ld.local.u32 %v, [s2+20]; @!%p mov.u32 %v, 77;`;
};

const tested = new Set<string>();

for (const id of controlForms)
  test(`${id} does what its row documents`, async (t) => {
    tested.add(id);
    const kernel = kernels[id]!;
    const { threads = 64, cluster = 1 } = kernel;
    for (const opcode of opcodesOf(id)) {
      const { version, target } = platformFor(opcode.needs)!;
      const isStack = /^(?:stack|alloca)/.test(id);
      const fill = (text: string): string => text.replaceAll("$", opcode.spelling);
      const body = isStack ? stack(opcode.spelling) : fill(kernel.body);
      const text = `.version ${version}\n.target ${target}\n.address_size 64
        .global .align 128 .b8 map[128]; ${fill(kernel.before ?? "")}
        .visible .entry k(.param .u64 out) {
          .reg .b64 %out, %a; .reg .b32 %t, %w, %v, %base, %n; .reg .pred %p, %q; .shared .align 16 .b8 sh[1024];
          ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %base, sh; mov.u32 %w, %ctaid.x; mov.u32 %n, %ntid.x;
          mad.lo.u32 %w, %w, %n, %t; mul.wide.u32 %a, %w, 4; add.u64 %out, %out, %a;
          ${body}
          st.global.u32 [%out], %v; ret;
        }`;
      for (const engine of ["reference", "fast"] as const) {
        const device = deviceOfModule(text, { hotAfter: 0 });
        const out = device.alloc(4 * threads * cluster);
        const { fault } = await device.launch("k", {
          grid: cluster,
          cluster,
          block: threads,
          args: [out],
          maxInstructions: 200_000,
          engine,
        });
        t.is(fault?.kind, kernel.fault, `${opcode.spelling}: ${fault?.message}`);
        if (kernel.fault !== undefined) continue;
        t.deepEqual(
          [...device.read(out, new Uint32Array(threads * cluster))],
          Array.from({ length: threads * cluster }, (_, l) => kernel.expected(l, opcode.spelling)),
          `${opcode.spelling}, ${engine}`,
        );
      }
    }
  });

holdForms(controlForms, tested);
