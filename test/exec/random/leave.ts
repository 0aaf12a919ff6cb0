// Threads that exit before the kernel's end: alone, anywhere (with a guard, in a loop, in a function), or together with
// others of a mask after an exchange. The first lane of each warp stays. An exiting thread removes itself from its
// warp's word in `alive`, which the others read where the whole block is together, and clears what it left for others,
// because C does so.

import { type Builder, chance, newLabel, newRegister, pick, register, type Scope } from "./builder.js";
import { compound, label, line, type Body, type Line, type Node } from "./tree.js";

const farewell = (guard: string): string =>
  `${guard}mov.u32 %x, %lanemask_eq; ${guard}not.b32 %x, %x; ${guard}red.shared.and.b32 [%alive], %x; ` +
  `${guard}st.shared.b64 [%swap], 0;`;

/** Sets %q in the threads that exit: those for which `p` holds, except the first lane of each warp. */
const goes = (p: string): string => `and.b32 %x, %self, 31; setp.ne.and.u32 %q, %x, 0, %${p};`;

/** In the kernel itself, `ret` does the same. */
const exitIn = (builder: Builder, { callable }: Pick<Scope, "callable">): string =>
  callable === Infinity ? pick(builder.random, ["exit", "exit", "ret"]) : "exit";

/** Some threads exit here. */
export function leave(builder: Builder, scope: Scope): Node {
  builder.counters.exits++;
  const p = register(builder, "p");
  const exit = exitIn(builder, scope);
  if (chance(builder.random, 60))
    return line(
      `{ .reg .pred %q; .reg .b32 %x; ${goes(p)} ${farewell("@%q ")} @%q ${exit}; }`,
      `if (${p} && (me->tid & 31)) leave();`,
    );
  const end = newLabel(builder);
  return compound(
    line(`{ .reg .pred %q; .reg .b32 %x; ${goes(p)} @!%q bra ${end};`, `if (!(${p} && (me->tid & 31))) goto ${end};`),
    line(`${farewell("")} ${exit}; }`, "leave();"),
    label(end),
  );
}

/** Where the whole block is together, some lanes of each warp do something together and exit. */
export function departure(builder: Builder, inside: (mask: string) => Body): Node {
  const p = register(builder, "p");
  const [mask, k, end] = [newRegister(builder, "m"), newRegister(builder, "k"), newLabel(builder)];
  return compound(
    line(
      `{ .reg .pred %q; .reg .b32 %x; ${goes(p)} vote.sync.ballot.b32 %${mask}, %q, %full; selp.b32 %${k}, 1, 0, %q; ` +
        `not.b32 %x, %${mask}; and.b32 %full, %full, %x; @!%q bra ${end}; }`,
      `${k} = ${p} && (me->tid & 31); ${mask} = ballot(${k}, full); full &= ~${mask}; if (!${k}) goto ${end};`,
    ),
    inside(mask),
    line(`{ .reg .b32 %x; ${farewell("")} ${exitIn(builder, { callable: Infinity })}; }`, "leave();"),
    label(end),
  );
}

/** Where the whole block is together: updates the mask of the remaining lanes. */
export const regroup: Line = line(
  "bar.sync 0; ld.shared.b32 %full, [%alive]; bar.sync 0;",
  "barrier(0, 0, 0); full = alive(); barrier(0, 0, 0);",
);
