// mbarrier: counts, phases, visibility after a wait, faults, and waits that never end.

import test, { type ExecutionContext } from "ava";
import { runBody, wordsOf } from "../kernel.js";

const before = ".shared .align 8 .b64 bar; .shared .align 8 .b64 other;";
const registers = ".reg .b64 %s; .reg .b32 %a, %b; .reg .pred %p, %q; setp.eq.u32 %q, %t, 0;";
const engines = ["reference", "fast"] as const;

async function leaves(t: ExecutionContext, body: string, expected: readonly number[], block = 1): Promise<void> {
  for (const engine of engines)
    t.deepEqual(await wordsOf(`${registers} ${body}`, expected.length, { before, block, engine }), expected, engine);
}

/** Stores whether the phase of that parity has completed. */
const look = (parity: number, word: number): string =>
  `mbarrier.test_wait.parity.shared.b64 %p, [bar], ${parity}; selp.b32 %a, 1, 0, %p; st.global.b32 [%out+${4 * word}], %a;`;

test("a fresh barrier is in phase 0, after which its first phase ends", async (t) => {
  await leaves(
    t,
    `mbarrier.init.shared.b64 [bar], 2; ${look(1, 0)} ${look(0, 1)}
     mbarrier.arrive.shared.b64 _, [bar]; ${look(0, 2)}
     mbarrier.arrive.shared.b64 _, [bar]; ${look(0, 3)} ${look(1, 4)}`,
    [1, 0, 0, 1, 0],
  );
});

test("an arrive returns the state before it", async (t) => {
  await leaves(
    t,
    `mbarrier.init.shared.b64 [bar], 5; mbarrier.arrive.shared.b64 %s, [bar], 2;
     mbarrier.pending_count.b64 %a, %s; st.global.b32 [%out], %a;
     mbarrier.test_wait.shared.b64 %p, [bar], %s; selp.b32 %a, 1, 0, %p; st.global.b32 [%out+4], %a;
     mbarrier.arrive.shared.b64 _, [bar], 3;
     mbarrier.test_wait.shared.b64 %p, [bar], %s; selp.b32 %a, 1, 0, %p; st.global.b32 [%out+8], %a;`,
    [5, 0, 1],
  );
});

test("a phase ends when arrivals and bytes are complete, in either order; a drop counts for later phases too", async (t) => {
  await leaves(
    t,
    `mbarrier.init.shared.b64 [bar], 2;
     mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 64;
     mbarrier.arrive_drop.shared.b64 _, [bar]; mbarrier.arrive.shared.b64 _, [bar]; ${look(0, 0)}
     mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 64; ${look(0, 1)}
     mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 32; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32; ${look(1, 2)}`,
    [0, 1, 1],
  );
});

test("warps wait for each other", async (t) => {
  await leaves(
    t,
    `@%q mbarrier.init.shared.b64 [bar], 64; bar.sync 0;
     mbarrier.arrive.shared.b64 %s, [bar];
W:   mbarrier.try_wait.shared.b64 %p, [bar], %s;
     @!%p bra W;
     mbarrier.arrive.shared.b64 _, [bar];
V:   mbarrier.test_wait.parity.shared.b64 %p, [bar], 1;
     @!%p bra V;
     @%q st.global.b32 [%out], 7;`,
    [7],
    64,
  );
});

test("a lane that waits lets the others of its warp arrive", async (t) => {
  await leaves(
    t,
    `@%q mbarrier.init.shared.b64 [bar], 31; bar.sync 0;
     @!%q bra LATER;
W:   mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;
     @!%p bra W;
     st.global.b32 [%out], 9;
     bra END;
LATER: mbarrier.arrive.shared.b64 _, [bar];
END:`,
    [9],
    32,
  );
});

const traps: readonly (readonly [what: string, text: string])[] = [
  ["init with 0 arrivals", "mbarrier.init.shared.b64 [bar], %a;"],
  ["more arrivals than are pending", "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 _, [bar], 2;"],
  ["2^20 bytes", "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1048576;"],
];

for (const [what, text] of traps)
  test(`${what} is a trap`, async (t) => {
    for (const engine of engines)
      t.is((await runBody(`${registers} mov.b32 %a, 0; ${text}`, { before, engine })).result.fault?.kind, "trap");
  });

test("a misaligned barrier is a fault, and 2^20 - 1 bytes are none", async (t) => {
  const crooked = await runBody(`${registers} mbarrier.init.shared.b64 [bar+4], 1;`, { before });
  t.is(crooked.result.fault?.kind, "misaligned-address");
  const most = "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1048575;";
  t.is((await runBody(`${registers} ${most}`, { before, block: 1 })).result.fault, undefined);
});

test("a phase that no thread can complete is a deadlock, and the message lists what is pending", async (t) => {
  for (const engine of engines)
    for (const wait of ["try_wait", "test_wait"]) {
      const { result } = await runBody(
        `${registers}
         @%q mbarrier.init.shared.b64 [bar], 33; bar.sync 0;
         @%q mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 48;
         mbarrier.arrive.shared.b64 _, [bar];
W:       mbarrier.${wait}.parity.shared.b64 %p, [bar], 0;
         @!%p bra W;`,
        { before, engine },
      );
      t.is(result.fault?.kind, "deadlock", wait);
      t.regex(result.fault?.message ?? "", /phase 0 of the mbarrier at .*1 of 33 arrivals and 48 bytes pending/);
    }
});

test("a wait loop whose only progress is a register that nothing reads is a deadlock", async (t) => {
  const loop = (counting: string): string => `${registers}
    mov.b32 %a, 0; mov.b32 %c, 3;
    @%q mbarrier.init.shared.b64 [bar], 33; bar.sync 0;
    mbarrier.arrive.shared.b64 _, [bar];
W:  mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;
    ${counting}
    @!%p bra W;`;
  const deadlocks = [
    "add.u32 %a, %a, 1;",
    "add.u32 %a, %a, 1; setp.lt.u32 %u, %a, 100;",
    "add.u32 %a, %a, %c; mov.b32 %c, %a;",
  ];
  for (const counting of deadlocks)
    for (const engine of engines) {
      const { result } = await runBody(`.reg .b32 %c; .reg .pred %u; ${loop(counting)}`, {
        before,
        engine,
        maxInstructions: 200_000,
      });
      t.is(result.fault?.kind, "deadlock", `${engine}: ${counting}`);
    }
  // The register is read after the loop.
  const behind = `.reg .b32 %c; ${loop("add.u32 %a, %a, 1;")} st.global.b32 [%out], %a;`;
  const { result } = await runBody(behind, { before, maxInstructions: 200_000 });
  t.is(result.fault?.kind, "deadlock");
  // The register decides when the loop ends.
  const decides = `.reg .b32 %c; ${loop("add.u32 %a, %a, 1; setp.gt.u32 %p, %a, 900; @%p bra END;")} END:`;
  t.is((await runBody(decides, { before, maxInstructions: 2_000_000 })).result.fault, undefined);
});

test("a wait that counts its attempts, or reads a flag of another block, is not a deadlock", async (t) => {
  const counts = `mbarrier.init.shared.b64 [bar], 1; mov.b32 %a, 0;
W: mbarrier.try_wait.parity.shared.b64 %p, [bar], 0; @%p bra END;
   add.u32 %a, %a, 1; setp.lt.u32 %q, %a, 100; @%q bra W;
END: st.global.b32 [%out], %a;`;
  await leaves(t, counts, [100]);
  const flag = `.reg .b32 %n; mov.u32 %n, %ctaid.x; setp.eq.u32 %q, %n, 0; @!%q bra SET;
   mbarrier.init.shared.b64 [bar], 1;
W: mbarrier.try_wait.parity.shared.b64 %p, [bar], 0; ld.volatile.global.u32 %a, [%out+4];
   setp.eq.u32 %p, %a, 0; @%p bra W;
   st.global.b32 [%out], 3; bra END;
SET: st.volatile.global.b32 [%out+4], 1;
END:`;
  for (const engine of engines)
    t.deepEqual(await wordsOf(`${registers} ${flag}`, 2, { before, block: 1, grid: 2, engine }), [3, 1], engine);
});
