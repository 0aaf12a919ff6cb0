// The Itanium C++ name mangling: what other rooms import.
export { demangle } from "./demangle.js";
