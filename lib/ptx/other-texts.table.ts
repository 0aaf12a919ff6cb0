// Recognises files that are not PTX although they were passed as such, by their beginning, with a remedy for each.

interface OtherText {
  readonly pattern: RegExp;
  readonly remedy: (file: string) => string;
}

/** The first match counts. */
const others: readonly OtherText[] = [
  { pattern: /^\s*\{/, remedy: () => "if it is a specification of launches, give it with --launch" },
  {
    pattern: /^(?:; ModuleID|source_filename =|target (?:triple|datalayout) =)/m,
    remedy: (file) => `it looks like LLVM's assembly: llc -march=nvptx64 -mcpu=sm_90 ${file} makes PTX of it`,
  },
  {
    pattern:
      /^\s*(?:#\s*(?:include|define|if|pragma)\b|\/[/*]|(?:extern|static|template|namespace|typedef|using|struct|class|void|int|float|double|__\w+__)\b)/,
    remedy: (file) => `it looks like C or C++: nvcc --ptx -arch=sm_90 ${file} makes PTX of CUDA code`,
  },
  {
    pattern: /^\s*\S*\.(?:o|a|ptx|cubin|fatbin)\s/,
    remedy: (file) => `it looks like a list of files: give it as @${file}`,
  },
];

/** Number of bytes that are examined. */
const BEGINNING = 4096;

export function remedyFor(file: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, BEGINNING)).toString("latin1");
  return (
    others.find(({ pattern }) => pattern.test(text))?.remedy(file) ??
    "give what a compiler wrote as PTX (nvcc --ptx, clang -S), or leave the file out"
  );
}
