/** The parser of YAML, loaded when it is first needed. */
export { parse } from "yaml";
