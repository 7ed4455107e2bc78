import { z } from "zod";
import type { ChatResponse } from "../../../api/chat.ts";
import type { SentMessage } from "../../../api/sent/requests.ts";
import { textOf } from "../../../api/sent/text-of.ts";
import { GatewayError } from "../../../errors.ts";
import type { CallOptions } from "../../call/options.ts";
import type { AnyObjectSchema, ObjectRequest, ObjectResult, WholeChat } from "./object-request.ts";

/** A schema in both its uses: what the model reads, and what checks its answer. */
interface ReadSchema {
  readonly json: Readonly<Record<string, unknown>>;
  check(value: unknown): Promise<{ readonly value: unknown } | { readonly problem: string }>;
}

/** Characters of an answer that go back to the model when it is repaired. */
const mostRepaired = 100_000;

/** Asks for a value, and for a better one where it does not satisfy its schema. */
export async function askObject<Output>(
  chat: WholeChat,
  request: ObjectRequest<Output>,
  options: CallOptions,
): Promise<ObjectResult<Output>> {
  const { schema, name, repairs, ...rest } = checked(request);
  const { json, check } = readSchema(schema);
  const response_format = { type: "json_schema" as const, json_schema: { name, schema: json, strict: true } };
  const messages: SentMessage[] = [...rest.messages];
  let cost = 0;
  for (let repair = 0; ; repair++) {
    const answer = await chat({ ...rest, messages: [...messages], response_format }, options);
    cost += answer.usage?.cost?.total_cost ?? 0;
    const text = textOf(answer);
    refuseUnfinished(answer);
    const read = await readValue(text, check);
    if ("value" in read) return { object: read.value as Output, answer, repairs: repair, cost }; // the schema says so
    if (repair === repairs) throw invalid(answer, `does not satisfy the schema: ${read.problem}`);
    messages.push(
      { role: "assistant", content: text.slice(0, mostRepaired) },
      {
        role: "user",
        content: `That does not satisfy the schema: ${read.problem}. Answer with the corrected JSON only.`,
      },
    );
  }
}

function checked<Output>(request: ObjectRequest<Output>) {
  if (typeof request !== "object" || request === null) throw refuse("request", "must be an object");
  const { schema, name = "answer", repairs = 1, ...rest } = request;
  if (!Array.isArray(rest.messages)) throw refuse("messages", "must be a list");
  if (typeof schema !== "object" || schema === null) throw refuse("schema", "must be a zod schema or a JSON Schema");
  if (!/^[\w-]{1,64}$/.test(name)) throw refuse("name", "must be 1 to 64 letters, digits, `_` and `-`");
  if (!(Number.isInteger(repairs) && repairs >= 0 && repairs <= 5))
    throw refuse("repairs", "must be a whole number from 0 to 5");
  if ("response_format" in rest) throw refuse("response_format", "is made of `schema`");
  return { schema, name, repairs, ...rest };
}

function readSchema<Output>(schema: AnyObjectSchema<Output>): ReadSchema {
  try {
    if ("_zod" in schema) {
      const own = schema as unknown as z.ZodType;
      return { json: z.toJSONSchema(own, { target: "draft-7", io: "input" }), check: (value) => checkWith(own, value) };
    }
    if ("~standard" in schema) throw refuse("schema", "is of another library than zod 4: give its JSON Schema");
    const compiled = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    return { json: schema, check: (value) => checkWith(compiled, value) };
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw refuse("schema", "cannot be checked here", cause);
  }
}

async function checkWith(schema: z.ZodType, value: unknown) {
  const { success, data, error } = await schema.safeParseAsync(value);
  if (success) return { value: data };
  const [issue] = error.issues;
  const path = issue?.path.join(".") ?? "";
  return { problem: `${path === "" ? "" : `\`${path}\`: `}${issue?.message ?? "invalid"}`.slice(0, 1_000) };
}

/** The value of a text, which some models put between the fences of a code block. */
async function readValue(text: string, check: ReadSchema["check"]) {
  const trimmed = text.trim();
  const isFenced = trimmed.startsWith("```") && trimmed.endsWith("```") && trimmed.includes("\n");
  const body = isFenced ? trimmed.slice(trimmed.indexOf("\n"), -3) : trimmed;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { problem: "it is no JSON" };
  }
  return check(value);
}

function refuseUnfinished(answer: ChatResponse): void {
  const [choice] = answer.choices;
  if (choice?.message.refusal) throw invalid(answer, "is a refusal");
  if (choice?.finish_reason === "length") throw invalid(answer, "was cut off: raise `max_completion_tokens`");
}

function invalid({ extra_fields }: ChatResponse, problem: string): GatewayError {
  const { provider, model_deployment: model } = extra_fields ?? {};
  return new GatewayError("upstream_invalid_response", `The answer of ${provider}/${model} ${problem}.`, { provider });
}

function refuse(param: string, problem: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param, cause });
}
