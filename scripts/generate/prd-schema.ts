import { z } from "zod";
import { documentShape } from "../../src/prd/shape.ts";

/** `docs/prd.schema.json`: what editors know of a `prd.json`. Draft 7, because that is what most of them take. */
export function prdSchema(): string {
  const { $schema, ...rest } = z.toJSONSchema(documentShape, { target: "draft-7", io: "input" });
  const title = "A product requirements document of Smithers (.daedalus/prds/NAME/prd.json)";
  return JSON.stringify({ $schema, title, ...rest });
}
