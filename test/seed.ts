// Loaded before each file of tests (package.json, "ava"): properties try the same values each time, so that whether the suite passes does
// not depend on the day. `npm run fuzz` is for finding what these values do not.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["PTXKIT_SEED"] ?? 20_251) });
