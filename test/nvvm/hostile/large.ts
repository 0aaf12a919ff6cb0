// Files of IR text that are slow to read, each large in one way; prints CPU seconds and memory for reading and
// verifying them.
//
// node dist/test/nvvm/hostile/large.js [MEGABYTES] [NAME...]

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createSink } from "../../../lib/diag/sink.js";
import { readModule } from "../../../lib/nvvm/compile-source.js";
import { verifyBody, verifyModule } from "../../../lib/nvvm/verify/verify.js";

/** Lines up to that number of bytes. */
function lines(bytes: number, line: (i: number) => string): string {
  const all: string[] = [];
  let length = 0;
  for (let i = 0; length < bytes; i++) {
    all.push(line(i));
    length += all[i]!.length + 1;
  }
  return all.join("\n");
}

const body = (parameters: string, text: string): string => `define void @f(${parameters}) {\n${text}\nret void\n}\n`;

/** The approximate number of such lines in `bytes`. */
const countFor = (bytes: number, line: (i: number) => string): number =>
  Math.ceil(bytes / (line(1_000_000).length + 1));

export const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  "one function of additions": (bytes) =>
    body(
      "i32 %x",
      lines(bytes, (i) => `%a${i} = add i32 ${i === 0 ? "%x" : `%a${i - 1}`}, ${i}`),
    ),
  "one function of numbered additions": (bytes) =>
    body(
      "i32 %x",
      lines(bytes, (i) => `%${i + 1} = add i32 %x, ${i}`),
    ),
  "one function of blocks": (bytes) => {
    const line = (i: number): string => `b${i}:\n br i1 %c, label %b${i + 1}, label %b${((i * 7919) % (i + 1)) + 1}`;
    const count = countFor(bytes, line);
    return `define void @f(i1 %c) {\nbr label %b0\n${Array.from({ length: count }, (_, i) => line(i)).join("\n")}\nb${count}:\nret void\n}\n`;
  },
  "one function of loads, stores and addresses": (bytes) =>
    body(
      "float* %p, i64 %n",
      lines(
        bytes,
        (i) =>
          `%q${i} = getelementptr inbounds float, float* %p, i64 ${i}\n%l${i} = load float, float* %q${i}, align 4\nstore float %l${i}, float* %p, align 4`,
      ),
    ),
  "one block of phis": (bytes) => {
    const line = (i: number): string => `%p${i} = phi i32 [ 0, %entry ], [ %p${i}, %loop ]`;
    return `define void @f(i1 %c) {\nentry:\nbr label %loop\nloop:\n${lines(bytes, line)}\nbr i1 %c, label %loop, label %end\nend:\nret void\n}\n`;
  },
  "one switch": (bytes) =>
    `define void @f(i32 %x) {\nswitch i32 %x, label %end [\n${lines(bytes, (i) => `i32 ${i}, label %end`)}\n]\nend:\nret void\n}\n`,
  "values used before their definition": (bytes) => {
    const line = (i: number): string => `b${i}:\n%v${i} = add i32 %v${i + 1}, 1\nbr label %b${i + 1}`;
    const count = countFor(bytes, line);
    return `define void @f(i32 %v${count}) {\nbr label %b0\n${Array.from({ length: count }, (_, i) => line(i)).join("\n")}\nb${count}:\nret void\n}\n`;
  },
  "small functions": (bytes) =>
    lines(bytes, (i) => `define i32 @f${i}(i32 %x) {\n %y = mul i32 %x, ${i}\n ret i32 %y\n}`),
  "small functions and types": (bytes) =>
    lines(
      bytes,
      (i) =>
        `%t${i} = type { i32, float }\ndefine i32 @f${i}(%t${i}* %x) {\n %y = getelementptr %t${i}, %t${i}* %x, i64 0, i32 0\n %z = load i32, i32* %y\n ret i32 %z\n}`,
    ),
  "functions that call each other": (bytes) => {
    const line = (i: number): string =>
      `define i32 @f${i}(i32 %x) {\n %y = call i32 @f${Math.floor(i / 2)}(i32 %x)\n ret i32 %y\n}`;
    return lines(bytes, line);
  },
  "declarations with attributes": (bytes) =>
    lines(bytes, (i) => `declare void @f${i}(i32* nocapture readonly align 4 %x) #${i % 9}`),
  "attribute groups": (bytes) => lines(bytes, (i) => `attributes #${i} = { nounwind "key${i}"="value" }`),
  "one string": (bytes) => `@s = constant [${bytes} x i8] c"${"x".repeat(bytes)}"\n`,
  "one string of escapes": (bytes) =>
    `@s = constant [${Math.floor(bytes / 3)} x i8] c"${"\\41".repeat(Math.floor(bytes / 3))}"\n`,
  "one name": (bytes) => `@"${"x".repeat(bytes)}" = global i8 0\n`,
  "one comment": (bytes) => `;${"x".repeat(bytes)}\n@x = global i8 0\n`,
  "one assembly string": (bytes) => `module asm "${"x".repeat(bytes)}"\n`,
  "lines of assembly": (bytes) => lines(bytes, (i) => `module asm "// ${i}"`),
  "one array of integers": (bytes) => {
    const count = countFor(bytes, () => "i32 1234567,");
    return `@a = constant [${count} x i32] [${Array.from({ length: count }, (_, i) => `i32 ${(i * 7919) % 1000000}`).join(", ")}]\n`;
  },
  "one array of floats": (bytes) => {
    const count = countFor(bytes, () => "double 0x3FF0000000000000,");
    return `@a = constant [${count} x double] [${Array.from({ length: count }, (_, i) => `double 0x3FF${(i * 7919).toString(16).padStart(13, "0")}`).join(", ")}]\n`;
  },
  "one array of structures": (bytes) => {
    const count = countFor(bytes, () => "{ i32, i8* } { i32 1234567, i8* null },");
    return `@a = constant [${count} x { i32, i8* }] [${Array.from({ length: count }, (_, i) => `{ i32, i8* } { i32 ${i}, i8* null }`).join(", ")}]\n`;
  },
  "nested types": (bytes) => {
    const depth = 150;
    const type = `${"{ ".repeat(depth)}i8${" }".repeat(depth)}`;
    return lines(bytes, (i) => `@g${i} = constant ${type} zeroinitializer`);
  },
  "nested constant expressions": (bytes) => {
    const depth = 60;
    const inner = (i: number): string =>
      `${"ptrtoint (i8* inttoptr (i64 ".repeat(depth)}${i}${" to i8*) to i64)".repeat(depth)}`;
    return lines(bytes, (i) => `@g${i} = constant i64 ${inner(i)}`);
  },
  "globals that refer to each other": (bytes) => {
    const line = (i: number, count = 2000000): string =>
      `@g${i} = global i8* bitcast (i8** @g${(i * 7919) % count} to i8*)`;
    const count = countFor(bytes, line);
    return Array.from({ length: count }, (_, i) => line(i, count)).join("\n");
  },
  "types that contain each other": (bytes) =>
    lines(bytes, (i) => `%t${i} = type { i32, %t${Math.max(0, Math.floor(i / 2))}*, [4 x i8] }`),
  "types in types": (bytes) =>
    `%t0 = type { i32 }\n${lines(bytes, (i) => (i % 150 === 149 ? `%t${i + 1} = type { i32 }` : `%t${i + 1} = type { i8, %t${i} }`))}\n@x = external global %t100\n`,
  "type names used first": (bytes) => {
    const line = (i: number): string => `%t${i} = type { %t${i + 1}*, i32 }`;
    const count = countFor(bytes, line);
    return `${Array.from({ length: count }, (_, i) => line(i)).join("\n")}\n%t${count} = type { i32 }\n@x = external global %t0\n`;
  },
  "metadata nodes": (bytes) => {
    const line = (i: number, count = 2000000): string =>
      `!${i} = !{!${(i + 1) % count}, !${(i * 31) % count}, i32 ${i}}`;
    const count = countFor(bytes, line);
    return Array.from({ length: count }, (_, i) => line(i, count)).join("\n");
  },
  "debug locations": (bytes) => {
    const line = (i: number): string => `!${i + 3} = !DILocation(line: ${i}, column: 3, scope: !2)`;
    return `!0 = !DIFile(filename: "a.cu", directory: "/tmp")\n!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !0)\n!2 = distinct !DISubprogram(name: "f", file: !0, unit: !1)\n${lines(bytes, line)}\n`;
  },
  "named metadata": (bytes) => `!0 = !{}\n${lines(bytes, (i) => `!name${i} = !{!0}`)}\n`,
  annotations: (bytes) => {
    const line = (i: number): string =>
      `define void @k${i}() {\n ret void\n}\n!${i} = !{void ()* @k${i}, !"kernel", i32 1}`;
    const count = countFor(bytes, (i) => `${line(i)}, !${i}`);
    return `${Array.from({ length: count }, (_, i) => line(i)).join("\n")}\n!nvvm.annotations = !{${Array.from({ length: count }, (_, i) => `!${i}`).join(", ")}}\n`;
  },
  "one metadata node": (bytes) => `!0 = !{${lines(bytes, (i) => `i32 ${i},`)} i32 0}\n`,
  errors: (bytes) => lines(bytes, (i) => `declare void @f${i}(%nowhere${i}*)`),
  "errors in bodies": (bytes) => lines(bytes, (i) => `define void @f${i}() {\n call void @nothing${i}()\n ret void\n}`),
  "errors of undefined values": (bytes) =>
    body(
      "",
      lines(bytes, (i) => `%a${i} = add i32 %nowhere${i}, 1`),
    ),
  braces: (bytes) => "{".repeat(bytes),
  quotes: (bytes) => '"'.repeat(bytes),
  "comments and braces": (bytes) => ";{\n".repeat(Math.floor(bytes / 3)),
  "functions without an end": (bytes) => lines(bytes, () => "define void @f() {"),
  "inline assembly": (bytes) =>
    body(
      "i32 %x",
      lines(bytes, (i) => `%a${i} = call i32 asm "add.u32 $0, $1, ${i};", "=r,r"(i32 %x)`),
    ),
  "records of debug information": (bytes) =>
    `define void @f(i32 %x) {\n${lines(bytes, (i) => `  #dbg_value(i32 %x, !${i % 9}, !DIExpression(), !9)`)}\nret void\n}\n${Array.from({ length: 10 }, (_, i) => `!${i} = !{}`).join("\n")}\n`,
};

if (process.argv[1]?.endsWith("large.js") === true) {
  const [megabytes = "20", ...names] = process.argv.slice(2);
  const [only] = names;
  if (only !== undefined && names.length === 1 && process.env["PTXKIT_ONE"] === "1") {
    const bytes = Buffer.from(shapes[only]!(Number(megabytes) * 2 ** 20));
    const before = process.cpuUsage();
    const sink = createSink();
    const module = readModule({ name: "a.ll", bytes }, sink);
    const read = process.cpuUsage(before);
    const isReadable = module !== undefined && verifyModule(module, {}, sink);
    if (isReadable)
      for (const fn of module.functions) {
        const code = fn.body?.read(sink);
        if (code !== undefined) verifyBody(fn, code, { module }, sink);
      }
    const whole = process.cpuUsage(before);
    const seconds = (usage: NodeJS.CpuUsage): string => ((usage.user + usage.system) / 1e6).toFixed(1);
    const peak = process.resourceUsage().maxRSS / 1024;
    console.log(
      `${only}: ${(bytes.length / 2 ** 20).toFixed(1)} MB, ${seconds(whole)} s of CPU (${seconds(read)} to read), ` +
        `${Math.round(peak)} MB at the peak, ${sink.errorCount} errors`,
    );
  } else {
    for (const name of names.length > 0 ? names : Object.keys(shapes)) {
      const { stdout, stderr, status, signal } = spawnSync(
        process.execPath,
        [fileURLToPath(import.meta.url), megabytes, name],
        {
          encoding: "utf8",
          env: { ...process.env, PTXKIT_ONE: "1" },
          timeout: 600_000,
        },
      );
      console.log(
        status === 0
          ? stdout.trim()
          : `${name}: ${signal ?? status} ${stderr.trim().split("\n").slice(-8).join(" ").slice(0, 300)}`,
      );
    }
  }
}
