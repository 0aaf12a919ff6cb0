// Matches names with patterns like those of GNU ld's version scripts: `*` is any text, `?` any character, `[a-z]` and `[!a-z]`
// one of a set; every other character is itself. A pattern without those is a name. Backtracks only to the last star, so that
// matching takes at most pattern times name steps. Rejected: translating to a RegExp, which takes exponential time for some
// patterns.

type Element = { readonly star: true } | { readonly star: false; matches(character: string): boolean };

/** Whether a name matches the pattern. */
export type NameTest = (name: string) => boolean;

export const isGlob = (pattern: string): boolean => /[*?[]/.test(pattern);

/** Compiles one pattern; an unclosed `[` is a literal. */
export function compileGlob(pattern: string): NameTest {
  if (!isGlob(pattern)) return (name) => name === pattern;
  const elements = elementsOf(pattern);
  return (name) => matches(elements, name);
}

function elementsOf(pattern: string): readonly Element[] {
  const elements: Element[] = [];
  const lastEnd = pattern.lastIndexOf("]");
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!;
    // A set has at least one character, so that `[]]` is the set of `]`.
    const end =
      character === "[" && i < lastEnd ? pattern.indexOf("]", i + (/[!^]/.test(pattern[i + 1] ?? "") ? 3 : 2)) : -1;
    if (character === "*") elements.push({ star: true });
    else if (character === "?") elements.push({ star: false, matches: () => true });
    else if (end === -1) elements.push({ star: false, matches: (other) => other === character });
    else {
      elements.push({ star: false, matches: setTest(pattern.slice(i + 1, end)) });
      i = end;
    }
  }
  return elements;
}

/** `set`: the text between the brackets. */
function setTest(set: string): NameTest {
  const isNegated = /^[!^]/.test(set);
  const ranges = [...set.slice(isNegated ? 1 : 0).matchAll(/([^])-([^])|([^])/g)].map(
    ([, from, to, one]) => [from ?? one!, to ?? one!] as const,
  );
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== isNegated;
}

function matches(elements: readonly Element[], name: string): boolean {
  let [element, at] = [0, 0];
  // Backtracking state: if the rest after the last star does not match, the star matches one more character.
  let retry: { readonly element: number; at: number } | undefined;
  while (at < name.length || element < elements.length) {
    const next = elements[element];
    if (next?.star === true) {
      retry = { element: ++element, at };
      continue;
    }
    if (next !== undefined && at < name.length && next.matches(name[at]!)) {
      element++;
      at++;
      continue;
    }
    if (retry === undefined || retry.at >= name.length) return false;
    element = retry.element;
    at = ++retry.at;
  }
  return true;
}
