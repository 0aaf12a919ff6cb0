// testdata/isa/probes.txt: statements written by hand, for what the sections of the manual say of each instruction, with the
// verdict of ptxas 13.0 on each. A section begins with "@ VERSION TARGET[, OPTIONS]"; "> ..." declares something in it,
// "( ... )" gives its kernel parameters. A statement's mark is + (accepted), - (refused) or ~ (accepted by ptxas and refused
// by us: docs/differences.md has the reason); ? is one that ptxas has not been asked about.

export type Mark = "+" | "-" | "~" | "?";

export interface Probe {
  readonly mark: Mark;
  readonly target: string;
  readonly statement: string;
  /** The whole module. */
  readonly text: string;
  /** Index of its line in the file. */
  readonly line: number;
}

const registers = (version: number): string =>
  "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64 pred"
    .split(" ")
    .concat(version >= 4.3 ? ["f16", "f16x2"] : [])
    .map((type) => `.reg .${type} %${type}_<140>;`)
    .concat(version >= 8.3 ? [".reg .b128 %b128_<8>;"] : [])
    .join(" ");

/** The probes of the file. */
export function readProbes(file: string): readonly Probe[] {
  let header = "";
  let target = "";
  let version = 0;
  let declarations: string[] = [];
  let parameters = "";
  const probes: Probe[] = [];
  for (const [line, written] of file.split("\n").entries()) {
    const [kind, rest] = [written[0], written.slice(2)];
    if (kind === "@") {
      const [number, ...targets] = rest.split(" ");
      version = Number(number);
      target = targets[0]!.replace(",", "");
      header = `.version ${number!}\n.target ${targets.join(" ")}\n${version >= 2.3 ? ".address_size 64\n" : ""}`;
      declarations = [];
      parameters = "";
    } else if (kind === ">") declarations.push(rest);
    else if (kind === "(") parameters = written;
    else if (kind === "+" || kind === "-" || kind === "~" || kind === "?") {
      const body = `${registers(version)} .local .align 16 .b8 frame[64];\n${rest}\nret;`;
      const text = `${header}${declarations.join("\n")}\n.entry probe ${parameters}\n{\n${body}\n}\n`;
      probes.push({ mark: kind, target, statement: rest, text, line });
    }
  }
  return probes;
}
