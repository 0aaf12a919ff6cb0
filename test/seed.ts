// Loaded before each file of tests (package.json, "ava"): property tests use the same values on every run, so that the
// result does not depend on the day. `npm run fuzz` tries others.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["PTXKIT_SEED"] ?? 20_251) });
