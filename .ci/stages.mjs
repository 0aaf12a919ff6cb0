// The stages of lib in the order of the data flow (docs/design.md): a file may import only from its own stage and earlier ones.
// Read by the lint rules, which report in editors, and by test/architecture.test.ts.
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
