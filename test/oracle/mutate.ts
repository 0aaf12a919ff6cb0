// Small faults put into PTX text: one edit of a few tokens, such as a person or a broken tool might make. A seed makes the same
// edits everywhere. The text is cut into tokens here by one regular expression, on purpose not by the project's own lexer,
// whose view of the text is under test too.

import type { Random } from "./random.js";

/** Replaces text[start, end) by `text`. */
export interface Edit {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const applyEdit = (text: string, edit: Edit): string =>
  text.slice(0, edit.start) + edit.text + text.slice(edit.end);

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Comments are cut away; a number, a name with its dots, a directive, a string or one sign is a token. */
const tokenPattern =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"[^"\n]*"|0[fFdD][0-9a-fA-F]+|\d[\w.]*|[\w$%](?:[\w$%]|\.(?=\w)|::)*|\.\w+(?:::\w+)*|<<|>>|\S/g;

function tokenize(text: string): readonly Token[] {
  return [...text.matchAll(tokenPattern)]
    .filter(([token]) => !token.startsWith("//") && !token.startsWith("/*"))
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }));
}

const words = (list: string): readonly string[] => list.split(" ");
const types = words(
  "u8 u16 u32 u64 s8 s16 s32 s64 b8 b16 b32 b64 b128 f16 f16x2 f32 f64 pred bf16 bf16x2 tf32 texref e4m3x2 s16x2",
);
const modifiers = words(
  "v2 v4 v8 rn rz rm rp ftz sat wide lo hi approx full global shared local param const volatile relaxed acquire release gpu " +
    "cta sys cluster nc ca cg cs uni sync aligned to eq lt ltu xor and add exch cas x y idx up bfly noftz L2::128B unified",
);
const spaces = words(".global .const .shared .local .param .reg");
const linkages = words(".visible .extern .weak .common");
const integers = words("0 1 2 3 4 7 8 16 31 32 33 64 127 128 255 256 1024 65535 65536 -1 -128 0x7fffffff 0x80000000");
const literals = [
  ...integers,
  ...words("0xFFFFFFFF 0x1FFFFFFFF -2147483649 0xFFFFFFFFFFFFFFFF 18446744073709551616 1U 017 0b101 'a' 08"),
  ...words(
    "1.0 -1.5 1e10 0.1f 0f3F800000 0d3FF0000000000000 0f3F8 1. .5 WARP_SZ 1+2 (3) -(4) !0 ~1 1/0 7%4 2.0*3.0 1?2:3",
  ),
];
const specials = words(
  "%tid.x %tid %ctaid.y %laneid %clock64 %clock %globaltimer %lanemask_lt %nosuch %pm0 %envreg3 %clusterid.x %gridid",
);
const targets = words(
  "sm_30 sm_52 sm_60 sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_100a sm_103f sm_120 sm_121a sm_99 compute_80",
);
const versions = words("1.4 2.0 3.0 3.1 4.3 5.0 6.0 6.3 6.5 7.0 7.4 7.8 8.0 8.3 8.6 8.8 9.0 9.9 9");
const directives = [".maxntid 128", ".reqntid 32,1,1", ".minnctapersm 2", ".maxnreg 32", ".noreturn", ".maxntid 0", ".maxnreg 300",
  ".explicitcluster", ".reqnctapercluster 2", ".maxclusterrank 8", ".blocksareclusters", ".pragma \"nounroll\";", ".abi_preserve 4"]; // prettier-ignore

interface Site {
  readonly tokens: readonly Token[];
  readonly random: Random;
}

/** A mutation answers with nothing where the text has no place for it. */
type Mutation = (site: Site) => Omit<Edit, "kind"> | undefined;

const isOpcode = ({ text }: Token, i: number, tokens: readonly Token[]): boolean =>
  /^[a-z]/.test(text) &&
  (text.includes(".") || /^(bra|ret|exit|trap|call|brkpt)$/.test(text)) &&
  /^[;{}:\w%]/.test(tokens[i - 1]?.text ?? "");
const isNumber = ({ text }: Token): boolean => /^\d/.test(text);
const isOperand = ({ text }: Token): boolean => /^[%$\w]/.test(text) && !/^[a-z][\w]*\./.test(text);
const isType = ({ text }: Token): boolean => text.startsWith(".") && types.includes(text.slice(1));

function pickWhere(
  site: Site,
  suits: (token: Token, i: number, tokens: readonly Token[]) => boolean,
): number | undefined {
  const places = site.tokens.flatMap((token, i) => (suits(token, i, site.tokens) ? [i] : []));
  return places.length === 0 ? undefined : site.random.pick(places);
}

const replace = (token: Token, text: string): Omit<Edit, "kind"> => ({ start: token.start, end: token.end, text });
const insertBefore = (token: Token, text: string): Omit<Edit, "kind"> => ({
  start: token.start,
  end: token.start,
  text,
});

/** One token that suits is rewritten. */
function rewriting(
  suits: (token: Token, i: number, tokens: readonly Token[]) => boolean,
  rewrite: (token: Token, random: Random, tokens: readonly Token[], i: number) => string,
): Mutation {
  return (site) => {
    const i = pickWhere(site, suits);
    if (i === undefined) return undefined;
    const token = site.tokens[i]!;
    return replace(token, rewrite(token, site.random, site.tokens, i));
  };
}

/** One opcode with another list of modifiers. */
const opcode = (
  rewrite: (parts: readonly string[], random: Random, tokens: readonly Token[]) => readonly string[],
): Mutation => rewriting(isOpcode, ({ text }, random, tokens) => rewrite(text.split("."), random, tokens).join("."));

/** The tokens of the statement around token i: from behind the last `;`, `{`, `}` or `:` to its `;`. */
function statementAt(tokens: readonly Token[], i: number): readonly [number, number] {
  let [from, to] = [i, i];
  while (from > 0 && !/^[;{}:]$/.test(tokens[from - 1]!.text)) from--;
  while (to < tokens.length - 1 && tokens[to]!.text !== ";") to++;
  return [from, to];
}

const otherOperand = (tokens: readonly Token[], random: Random): string =>
  random.pick(tokens.filter(isOperand))?.text ?? "0";

const mutations: Readonly<Record<string, Mutation>> = {
  "type-suffix": opcode((parts, random) => {
    const at = parts.map((part, i) => (types.includes(part) ? i : -1)).filter((i) => i > 0);
    return at.length === 0 ? [...parts, random.pick(types)!] : parts.with(random.pick(at)!, random.pick(types)!);
  }),
  "modifier-dropped": opcode((parts, random) =>
    parts.length < 2 ? parts : parts.toSpliced(1 + random.below(parts.length - 1), 1),
  ),
  "modifier-added": opcode((parts, random) =>
    parts.toSpliced(1 + random.below(parts.length), 0, random.pick(modifiers)!),
  ),
  "modifier-replaced": opcode((parts, random) =>
    parts.length < 2 ? parts : parts.with(1 + random.below(parts.length - 1), random.pick(modifiers)!),
  ),
  "modifiers-swapped": opcode((parts, random) => {
    if (parts.length < 3) return parts;
    const i = 1 + random.below(parts.length - 2);
    return parts.toSpliced(i, 2, parts[i + 1]!, parts[i]!);
  }),
  "modifiers-borrowed": opcode((parts, random, tokens) => {
    const other = random.pick(tokens.filter(isOpcode))!.text.split(".");
    return [parts[0]!, ...other.slice(1)];
  }),
  "opcode-borrowed": opcode((parts, random, tokens) => [
    random.pick(tokens.filter(isOpcode))!.text.split(".")[0]!,
    ...parts.slice(1),
  ]),
  "operand-replaced": rewriting(isOperand, (_, random, tokens) => otherOperand(tokens, random)),
  "operand-literal": rewriting(isOperand, (_, random) => random.pick(literals)!),
  "operand-special": rewriting(isOperand, (_, random) => random.pick(specials)!),
  "operand-decorated": rewriting(isOperand, ({ text }, random, tokens) => {
    const other = otherOperand(tokens, random);
    return random.pick([`{${text}}`, `{${text}, ${other}}`, `[${text}]`, `${text}+4`, `!${text}`, `-${text}`, `${text}|${other}`,
      `${text}.x`, `(${text})`, "_", `${text}[1]`, `${text}, ${other}`])!; // prettier-ignore
  }),
  "address-offset": rewriting(
    ({ text }) => text === "]",
    (_, random) => `+${random.pick(literals)!}]`,
  ),
  "literal-replaced": rewriting(isNumber, (_, random) => random.pick(literals)!),
  "integer-replaced": rewriting(isNumber, (_, random) => random.pick(integers)!),
  "declared-type": rewriting(isType, (_, random) => `.${random.pick(types)!}`),
  "declared-vector": (site) => {
    const i = pickWhere(site, isType);
    return i === undefined
      ? undefined
      : insertBefore(site.tokens[i]!, `.${site.random.pick(["v2", "v4", "v8", "v3"])!} `);
  },
  "state-space": rewriting(
    ({ text }) => spaces.includes(text),
    (_, random) => random.pick(spaces)!,
  ),
  linkage: (site) => {
    const i = pickWhere(
      site,
      ({ text }, at, tokens) =>
        [...spaces, ...linkages, ".entry", ".func"].includes(text) && tokens[at - 1]?.text !== "(",
    );
    if (i === undefined) return undefined;
    const token = site.tokens[i]!;
    if (!linkages.includes(token.text)) return insertBefore(token, `${site.random.pick(linkages)!} `);
    return replace(token, site.random.pick(["", ...linkages])!);
  },
  alignment: (site) => {
    const align = `.align ${site.random.pick(integers)!}`;
    const i = pickWhere(site, ({ text }, at, tokens) => tokens[at - 1]?.text === ".align" && text !== "");
    if (i !== undefined && site.random.below(2) === 0) return replace(site.tokens[i]!, site.random.pick(integers)!);
    const t = pickWhere(site, isType);
    return t === undefined ? undefined : insertBefore(site.tokens[t]!, `${align} `);
  },
  bound: (site) => {
    const i = pickWhere(
      site,
      ({ text }, at, tokens) =>
        text === "[" && /^[\w]+$/.test(tokens[at - 1]?.text ?? "") && tokens[at - 2]?.text.startsWith(".") === true,
    );
    if (i === undefined) return undefined;
    return insertBefore(site.tokens[i]!, site.random.pick(["[]", "[0]", "[2]", "[3][2]", "[-1]", "[0x10]", "<3>"])!);
  },
  "statement-deleted": (site) => {
    const i = pickWhere(site, () => true)!;
    const [from, to] = statementAt(site.tokens, i);
    return { start: site.tokens[from]!.start, end: site.tokens[to]!.end, text: "" };
  },
  "statement-copied": (site) => {
    const i = pickWhere(site, () => true)!;
    const [from, to] = statementAt(site.tokens, i);
    const texts = site.tokens.slice(from, to + 1).map(({ text }) => text);
    const at =
      site.random.below(2) === 0 ? site.tokens[to]! : site.tokens[pickWhere(site, ({ text }) => text === ";") ?? to]!;
    return { start: at.end, end: at.end, text: ` ${texts.join(" ")}` };
  },
  "token-deleted": rewriting(
    () => true,
    () => "",
  ),
  "token-copied": rewriting(
    () => true,
    ({ text }) => `${text} ${text}`,
  ),
  "tokens-swapped": (site) => {
    if (site.tokens.length < 2) return undefined;
    const i = site.random.below(site.tokens.length - 1);
    const [a, b] = [site.tokens[i]!, site.tokens[i + 1]!];
    return { start: a.start, end: b.end, text: `${b.text} ${a.text}` };
  },
  "token-borrowed": rewriting(
    () => true,
    (_, random, tokens) => random.pick(tokens)!.text,
  ),
  guard: (site) => {
    const i = pickWhere(site, isOpcode);
    return i === undefined
      ? undefined
      : insertBefore(site.tokens[i]!, `@${site.random.pick(["", "!"])!}${otherOperand(site.tokens, site.random)} `);
  },
  directive: (site) => {
    const i = pickWhere(site, ({ text }, at, tokens) => text === "{" && tokens[at - 1]?.text === ")");
    return i === undefined ? undefined : insertBefore(site.tokens[i]!, `${site.random.pick(directives)!} `);
  },
  target: rewriting(
    ({ text }) => /^(sm|compute)_\d/.test(text),
    (_, random) => random.pick(targets)!,
  ),
  version: rewriting(
    (_, i, tokens) => tokens[i - 1]?.text === ".version",
    (_, random) => random.pick(versions)!,
  ),
};

export const mutationKinds: readonly string[] = Object.keys(mutations);

/** One edit that changes the text; undefined when chance found none. */
export function mutate(text: string, random: Random): Edit | undefined {
  const tokens = tokenize(text);
  if (tokens.length === 0) return undefined;
  for (let attempt = 0; attempt < 8; attempt++) {
    const kind = random.pick(mutationKinds)!;
    const edit = mutations[kind]!({ tokens, random });
    if (edit !== undefined && text.slice(edit.start, edit.end) !== edit.text) return { kind, ...edit };
  }
  return undefined;
}
