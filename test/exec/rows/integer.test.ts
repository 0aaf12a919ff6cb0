// Integers, extended precision, logic and shifts, prmt: every case of every row gives what C's arithmetic gives (values.ts).

import { testValues } from "./values.js";

testValues(["9.7.1", "9.7.2", "9.7.8", "9.7.9.7"]);
