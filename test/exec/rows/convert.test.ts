// Conversions: every case of every row, compared with C's arithmetic (hold-values.ts).

import { testValues } from "./hold-values.js";

testValues(["9.7.9.21", "9.7.9.22"]);
