import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { z } from "zod";

const FILE = path.join(import.meta.dirname, "../../fixtures/github/openapi.json");

const Parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean().default(false),
  schema: z.looseObject({ type: z.unknown().optional() }),
  "x-multi-segment": z.boolean().default(false),
});
type Parameter = z.infer<typeof Parameter>;

const Content = z.record(z.string(), z.looseObject({})).optional();
const Response = z.looseObject({ content: Content });

const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content: Content }).optional(),
  responses: z.record(z.string(), z.unknown()),
});

const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** One operation of the description, with its references followed as far as we look into it. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  readonly pattern: RegExp;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly pointer: string | undefined } | undefined;
  /** status → where the schema of its JSON is; undefined: no JSON */
  readonly responses: ReadonlyMap<string, string | undefined>;
}

/** What was asked, taken apart by the description. */
export interface Match {
  readonly operation: DescribedOperation;
  /** of the path, decoded */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * GitHub's description of its REST API as a judge of what is sent and answered. Loaded
 * once a process; schemas are compiled when they are first needed.
 */
export class ApiDescription {
  readonly #operations: readonly DescribedOperation[];
  readonly #document: unknown;
  readonly #ajv: Ajv;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor() {
    const raw: unknown = JSON.parse(readFileSync(FILE, "utf8"));
    this.#document = withNull(raw);
    this.#ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, inlineRefs: false });
    formats.default(this.#ajv);
    for (const format of ["repo.nwo", "ssh-key", "timestamp"]) this.#ajv.addFormat(format, true);
    if (!isObject(this.#document)) throw new Error(`${FILE} is no object`);
    this.#ajv.addSchema(this.#document, "gh");
    this.#operations = this.#readOperations();
  }

  /** The operation that a request asks for; undefined: GitHub does not have it, or we have not cut it out. */
  match(method: string, pathname: string): Match | undefined {
    for (const operation of this.#operations) {
      const found = operation.method === method ? operation.pattern.exec(pathname) : null;
      if (found === null) continue;
      const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
      return { operation, params: Object.fromEntries(params) };
    }
    return undefined;
  }

  /** What is wrong with a request, one line each. */
  requestProblems({ operation }: Match, query: URLSearchParams, body: unknown): string[] {
    const known = operation.parameters.filter((parameter) => parameter.in === "query");
    const unknown = [...query.keys()].filter((name) => !known.some((parameter) => parameter.name === name));
    const wrong = known.flatMap((parameter) => queryProblem(parameter, query.get(parameter.name)));
    return [
      ...unknown.map((name) => `unknown query parameter ${name}`),
      ...wrong,
      ...this.#bodyProblems(operation, body),
    ];
  }

  /** What is wrong with an answer, one line each. */
  responseProblems({ operation }: Match, status: number, body: unknown): string[] {
    if (!operation.responses.has(String(status))) return [`status ${status} is not described`];
    const pointer = operation.responses.get(String(status));
    return pointer === undefined ? [] : this.#check(pointer, body).map((problem) => `answer ${problem}`);
  }

  /** What is wrong with the payload of an event, such as `issue-comment-created`. */
  webhookProblems(name: string, payload: unknown): string[] {
    return this.#check(`/x-webhooks/${name}/post/requestBody/content/application~1json/schema`, payload);
  }

  #bodyProblems({ body }: DescribedOperation, given: unknown): string[] {
    if (given === undefined) return body?.required === true ? ["no body"] : [];
    if (body?.pointer === undefined) return ["a body where none is described"];
    return this.#check(body.pointer, given).map((problem) => `body ${problem}`);
  }

  #check(pointer: string, value: unknown): string[] {
    const validate = this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: `gh#${encodeURI(pointer)}` });
    this.#compiled.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath} ${message}`);
  }

  #readOperations(): DescribedOperation[] {
    const { paths } = Document.parse(this.#document);
    const operations = Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#readOperation(route, method, operation)),
    );
    // `/pulls/{n}/files` before `/pulls/{anything}/{else}`, `/commits/{ref}/status` before `/commits/{ref}`
    const parts = (mark: string, { route }: DescribedOperation): number => route.split(mark).length;
    return operations.toSorted((a, b) => parts("{", a) - parts("{", b) || parts("/", b) - parts("/", a));
  }

  #readOperation(route: string, method: string, operation: z.infer<typeof Operation>): DescribedOperation {
    const at = `/paths/${escape(route)}/${method}`;
    const parameters = operation.parameters.map((parameter) => Parameter.parse(this.#follow(parameter)));
    const { requestBody } = operation;
    const responses = Object.entries(operation.responses).map(([status, response]) => {
      const reference = referenceOf(response);
      const content = Response.parse(this.#follow(response)).content;
      const base = reference ?? `${at}/responses/${status}`;
      return [status, content?.["application/json"] && `${base}/content/application~1json/schema`] as const;
    });
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      route,
      pattern: patternOf(route, parameters),
      parameters,
      body: requestBody && {
        required: requestBody.required,
        pointer: requestBody.content?.["application/json"] && `${at}/requestBody/content/application~1json/schema`,
      },
      responses: new Map(responses),
    };
  }

  #follow(value: unknown): unknown {
    const steps = referenceOf(value)?.slice(1).split("/");
    if (steps === undefined) return value;
    return steps.reduce<unknown>((tree, step) => (isObject(tree) ? tree[step] : undefined), this.#document);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `/components/…` of something that is only a reference. */
function referenceOf(value: unknown): string | undefined {
  const reference = isObject(value) ? value["$ref"] : undefined;
  return typeof reference === "string" ? reference.slice(1) : undefined;
}

function escape(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

function patternOf(route: string, parameters: readonly Parameter[]): RegExp {
  const source = route.replaceAll(".", String.raw`\.`).replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const many = parameters.some((parameter) => parameter.name === name && parameter["x-multi-segment"]);
    return `(?<${name}>${many ? ".+" : "[^/]+"})`;
  });
  return new RegExp(`^${source}$`, "u");
}

function queryProblem({ name, required, schema }: Parameter, value: string | null): string[] {
  if (value === null) return required ? [`missing query parameter ${name}`] : [];
  if (schema.type === "integer" && !/^\d+$/u.test(value)) return [`query parameter ${name} is no number: ${value}`];
  if (schema.type === "boolean" && !/^(?:true|false)$/u.test(value)) return [`${name} is no boolean: ${value}`];
  return [];
}

/** OpenAPI 3.0 says `nullable`, which JSON Schema does not know. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull);
  if (!isObject(value)) return value;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNull(inner)]));
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  const { type, enum: words } = rest;
  if (typeof type !== "string") return { anyOf: [{ type: "null" }, rest] };
  return { ...rest, type: [type, "null"], ...(Array.isArray(words) ? { enum: [...words, null] } : {}) };
}
