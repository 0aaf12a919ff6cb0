// What of definitions that lost takes shared memory, on which the linker is compared with nvlink (docs/linking.md, "Shared
// memory"): calls and bytes of what a later module replaced do, those of what lost to an earlier one do not, but for the
// bodies of kernels. Whatever a case is about is in blocks of their own, beside what shows how it is placed.

import type { LinkCase } from "./link-cases.js";

const store = (names: readonly string[]): string =>
  names.map((name) => `st.volatile.shared.u8 [${name}], %h;`).join(" ");

const bytes = (linkage: string, name: string, size: number, align = 4): string =>
  `${linkage} .shared .align ${align} .b8 ${name}[${size}];\n`;

interface Body {
  readonly uses?: readonly string[];
  readonly code?: string;
  readonly own?: readonly string[];
}

const body = ({ uses = [], code = "", own = [] }: Body): string => {
  const declared = own.map((text) => `.shared .align 1 .b8 ${text};`).join(" ");
  return `{ .reg .b16 %h; .reg .b64 %a; ${declared} mov.u16 %h, 1; ${store(uses)} ${code} ret; }\n`;
};

const func = (linkage: string, name: string, of: Body = {}): string => `${linkage} .func ${name}() ${body(of)}`;
const kernel = (name: string, of: Body = {}, linkage = ".visible"): string => `${linkage} .entry ${name}() ${body(of)}`;

const throughRegister = (name: string): string =>
  `ld.global.u64 %a, [${name}]; P0: .callprototype _ (); call %a, (), P0;`;

/** A static function that reaches 8 bytes, and what calls it. */
const reaching = `${bytes("", "z", 8)}${func("", "g", { uses: ["z"] })}`;
const weakCalling = func(".weak", "f", { code: "call g;" });
const callsF = kernel("k", { code: "call f;" });
const strong = func(".visible", "f");

const weak = bytes(".weak", "w", 8);
const strongVariable = bytes(".visible", "w", 8);
const usesW = kernel("k", { uses: ["w"] });

const named = (name: string, ...bodies: readonly string[]): LinkCase => ({ name, bodies });

export const sharedCases: readonly LinkCase[] = [
  named("a replaced function's calls", reaching + weakCalling + callsF, strong),
  named(
    "a replaced function's calls, of a later module",
    `.extern .func g();\n${weakCalling}${callsF}`,
    strong,
    bytes("", "z", 8) + func(".visible", "g", { uses: ["z"] }),
  ),
  named("a replaced function's own uses", bytes("", "z", 8) + func(".weak", "f", { uses: ["z"] }) + callsF, strong),
  named("a replaced function's own variable", func(".weak", "f", { uses: ["in"], own: ["in[12]"] }) + callsF, strong),
  named("calls of a function that lost to a strong one", strong, reaching + weakCalling + callsF),
  named("calls of a function that lost to a weak one", func(".weak", "f"), reaching + weakCalling + callsF, strong),
  named("calls of the first of two weak ones", reaching + weakCalling + callsF, func(".weak", "f"), strong),
  named(
    "a replaced function's calls through a register",
    `.visible .global .u64 q;\n${func(".weak", "f", { code: throughRegister("q") })}${callsF}`,
    strong,
    `${bytes("", "z", 8)}${func(".visible", "g", { uses: ["z"] })}.visible .global .u64 p = g;\n`,
  ),
  named(
    "a replaced function's call of something with dynamic memory",
    `.extern .shared .align 16 .b8 d[];\n${bytes("", "z", 8)}${func("", "g", { uses: ["d"] })}${weakCalling}` +
      kernel("k", { uses: ["z"], code: "call f;" }),
    strong,
  ),
  named(
    "a second name that replaces a function",
    `${reaching}${func(".weak", "f", { code: "call g;" })}${callsF}`,
    `${func(".visible", "other")}.visible .func f();\n.alias f, other;\n`,
  ),
  named("a replaced kernel's calls", reaching + kernel("k", { code: "call g;" }, ".weak"), kernel("k")),
  named("a replaced variable, used in its module", weak + usesW, strongVariable),
  named("a replaced variable, used in the other module", weak, strongVariable + usesW),
  named(
    "a replaced variable beside a large one",
    weak + bytes(".visible", "z", 100) + kernel("k", { uses: ["w", "z"] }),
    strongVariable,
  ),
  named(
    "a replaced variable beside a small one",
    weak + bytes(".visible", "z", 4) + kernel("k", { uses: ["w", "z"] }),
    strongVariable,
  ),
  named(
    "a replaced variable that several kernels reach",
    weak + bytes(".visible", "z", 4) + kernel("k", { uses: ["w", "z"] }) + kernel("l", { uses: ["w"] }),
    strongVariable + kernel("m", { uses: ["w"] }) + kernel("n"),
  ),
  named(
    "a replaced variable that nothing uses",
    weak + bytes(".visible", "z", 4) + kernel("k", { uses: ["z"] }),
    strongVariable,
  ),
  named("a variable that lost", strongVariable + usesW, weak + kernel("l", { uses: ["w"] })),
  named(
    "a replaced variable, more aligned",
    bytes(".weak", "w", 8, 32) + bytes(".visible", "z", 4) + kernel("k", { uses: ["w", "z"] }),
    strongVariable,
  ),
  named(
    "a replaced variable, less aligned",
    weak + bytes(".visible", "z", 4) + kernel("k", { uses: ["w", "z"] }),
    bytes(".visible", "w", 8, 32),
  ),
  named("the body of a replaced kernel", kernel("k", { uses: ["z"], own: ["z[12]"] }, ".weak"), kernel("k")),
  named(
    "the bodies of three kernels",
    kernel("k", { uses: ["z", "u"], own: ["z[12]", "u[12]", "v[12]"] }, ".weak"),
    kernel("k", { uses: ["y", "x"], own: ["y[12]", "x[12]", "w[12]"] }),
    kernel("k", { uses: ["t", "s"], own: ["t[12]", "s[12]", "r[12]"] }, ".weak"),
  ),
  named(
    "a lost function's address, taken in code that lost",
    func(".visible", "h"),
    `.extern .func f();\n.visible .global .u64 q;\n${kernel("k", { code: throughRegister("q") })}`,
    bytes("", "z", 8) + func(".visible", "f", { uses: ["z"] }),
    func(".weak", "f") + func(".weak", "h", { code: "mov.u64 %a, f;" }),
  ),
];
