// The order in which an object's symbols are printed as one PTX module, where a name must be declared before its use (PTX ISA 9.0
// section 5.4, and ptxas). Symbols keep their order, because layout depends on it, with these exceptions:
// a function whose body needs later symbols is declared in its place, unless it is an unreferenced kernel, and defined at the
// end;
// a variable whose initial value needs a later variable follows that one, or, if they need each other, an .extern declaration of
// it.
// A reader orders symbols by their first mention, so the order is recomputed until reading the text gives the same order:
// printing a printed module changes nothing.
// Rejected: announcing every later variable .extern (reading that text moves them to the front, and printing again differs).

/** What is written next. */
export type Step =
  /** An .extern declaration of a variable that is defined further on. */
  | { readonly kind: "announce"; readonly symbol: number }
  /** A variable, a reference, or a function's prototype. */
  | { readonly kind: "declare"; readonly symbol: number }
  /** A function with its body, and the variables inside. */
  | { readonly kind: "define"; readonly symbol: number };

/** What the order depends on; symbols are indices. */
export interface Declarations {
  readonly count: number;
  isVariable(symbol: number): boolean;
  /** Seen by its own module only: it cannot be declared .extern. */
  isStatic(symbol: number): boolean;
  isKernel(symbol: number): boolean;
  /** Has a body to be printed. */
  hasBody(symbol: number): boolean;
  /** Of use only where something refers to it: a mere declaration, a variable of a function that is not there. */
  isIdle(symbol: number): boolean;
  /** What an initial value or a body names, the function's own variables left out, their initial values looked through. */
  needs(symbol: number): Int32Array;
  /** The variables inside a function. */
  inside(symbol: number): readonly number[];
  /** The function that a variable is inside of. */
  ownerOf(symbol: number): number | undefined;
}

/** Orders of symbols that lead to each other for ever would be a fault; such need each other in ways never seen. */
const MOST_ROUNDS = 8;

export function planDeclarations(declarations: Declarations): readonly Step[] {
  const referred = new Uint8Array(declarations.count);
  for (let i = 0; i < declarations.count; i++) for (const needed of declarations.needs(i)) referred[needed] = 1;
  const isPrinted = (symbol: number): boolean => referred[symbol] === 1 || !declarations.isIdle(symbol);
  let order: readonly number[] = Array.from({ length: declarations.count }, (_, i) => i).filter(isPrinted);
  for (let round = 1; ; round++) {
    const steps = plan(order, (symbol) => referred[symbol] === 1, declarations);
    const read = orderOfMention(steps, declarations);
    if (round === MOST_ROUNDS || read.every((symbol, i) => symbol === order[i])) return steps;
    order = read;
  }
}

/** The order that the symbols of the text have once it is read. */
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

/** The steps so far. */
interface Planning {
  readonly declarations: Declarations;
  readonly steps: Step[];
  /** Of each symbol: UNKNOWN to DECLARED. */
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
    // Most kernels are unreferenced: such a kernel needs no declaration and only follows its callees.
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

/** Whether everything that a body names is declared. */
const isReady = ({ declarations: { needs, ownerOf }, state }: Planning, symbol: number): boolean =>
  needs(symbol).every((needed) => needed === symbol || state[needed]! >= ANNOUNCED || ownerOf(needed) === symbol);

/** Declares a variable behind those that its initial value names. Without recursion: chains of variables may be long. */
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
    // Of two that need each other, one is not static, or no module could have declared them: that one is announced. If both
    // were made static later, PTX cannot express it, and the printer makes an announced static visible.
    if (entered.some(isStatic) && !isStatic(symbol)) announce(planning, symbol);
    else {
      entered.forEach((needed) => announce(planning, needed));
      declare(planning, symbol);
    }
  }
}
