import { tryPart } from "./trial.ts";

tryPart(1);
