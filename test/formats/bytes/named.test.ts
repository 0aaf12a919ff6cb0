import test from "ava";
import { bitNames, constantsOf, nameOrNumber, namesOf } from "../../../formats/bytes/named.js";

const FLAGS = [
  { value: 1, name: "F_ONE", doc: "" },
  { value: 0x40, name: "F_SIXTY_FOUR", doc: "" },
  { value: 2 ** 40, name: "F_HIGH", doc: "" },
] as const;

test("constants lose the prefix, names keep it", (t) => {
  t.deepEqual(constantsOf(FLAGS, "F_"), { ONE: 1, SIXTY_FOUR: 0x40, HIGH: 2 ** 40 });
  t.is(namesOf(FLAGS)(0x40), "F_SIXTY_FOUR");
});

test("unknown values and bits stay numbers", (t) => {
  t.is(nameOrNumber(namesOf(FLAGS)(7), 7), "0x7");
  t.deepEqual(bitNames(FLAGS, 2 ** 40 + 0x42 + 0x8000_0000), ["F_SIXTY_FOUR", "F_HIGH", "0x80000002"]);
  t.deepEqual(bitNames(FLAGS, 0), []);
});
