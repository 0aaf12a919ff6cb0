// The rows of arithmetic on the fast engine: a sample of the cases; `npm run oracle:rows` has all of them.

import { testOnFastEngine } from "./hold-values.js";

testOnFastEngine(7);
