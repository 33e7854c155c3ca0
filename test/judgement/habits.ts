import type { Habit } from "./habit.ts";
import { blocks } from "./habits/blocks.ts";
import { cheats } from "./habits/cheats.ts";
import { checks } from "./habits/checks.ts";
import { honesty } from "./habits/honest.ts";
import { motion } from "./habits/motion.ts";
import { promises } from "./habits/promises.ts";
import { stuck } from "./habits/stuck.ts";

/** Every agent that the engine is judged by. */
export const HABITS: readonly Habit[] = [...promises, ...blocks, ...checks, ...cheats, ...honesty, ...motion, ...stuck];
