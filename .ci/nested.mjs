// Puts those modules of a bundle that few runs need into a function of their own, at whose first call they come to be. V8 makes an
// object for each function that a script's outermost code has, and its code cache holds them; of a function that is not called there is
// one. Names are the same inside and outside, so nothing is looked up in a table while the program runs.

/** Marks the beginning of a module in what esbuild writes. */
const moduleComment = /^\/\/ (\S.*)$/;

/**
 * `code` and `map`: of esbuild, with its comments; `metafile`: of the same. `roots`: modules whose static imports stay outside. The code
 * with its map.
 */
export function nested({ code, map, metafile, roots }) {
  const outside = staticImports(metafile, roots);
  const known = new Set(Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)));
  const lines = code.split("\n");
  const head = [];
  const [core, rest] = [[], []];
  let into = head;
  lines.forEach((line, i) => {
    const name = moduleComment.exec(line)?.[1];
    if (name !== undefined && known.has(name)) into = outside.has(name) ? core : rest;
    into.push(i);
  });
  const textOf = (part) => part.map((i) => lines[i]).join("\n");
  const names = namesBetween(textOf(core), textOf(rest));
  const exported = names.filter((name) => /_exports\d*$/.test(name));
  const added = [
    "var nestedNames;",
    ...exported.map((name) => `var ${name};`),
    `function nestedModules() { return nestedNames ??= ({ ${exported.join(", ")} } = makeNestedModules()); }`,
    ...names
      .filter((name) => !exported.includes(name))
      .map((name) => `function ${name}() { return nestedModules().${name}(); }`),
    "function makeNestedModules() {",
  ];
  const order = [...head, ...added, ...rest, `return { ${names.join(", ")} };`, `}`, ...core];
  return {
    code: order.map((line) => (typeof line === "string" ? line : lines[line])).join("\n"),
    map: { ...map, mappings: reordered(map.mappings, order) },
  };
}

/** The modules that these import, with what those import, except where a function does. */
function staticImports({ inputs }, roots) {
  const found = new Set(roots);
  for (const name of found) {
    if (inputs[name] === undefined) throw new Error(`there is no module ${name}`);
    for (const { path, kind, external } of inputs[name].imports)
      if (external !== true && kind !== "dynamic-import") found.add(path);
  }
  return found;
}

/** What esbuild makes to load a module and to name what it exports, of modules inside that those outside load. */
function namesBetween(core, rest) {
  const [outside, inside] = [core, rest].map(
    (text) => new Set(Array.from(text.matchAll(made), (found) => found[1] ?? found[2])),
  );
  const used = new Set(Array.from(core.matchAll(loaded), ([name]) => name));
  const lost = [...used].filter((name) => !outside.has(name) && !inside.has(name));
  if (lost.length > 0) throw new Error(`nothing makes ${lost.join(", ")}`);
  return [...used].filter((name) => inside.has(name));
}

// A number follows where files of several folders have one name.
const made = /\b(?:((?:init|require)_\w+) = __(?:esm|commonJS)\(|(\w+_exports\d*) = \{\})/g;
const loaded = /\b(?:(?:init|require)_\w+(?=\(\))|\w+_exports\d*\b)/g;

// The mappings of a source map (ECMA-426): lines separated by semicolons, of segments separated by commas, of numbers each of which but
// a line's first column is the difference to the one before.

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const valueOf = new Map(Array.from(digits, (digit, value) => [digit, value]));

function numbersIn(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = valueOf.get(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits >= 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function digitsOf(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = "";
  do {
    text += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}

/** The mappings of a text whose lines are these of another one, by number, and new ones, which have none. */
function reordered(mappings, order) {
  const place = [0, 0, 0, 0];
  const lines = mappings.split(";").map((line) => {
    let column = 0;
    return line === ""
      ? []
      : line.split(",").map((segment) => {
          const [first, ...more] = numbersIn(segment);
          column += first;
          return [column, ...more.map((difference, i) => (place[i] += difference))];
        });
  });
  const last = [0, 0, 0, 0];
  return order
    .map((number) => {
      let column = 0;
      return (lines[number] ?? [])
        .map(([first, ...more]) => {
          const text = digitsOf(first - column) + more.map((value, i) => digitsOf(value - last[i])).join("");
          column = first;
          more.forEach((value, i) => (last[i] = value));
          return text;
        })
        .join(",");
    })
    .join(";");
}
