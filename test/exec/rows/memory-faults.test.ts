// Misaligned addresses, and addresses outside of memory, in every space: PTX ISA 9.0 section 6.4.1.1, and the faults of
// docs/execution.md. A sample has one opcode in 40 or 20 of each space.

import test from "ava";
import { approach, constants, list, policyOf, registerType, shapeOf, source, spaces } from "./memory.js";
import { isCurrent, opcodesOf, outputOf, turnsOf } from "./support.js";

for (const [id, every] of [
  ["ld", 40],
  ["st", 40],
  ["atom", 20],
] as const)
  test(`${id} with a misaligned address, or one outside of memory, is a fault`, async (t) => {
    const isStore = id !== "ld";
    const all = opcodesOf(id, id === "atom" ? ["type", "space"] : ["ss", "vec", "type"], 1).filter(isCurrent);
    for (const [turn, opcode] of turnsOf(all, every)) {
      if (opcode.chosen.some((text) => text?.startsWith("param") === true)) continue;
      if (shapeOf(opcode, turn, isStore).space === "param") continue;
      const isGeneric = !opcode.chosen.some((text) => text !== undefined && spaces.includes(text.split("::")[0]!));
      const namesRanks = opcode.chosen.includes("shared::cluster");
      const { space, ...shape } = shapeOf(opcode, turn, isStore);
      const own = { ...shape, space: id === "atom" && isGeneric ? "global" : space };
      const registers = `.reg .${registerType(own)} v<8>;`;
      for (const [offset, kind] of [
        [1, own.bytes === 1 ? undefined : "misaligned-address"],
        [own.bytes / 2, own.bytes === 1 ? undefined : "misaligned-address"],
        // On an H200 the constant bank reads as zero after its contents.
        [1 << 23, own.space === "const" && !isGeneric ? "none" : "illegal-address"],
        // A rank that does not exist in the launch, where addresses name ranks.
        [-(1 << 23), namesRanks ? "trap" : "illegal-address"],
      ] as const) {
        const at = `[%a+${offset}]`;
        const values = list(own.count);
        const operands = id === "ld" ? `${values}, ${at}` : id === "st" ? `${at}, ${values}` : `_, ${at}, ${values}`;
        const body = `${approach(own, isGeneric)} ${registers} ${opcode.spelling} ${operands}${policyOf(opcode)};`;
        const outcome = await outputOf({ before: constants, body }, source, 8).then(
          () => "none",
          (error: Error) => error.message.split(":")[0],
        );
        if (kind !== undefined) t.is(outcome, kind, `${opcode.spelling} ${offset} bytes beside, ${own.space}`);
      }
    }
  });
