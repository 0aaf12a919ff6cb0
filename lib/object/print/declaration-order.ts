// The order in which an object's symbols are printed as one PTX module, where a name must be declared before its use (PTX ISA 9.0
// section 5.4, and ptxas). Symbols keep their order, because layout depends on it, with these exceptions:
// a function whose body needs later symbols is declared in its place, unless it is an unreferenced kernel, and defined at the
// end;
// a variable whose initial value needs a later variable follows that one, or, if they need each other, an .extern declaration of
// it.
// A reader orders symbols by their first mention, so the order is recomputed until reading the text gives the same order:
// printing a printed module changes nothing.
// Rejected: announcing every later variable .extern (reading that text moves them to the front, and printing again differs).

/** One step of the printing order. */
export type Step =
  /** An .extern declaration of a variable that is defined later. */
  | { readonly kind: "announce"; readonly symbol: number }
  /** A variable, a reference, or a function's prototype. */
  | { readonly kind: "declare"; readonly symbol: number }
  /** A function with its body, including the variables in it. */
  | { readonly kind: "define"; readonly symbol: number };

/** The properties that the order depends on; symbols are indices. */
export interface Declarations {
  readonly count: number;
  isVariable(symbol: number): boolean;
  /** Whether only its own module sees it: then it cannot be declared .extern. */
  isStatic(symbol: number): boolean;
  isKernel(symbol: number): boolean;
  /** Whether it has a body to print. */
  hasBody(symbol: number): boolean;
  /** Whether it is printed only if something refers to it: a declaration, or a variable of an absent function. */
  isIdle(symbol: number): boolean;
  /**
   * The symbols that an initial value or a body names. Instead of the function's own variables, those that their initial values
   * name.
   */
  needs(symbol: number): Int32Array;
  /** The variables declared in a function. */
  inside(symbol: number): readonly number[];
  /** The function in which a variable is declared. */
  ownerOf(symbol: number): number | undefined;
}

/** Limit of the rounds. The order could only alternate for ever if symbols needed each other in ways never seen. */
const MAX_ROUNDS = 8;

export function planDeclarations(declarations: Declarations): readonly Step[] {
  const referred = new Uint8Array(declarations.count);
  for (let i = 0; i < declarations.count; i++) for (const needed of declarations.needs(i)) referred[needed] = 1;
  const isPrinted = (symbol: number): boolean => referred[symbol] === 1 || !declarations.isIdle(symbol);
  let order: readonly number[] = Array.from({ length: declarations.count }, (_, i) => i).filter(isPrinted);
  for (let round = 1; ; round++) {
    const steps = plan(order, (symbol) => referred[symbol] === 1, declarations);
    const read = orderOfMention(steps, declarations);
    if (round === MAX_ROUNDS || read.every((symbol, i) => symbol === order[i])) return steps;
    order = read;
  }
}

/** The order of the symbols after reading the text. */
function orderOfMention(steps: readonly Step[], { count, inside }: Declarations): readonly number[] {
  const seen = new Uint8Array(count);
  const order: number[] = [];
  const mention = (symbol: number): void => {
    if (seen[symbol] === 1) return;
    seen[symbol] = 1;
    order.push(symbol);
  };
  for (const { kind, symbol } of steps) {
    mention(symbol);
    if (kind === "define") inside(symbol).forEach(mention);
  }
  return order;
}

const UNKNOWN = 0;
const ENTERED = 1;
const ANNOUNCED = 2;
const DECLARED = 3;

/** The state of the plan. */
interface Planning {
  readonly declarations: Declarations;
  readonly steps: Step[];
  /** For each symbol: UNKNOWN to DECLARED. */
  readonly state: Uint8Array;
  readonly defined: Uint8Array;
}

function plan(
  order: readonly number[],
  isReferred: (symbol: number) => boolean,
  declarations: Declarations,
): readonly Step[] {
  const { count, isVariable, isKernel, hasBody, inside, ownerOf } = declarations;
  const planning: Planning = {
    declarations,
    steps: [],
    state: new Uint8Array(count),
    defined: new Uint8Array(count),
  };
  order.forEach((symbol, place) => {
    // The position of a body determines the positions of its variables among the symbols.
    const owner = ownerOf(symbol);
    if (owner !== undefined) return isReady(planning, owner) ? define(planning, owner) : undefined;
    if (isVariable(symbol)) return declareVariable(planning, symbol);
    const [firstInside] = inside(symbol);
    const isHere =
      hasBody(symbol) && (firstInside === undefined || firstInside === order[place + 1]) && isReady(planning, symbol);
    if (isHere) return define(planning, symbol);
    // Most kernels are unreferenced: such a kernel needs no declaration and only has to follow its callees.
    if (!isKernel(symbol) || isReferred(symbol) || !hasBody(symbol)) declare(planning, symbol);
  });
  for (const symbol of order) if (hasBody(symbol)) define(planning, symbol);
  return planning.steps;
}

function declare({ state, steps }: Planning, symbol: number): void {
  if (state[symbol] === DECLARED) return;
  state[symbol] = DECLARED;
  steps.push({ kind: "declare", symbol });
}

function announce({ state, steps }: Planning, symbol: number): void {
  if (state[symbol] === ANNOUNCED) return;
  state[symbol] = ANNOUNCED;
  steps.push({ kind: "announce", symbol });
}

function define({ state, defined, steps }: Planning, symbol: number): void {
  if (defined[symbol] === 1) return;
  defined[symbol] = 1;
  state[symbol] = DECLARED;
  steps.push({ kind: "define", symbol });
}

/** Whether everything that a body names has been declared. */
const isReady = ({ declarations: { needs, ownerOf }, state }: Planning, symbol: number): boolean =>
  needs(symbol).every((needed) => needed === symbol || state[needed]! >= ANNOUNCED || ownerOf(needed) === symbol);

/** Declares a variable after those that its initial value names. Without recursion, because chains of variables may be long. */
function declareVariable(planning: Planning, start: number): void {
  const { declarations, state } = planning;
  const { isVariable, isStatic, needs, ownerOf } = declarations;
  const stack = [start];
  for (let symbol = stack.at(-1); symbol !== undefined; symbol = stack.at(-1)) {
    if (state[symbol] === DECLARED) {
      stack.pop();
      continue;
    }
    if (state[symbol] === UNKNOWN) state[symbol] = ENTERED;
    const missing = needs(symbol).filter((needed) => needed !== symbol && state[needed]! < ANNOUNCED);
    for (const needed of missing) if (!isVariable(needed)) declare(planning, needed);
    const next = missing.find((needed) => state[needed] === UNKNOWN && ownerOf(needed) === undefined);
    if (next !== undefined) {
      stack.push(next);
      continue;
    }
    stack.pop();
    const entered = missing.filter((needed) => state[needed] === ENTERED);
    // Of two variables that need each other, one is not static, or no module could have declared them: that one is announced. If
    // both were made static later, PTX cannot express it, and the printer makes an announced static visible.
    if (entered.some(isStatic) && !isStatic(symbol)) announce(planning, symbol);
    else {
      entered.forEach((needed) => announce(planning, needed));
      declare(planning, symbol);
    }
  }
}
