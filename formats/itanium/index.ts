// Itanium C++ demangling: the exports for other folders.
export { demangle } from "./demangle.js";
