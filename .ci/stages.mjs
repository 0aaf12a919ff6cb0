// The stages of lib in the order in which data flows (docs/design.md): a file imports from its own stage and earlier ones only. Read by the
// lint rules, which report in editors, and by test/architecture.test.ts.
export const stages = [
  "base",
  "diag",
  "isa",
  "ptx",
  "nvvm",
  "check",
  "object",
  "link",
  "load",
  "exec",
  "timing",
  "inspect",
  "debug",
  "report",
  "language",
];
