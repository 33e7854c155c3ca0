import type { Habit } from "./habit.ts";
import { bends } from "./habits/bends.ts";
import { blocks } from "./habits/blocks.ts";
import { cheats } from "./habits/cheats.ts";
import { checks } from "./habits/checks.ts";
import { claims } from "./habits/claims.ts";
import { freshBends } from "./habits/fresh-bends.ts";
import { freshClaims } from "./habits/fresh-claims.ts";
import { freshHonest } from "./habits/fresh-honest.ts";
import { freshProgress } from "./habits/fresh-progress.ts";
import { further } from "./habits/further.ts";
import { contradictions } from "./habits/contradictions.ts";
import { hardStops } from "./habits/hard-stops.ts";
import { honesty } from "./habits/honest.ts";
import { motion } from "./habits/motion.ts";
import { progress } from "./habits/progress.ts";
import { promises } from "./habits/promises.ts";
import { reviewer } from "./habits/reviewer.ts";
import { runners } from "./habits/runners.ts";
import { stuck } from "./habits/stuck.ts";

/** The agents that the engine is judged by, by the file that they are in. */
export const SUITES: Readonly<Record<string, readonly Habit[]>> = {
  promises,
  blocks,
  checks,
  claims,
  cheats,
  bends,
  honest: honesty,
  motion,
  progress,
  further,
  stuck,
  reviewer,
  "hard-stops": hardStops,
  contradictions,
  runners,
  "fresh-claims": freshClaims,
  "fresh-progress": freshProgress,
  "fresh-bends": freshBends,
  "fresh-honest": freshHonest,
};

/** All of them. */
export const HABITS: readonly Habit[] = Object.values(SUITES).flat();
