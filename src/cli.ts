#!/usr/bin/env node
/** The command line. Its first screen of help is printed before anything else is loaded. */
import { FIRST_SCREEN, isAskedForFirstScreen } from "./setup/first-screen.ts";

const [, script = "", ...words] = process.argv;
if (isAskedForFirstScreen(script, words)) process.stdout.write(FIRST_SCREEN);
else await import("./command-line.ts");
