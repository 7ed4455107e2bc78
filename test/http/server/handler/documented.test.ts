import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { local } from "../../../../adapters/providers/local/index.ts";
import { createEngine, GatewayError } from "../../../../src/index.ts";
import { type Components, type Schema, valuesOf } from "../../../portal/support/from-schema.ts";

/** What is read of an operation of the document. */
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface ReadDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Components; readonly responses: Described["responses"] };
}

/** A vector of that length; a vendor makes none of any length. */
function vectorOf(dimensions: number): number[] {
  if (dimensions <= 1_024) return new Array<number>(dimensions).fill(0.5);
  const message = "too many dimensions";
  throw new GatewayError("upstream_error", message, { upstream: { status: 400, message } });
}

const echo = local();
const engine = createEngine({
  providers: [
    {
      ...echo,
      embed: async ({ input, dimensions = 2 }) => ({
        object: "list",
        model: "echo",
        data: [input].flat().map((_, index) => ({ object: "embedding", index, embedding: vectorOf(dimensions) })),
        usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 },
      }),
    },
  ],
});
afterAll(() => engine.close());
const document = (await (await engine.fetch("http://engine/openapi.json")).json()) as ReadDocument;
const { schemas, responses } = document.components;

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
);
type Place = (typeof operations)[number];

const models: readonly string[] = ["local/echo", "local/echo", "local/overlap", "nobody/m", "odd"];

/** A request as the document asks for it: its body, or the fields of its query; `how` breaks two of ten. */
function drawn({ described: { parameters = [], requestBody } }: Place) {
  const schema = requestBody?.content["application/json"]?.schema;
  const fields = parameters.filter((parameter) => parameter.in === "query").map((given) => [given.name, given.schema]);
  const query = valuesOf(
    { type: "object", properties: Object.fromEntries(fields), additionalProperties: false },
    schemas,
  );
  return fc.record({
    query,
    body: schema ? valuesOf(schema, schemas) : fc.constant(undefined),
    model: fc.constantFrom(...models),
    how: fc.nat(9),
    odd: fc.jsonValue({ maxDepth: 2 }),
  });
}

type Drawn = ReturnType<typeof drawn> extends fc.Arbitrary<infer Value> ? Value : never;

function toBody({ body, model, how, odd }: Drawn): string | null {
  if (typeof body !== "object" || body === null) return null;
  const named = "model" in body ? { ...body, model } : { ...body };
  const [victim = "surprise"] = Object.keys(named).reverse();
  return JSON.stringify(how === 0 ? { ...named, [victim]: odd } : how === 1 ? odd : named);
}

function toQuery(query: unknown): string {
  const fields = Object.entries(query as object).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(Object.fromEntries(fields)).toString();
}

async function ask({ method, path }: Place, sent: Drawn): Promise<Response> {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "model" ? sent.model : "x"));
  const body = toBody(sent);
  const headers = body === null ? {} : { "content-type": "application/json" };
  return engine.fetch(`http://engine${place}?${toQuery(sent.query)}`, { method, headers, body });
}

const readers = new Map<Schema, z.ZodType>();

/** The document's own schema as a check. */
function readerOf(schema: Schema): z.ZodType {
  const known = readers.get(schema);
  if (known) return known;
  const whole = JSON.stringify({ ...schema, $defs: schemas }).replaceAll("#/components/schemas/", "#/$defs/");
  const made = z.fromJSONSchema(JSON.parse(whole));
  readers.set(schema, made);
  return made;
}

/** The JSON values of an answer: one, or one for each event. */
function valuesIn(type: string, text: string): unknown[] {
  if (type !== "text/event-stream") return [JSON.parse(text)];
  const lines = text.split("\n").filter((line) => line.startsWith("data: ") && line !== "data: [DONE]");
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

/** What the document does not say of an answer; undefined when it says it. */
async function judge({ described }: Place, answer: Response): Promise<string | undefined> {
  const { status, headers } = answer;
  const text = await answer.text();
  if (headers.get("x-tg-event-id") === null) return "there is no event id";
  const shown = described.responses[status] ?? (status < 400 ? undefined : described.responses.default);
  const said = shown?.$ref ? responses[shown.$ref.split("/").at(-1) ?? ""] : shown;
  if (!said) return `${status} is not in the document`;
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  if (text === "") return said.content ? `${status} has no body` : undefined;
  const schema = said.content?.[type]?.schema;
  if (!schema) return `${status} is told as ${type}`;
  const broken = valuesIn(type, text).map((value) => readerOf(schema).safeParse(value));
  const error = broken.find(({ success }) => !success)?.error;
  return error && `${status} breaks its schema: ${error.message} ${text.slice(0, 500)}`;
}

test.each(operations.map((operation) => [operation.described.operationId, operation] as const))(
  "%s: what is answered, well or ill, is in the document",
  async (_name, operation) => {
    await fc.assert(
      fc.asyncProperty(drawn(operation), async (sent) => {
        const answer = await ask(operation, sent);
        expect(answer.status).toBeLessThan(500);
        expect(await judge(operation, answer)).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  },
);
