// The rows of arithmetic on the fast engine: one case in 500; `npm run test:all` runs all of them.

import { testOnFastEngine } from "./hold-values.js";

testOnFastEngine();
