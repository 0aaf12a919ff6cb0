// Messages of syntax errors: what was expected, after what, and how to write the construct.

import test from "ava";
import { createSink } from "../../../lib/diag/sink.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";

/** The first fault: `MESSAGE; REMEDY`. */
function faultOf(text: string): string {
  const sink = createSink();
  const module = parseModule({ name: "a.ll", bytes: Buffer.from(text) }, sink);
  for (const { body } of module?.functions ?? []) body?.read(sink);
  const [first] = sink.all;
  return `${first?.message}; ${first?.remedy}`;
}

const inBody: readonly (readonly [line: string, said: string])[] = [
  ["%x = load %p", "expected ',' and a pointer operand after '%p' but found 'ret'; write %X = load [volatile] TYPE"],
  ["%x = load , ptr %p", "expected a type after 'load' but found ','; write %X = load [volatile] TYPE, ptr ADDRESS"],
  ["%x = load i32 %p", "expected ',' and a pointer operand after 'i32' but found '%p'; write %X = load"],
  [
    "%x = load atomic i32, ptr %p 4",
    "expected a memory ordering after '%p' but found '4'; write %X = load atomic TYPE",
  ],
  ["store i32 1 ptr %p", "expected ',' and a pointer operand after '1' but found 'ptr'; write store [volatile] TYPE A"],
  [
    "%x = add i32 1 2",
    "expected ',' and the second operand after '1' but found '2'; write %X = add [nuw] [nsw] TYPE A",
  ],
  ["%x = add exact i32 1, 2", "'add' does not take 'exact'; remove the word"],
  ["%x = fadd float 1.0,", "expected a value of type float after ',' but found 'ret'; write %X = fadd TYPE A, B"],
  ["%x = icmp i32 1, 2", "expected a predicate of icmp after 'icmp' but found 'i32'; write %X = icmp PREDICATE"],
  ["%x = zext i32 1 i64", "expected 'to' and a type after '1' but found 'i64'; write %X = zext TYPE A to TYPE"],
  ["%x = select i1 true i32 1, i32 2", "expected ',' and the value where the condition is true after 'true'"],
  ["%x = phi i32 1, %b", "expected '[' and a value with the block that it comes from after 'i32' but found '1'"],
  ["%x = phi i32 [ 1 %b ]", "expected ',' and the block that the value comes from after '1' but found '%b'"],
  ["%x = getelementptr i32 ptr %p", "expected ',' and a pointer operand after 'i32' but found 'ptr'"],
  ["%x = cmpxchg ptr %p, i32 1 i32 2 acquire acquire", "expected ',' and the new value after '1' but found 'i32'"],
  [
    "%x = atomicrmw adds ptr %p, i32 1 acquire",
    "expected an operation of atomicrmw after 'atomicrmw' but found 'adds'",
  ],
  ["%x = extractvalue { i32 } zeroinitializer", "expected ',' and an index after 'zeroinitializer' but found 'ret'"],
  ["%x = insertvalue { i32 } undef i32 1, 0", "expected ',' and the value after 'undef' but found 'i32'"],
  ["%x = alloca i32, alig 4", "expected a type after ',' but found 'alig'; write %X = alloca TYPE [, i32 COUNT]"],
  ["%x = call @g()", "expected a type after 'call' but found '@g'; write %X = call TYPE @FUNCTION(TYPE A, TYPE B)"],
  ["%x = call i32 @f ptr %p)", "expected '(' and the arguments after '@f' but found 'ptr'; write %X = call TYPE"],
  ["%x = tail cal i32 @f()", "expected 'call' after 'tail' but found 'cal'; write %X = call TYPE"],
  ["br %p", "expected a value of type %p after '%p' but found 'ret'; write br label %BLOCK"],
  ["br i1 true label %b", "expected ',' and the block where the condition is true after 'true' but found 'label'"],
  ["switch i32 1 [ ]", "expected ',' and the block of all other values after '1' but found '['; write switch TYPE A"],
  ["%x = ad i32 1, 2", "expected an instruction after '=' but found 'ad'; write %X = add [nuw] [nsw] TYPE A, B"],
  ["%x add i32 1, 2", "expected '=' and an instruction after '%x' but found 'add'; write an instruction, as"],
  ["%x = store i32 1, ptr %p", "%x names the result of 'store', which has none; write it without %x ="],
  ["= add i32 1, 2", "expected an instruction or '}' but found '='; write an instruction, as %SUM = add i32 %A, %B"],
  ["%x = add <0 x i32> undef, undef", "a vector has at least one element; write <1 x TYPE>, or [0 x TYPE]"],
  ["store i32 1, ptr %p, align 3", "alignment 3 is not a power of two; write align 1, 2, 4, ..."],
  ["store i32 1, ptr %p, align 0", "alignment 0 is not a power of two; write align 1, 2, 4, ..."],
];

for (const [line, said] of inBody) {
  test(`in a body: ${line}`, (t) => {
    const found = faultOf(`define void @f(ptr %p) {\n  ${line}\n  ret void\nb:\n  ret void\n}\n`);
    t.true(found.includes(said), found);
  });
}

test("the remedy uses the module's spelling of pointers", (t) => {
  const found = faultOf("define void @f(i32* %p) {\n  %x = load i32\n  ret void\n}\n");
  t.is(
    found,
    "expected ',' and a pointer operand after 'i32' but found 'ret'; write %X = load [volatile] TYPE, TYPE* ADDRESS [, align N]",
  );
});

const statements: readonly (readonly [text: string, said: string])[] = [
  ["@g = 3", "expected 'global', 'constant' or 'alias' after '=' but found '3'; write @NAME = [LINKAGE]"],
  ["@g global i32 1", "expected '=' and 'global', 'constant' or 'alias' after '@g' but found 'global'; write @NAME ="],
  [
    "@g = private global i32",
    "expected the initial value of @g after 'i32' but found the end of the file; write @NAME",
  ],
  [
    "@g = alias i32",
    "expected ',' and a pointer operand after 'i32' but found the end of the file; write @NAME = alias",
  ],
  ["%t = { i32 }", "expected 'type' after '=' but found '{'; write %NAME = type { TYPE, TYPE }"],
  ["declare i33x @x()", "expected the function's result type after 'declare' but found 'i33x'; write declare TYPE"],
  ["define void @f(", "expected a type after '(' but found the end of the file; write define [LINKAGE] TYPE @NAME"],
  ["define void @f() nonwind {\n}", "expected an attribute or '{' and the body after ')' but found 'nonwind'"],
  ["target tripple = 1", "expected 'triple' or 'datalayout' after 'target' but found 'tripple'; write target triple"],
  ["!a = {!0}", "expected '!' and a list of nodes after '=' but found '{'; write !NAME = !{!0, !1}"],
  ["!0 = 7", "expected metadata after '=' but found '7'; write !N = !{OPERAND, OPERAND}"],
  ["attributes 0 = {}", "expected an attribute group's number after 'attributes' but found '0'; write attributes #N"],
  ["$c = any", "expected 'comdat' after '=' but found 'any'; write $NAME = comdat any"],
  ["hello", "expected a definition or declaration but found 'hello'; write define, declare, @NAME = global"],
  ['@g = constant [1 x i8] c"a', "a string has no end; close it with '\"'"],
];

for (const [text, said] of statements) {
  test(`in a module: ${text.split("\n")[0]}`, (t) => {
    const found = faultOf(text);
    t.true(found.includes(said), found);
  });
}
