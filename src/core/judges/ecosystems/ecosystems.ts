import type { Ecosystem } from "../tests/ecosystem.ts";
import { dotnet, jvm, php } from "./classes.ts";
import { cmake, cpp, go, rust } from "./compiled.ts";
import { javascript } from "./javascript.ts";
import { python, ruby } from "./scripts.ts";

/** Every language whose tests are read. */
const ECOSYSTEMS: readonly Ecosystem[] = [javascript, python, go, rust, ruby, php, dotnet, jvm, cpp, cmake];

/** The language of a file by its name. */
export function ecosystemOf(path: string): Ecosystem | undefined {
  return ECOSYSTEMS.find(({ files }) => files.test(path));
}
