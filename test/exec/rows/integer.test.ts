// Integers, extended precision, logic and shifts, prmt: every case of every row, compared with C's arithmetic
// (hold-values.ts).

import { testValues } from "./hold-values.js";

testValues(["9.7.1", "9.7.2", "9.7.8", "9.7.9.7"]);
