// Names picked by patterns, as GNU ld's version scripts pick them: `*` is any text, `?` any character, `[a-z]` and `[!a-z]`
// one of a set; everything else is itself. A pattern without those is a name.
// Matched by going back to the last star only, so that no pattern takes more than pattern times name steps.
// Rejected: translating to a RegExp, which takes exponential time for some patterns.

type Element = { readonly star: true } | { readonly star: false; matches(character: string): boolean };

/** Whether a name fits the pattern. */
export type NameTest = (name: string) => boolean;

export const isGlob = (pattern: string): boolean => /[*?[]/.test(pattern);

/** A test for one pattern; a `[` that nothing closes is itself. */
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
    // A set holds at least one character, so that `[]]` is the set of `]`.
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
  // Where to go on when what follows the last star does not fit: the star takes one character more.
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
