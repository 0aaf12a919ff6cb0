// What PTX can have for a name of its programs (PTX ISA section 4.4): what the lexer's tables of characters make one.

/** A name, as a part of a regular expression. */
export const NAME = "(?:[A-Za-z][\\w$]*|[_$%][\\w$]+)";

const wholeName = new RegExp(`^${NAME}$`);

/** Whether PTX can have that for a name. */
export const isName = (text: string): boolean => wholeName.test(text);
