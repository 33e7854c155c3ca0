import { cargoTest } from "./cargo-test.ts";
import { goJson } from "./go-json.ts";
import { goTest } from "./go-test.ts";
import { jest } from "./jest.ts";
import { junitXml } from "./junit-xml.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import type { Runner } from "./runner.ts";
import { vitest } from "./vitest.ts";

/** The runners that print a report for people. */
export const RUNNERS: readonly Runner[] = [nodeTest, vitest, jest, mocha, pytest, goTest, goJson, cargoTest];

/** What any runner may print besides. */
export const COPIES: readonly Runner[] = [junitXml];
