// Comparison of halves: every case of every row gives what C's arithmetic gives (hold-values.ts).

import { testValues } from "./hold-values.js";

testValues(["9.7.7"]);
