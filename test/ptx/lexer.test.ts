import test from "ava";
import { tokenize } from "../../lib/ptx/lexer.js";
import { nameText } from "../../lib/ptx/names.js";
import * as kind from "../../lib/ptx/token.js";

/** "kind:text" of each token. */
function lex(text: string): readonly string[] {
  const bytes = Buffer.from(text, "latin1");
  const { tokens } = tokenize(bytes);
  const kindNames = new Map(
    Object.entries(kind).filter(([, value]) => typeof value === "number") as [string, number][],
  );
  const nameOf = new Map([...kindNames].map(([name, value]) => [value, name]));
  return Array.from({ length: tokens.count }, (_, i) => {
    const spelling = bytes.toString("latin1", tokens.starts[i], tokens.ends[i]);
    return `${nameOf.get(tokens.kinds[i]!)}:${spelling}`;
  });
}

test("an opcode with its modifiers is one token; separated by blanks, each directive is its own", (t) => {
  t.deepEqual(lex("ld.global.L1::no_allocate.u32"), ["DOTTED:ld.global.L1::no_allocate.u32"]);
  t.deepEqual(lex("add .s32"), ["WORD:add", "DIRECTIVE:.s32"]);
  t.deepEqual(lex(".visible.global"), ["DIRECTIVE:.visible", "DIRECTIVE:.global"]);
  t.deepEqual(lex(".mbarrier::complete_tx::bytes"), ["DIRECTIVE:.mbarrier::complete_tx::bytes"]);
});

test("a name may begin with a character that cannot follow", (t) => {
  t.deepEqual(lex("%r1%r2"), ["WORD:%r1", "WORD:%r2"]);
  t.deepEqual(lex("$L$1 _a _ % 3%2"), ["WORD:$L$1", "WORD:_a", "SINK:_", "PERCENT:%", "INTEGER:3", "WORD:%2"]);
});

test("colons after a label are not those of a modifier", (t) => {
  t.deepEqual(lex("L::ret"), ["WORD:L", "COLON::", "COLON::", "WORD:ret"]);
  t.deepEqual(lex("a.b::"), ["DOTTED:a.b", "COLON::", "COLON::"]);
});

test("numbers end where ptxas ends them, and trailing characters make the whole malformed", (t) => {
  t.deepEqual(lex("0x1F 0X1fU 0b11 017 5U 0"), [
    "INTEGER:0x1F",
    "INTEGER:0X1fU",
    "INTEGER:0b11",
    "INTEGER:017",
    "INTEGER:5U",
    "INTEGER:0",
  ]);
  t.deepEqual(lex("1.5 5. .5 1e3 1E+3 .5e-3 09.5"), [
    "FLOAT:1.5",
    "FLOAT:5.",
    "FLOAT:.5",
    "FLOAT:1e3",
    "FLOAT:1E+3",
    "FLOAT:.5e-3",
    "FLOAT:09.5",
  ]);
  t.deepEqual(lex("0f3F800000 0D3FF0000000000000"), ["FLOAT32_BITS:0f3F800000", "FLOAT64_BITS:0D3FF0000000000000"]);
  for (const text of ["09", "0x", "0b2", "5abc", "5UL", "0f3F8", "0f3F8000001", "1e"]) {
    t.deepEqual(lex(text), [`BAD_NUMBER:${text}`]);
  }
  t.deepEqual(lex("0x1E+3"), ["INTEGER:0x1E", "PLUS:+", "INTEGER:3"]);
});

test("a modifier may begin with a digit, a number with a dot", (t) => {
  t.deepEqual(lex("tex.1d.v4"), ["DOTTED:tex.1d.v4"]);
  t.deepEqual(lex(".1d .4byte .5"), ["DIRECTIVE:.1d", "DIRECTIVE:.4byte", "FLOAT:.5"]);
});

test("comments and line markers leave no tokens", (t) => {
  t.deepEqual(lex("a/*/ * /**/b//c\nd"), ["WORD:a", "WORD:b", "WORD:d"]);
  t.deepEqual(lex('# 12 "a.cu" 3\n#1 "b"\r\na'), ["WORD:a"]);
  t.deepEqual(lex('#1 "b" a'), ["INVALID_BYTES:#", "INTEGER:1", 'STRING:"b"', "WORD:a"]);
});

test("a string has no escapes and may hold line ends", (t) => {
  t.deepEqual(lex('"a\\"b"\n'), ['STRING:"a\\"', "WORD:b", 'STRING:"']);
  t.deepEqual(lex('"a\nb"'), ['STRING:"a\nb"']);
});

test("operators of two characters are taken before those of one", (t) => {
  t.deepEqual(lex("<<=>>= &&& |||"), [
    "SHIFT_LEFT:<<",
    "EQUALS:=",
    "SHIFT_RIGHT:>>",
    "EQUALS:=",
    "AND_AND:&&",
    "AND:&",
    "OR_OR:||",
    "OR:|",
  ]);
});

test("each spelling has one id and one string, however many names there are", (t) => {
  const words = Array.from({ length: 5000 }, (_, i) => `name${i}`);
  const { tokens, names } = tokenize(Buffer.from([...words, ...words].join(" ")));
  t.is(names.count, 5000);
  for (let i = 0; i < 5000; i++) {
    t.is(tokens.names[i], tokens.names[i + 5000]);
    t.is(nameText(names, tokens.names[i]!), words[i]!);
  }
});

test("a byte order mark is named", (t) => {
  const { faults } = tokenize(Buffer.from("\ufeff.version 8.5"));
  t.regex(faults[0]!.message, /^PTX text is ASCII, but this is a UTF-8 byte order mark/);
});

test("bytes above ASCII and NUL are one fault, wherever they occur", (t) => {
  const { faults } = tokenize(Buffer.from("a // \xe9\xe9\n\0", "latin1"));
  t.deepEqual(
    faults.map(({ message }) => message),
    ["PTX text is ASCII, but this is 0xE9 0xE9, and 1 more such bytes follow"],
  );
});

test("an unclosed string or comment is a fault, and lexing continues after a string's line", (t) => {
  t.deepEqual(
    tokenize(Buffer.from('"a\nb /* c')).faults.map(({ message }) => message),
    ["this string is never closed", "this comment is never closed"],
  );
  t.deepEqual(lex('"a\nb'), ['STRING:"a', "WORD:b"]);
});
