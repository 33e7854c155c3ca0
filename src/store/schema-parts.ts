import { z } from "zod";
import { lazy } from "../os/lazy.ts";

/** An object that is made when it is first needed. */
export const object = <Shape extends z.ZodRawShape>(shape: () => Shape) => lazy(() => z.looseObject(shape()));

export const count = z.int().nonnegative();
export const date = z.iso.datetime({ offset: true });
