// The syntax of names in PTX (PTX ISA section 4.4), as the lexer's character tables define it.

/** A regular expression for a name, to be part of others. */
export const NAME = "(?:[A-Za-z][\\w$]*|[_$%][\\w$]+)";

const wholeName = new RegExp(`^${NAME}$`);

/** Whether the text is a valid name. */
export const isName = (text: string): boolean => wholeName.test(text);
