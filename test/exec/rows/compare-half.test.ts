// Comparison of halves: every case of every row gives what C's arithmetic gives (values.ts).

import { testValues } from "./values.js";

testValues(["9.7.7"]);
