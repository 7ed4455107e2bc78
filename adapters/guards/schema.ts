import { z } from "zod";
import type { ChatRequest, ChatResponse } from "../../src/engine/api/chat.ts";
import { GatewayError } from "../../src/engine/errors.ts";
import type { Middleware, MiddlewareContext } from "../../src/engine/ports/middleware/middleware.ts";
import { contentText } from "../shared/guards/texts.ts";
import { type Checks, checkedOptions, object, text } from "../shared/options.ts";

/** The options of the guard. */
export interface SchemaOptions {
  /** As errors and events name it; `schema` unless rest. */
  readonly name?: string | undefined;
  /** A JSON Schema that answers must satisfy; that of the request's `response_format` unless rest. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  /** How often a model is asked to repair an answer: 0 to 5, once unless rest. */
  readonly repairs?: number | undefined;
  /** Who repairs (`provider/model`); the model of the request unless given, which then has to name a provider. */
  readonly model?: string | undefined;
}

const checks: Checks<SchemaOptions> = {
  name: text,
  schema: object,
  repairs: [
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 5,
    "a whole number from 0 to 5",
  ],
  model: text,
};

/**
 * Answers of chats are JSON that satisfies a schema: one that does not is given back to a model with what is wrong with it, and refused when
 * that does not help. Answers that call tools or refuse are left alone. Throws `invalid_configuration`.
 */
export function schema(options: SchemaOptions = {}): Middleware<"chat"> {
  const { name = "schema", repairs = 1, model, ...rest } = checkedOptions(options, checks, { of: "schema" });
  const own = rest.schema && compile(rest.schema);
  return {
    name,
    verbs: ["chat"],
    request(request, { state }) {
      state.request = request;
      return undefined;
    },
    async answer(answer, context) {
      const request = context.state.request as ChatRequest; // remembered above
      const asked = own ? undefined : schemaOf(request);
      const validate = own ?? (asked && compile(asked));
      if (!validate) return undefined;
      const repair = { validate, repairs, request: { ...request, model: model ?? request.model } };
      const choices: ChatResponse["choices"] = [];
      for (const choice of answer.choices) choices.push(await repaired(choice, repair, context));
      return choices.every((choice, at) => choice === answer.choices[at]) ? undefined : { ...answer, choices };
    },
  };
}

type Validator = z.ZodType;
type AnsweredChoice = ChatResponse["choices"][number];

function compile(jsonSchema: Readonly<Record<string, unknown>>): Validator {
  try {
    return z.fromJSONSchema(jsonSchema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (cause) {
    const message = "`schema`: is no JSON Schema that can be checked here.";
    throw new GatewayError("invalid_configuration", message, { param: "schema", cause });
  }
}

function schemaOf({ response_format: format }: ChatRequest): Readonly<Record<string, unknown>> | undefined {
  const { type, json_schema: named } = (format ?? {}) as { readonly type?: unknown; readonly json_schema?: unknown };
  if (type !== "json_schema" || typeof named !== "object" || named === null || !("schema" in named)) return undefined;
  return named.schema as Readonly<Record<string, unknown>>; // compiled, or refused, by its reader
}

/** What is wrong with a text; `undefined` where nothing is. */
function problemOf(content: string, validate: Validator): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return "it is not JSON";
  }
  const [issue] = validate.safeParse(value).error?.issues ?? [];
  return issue && `${issue.path.length === 0 ? "it" : `\`${issue.path.join(".")}\``}: ${issue.message}`;
}

interface Repair {
  readonly validate: Validator;
  readonly repairs: number;
  readonly request: ChatRequest;
}

async function repaired(choice: AnsweredChoice, repair: Repair, context: MiddlewareContext): Promise<AnsweredChoice> {
  const { message } = choice;
  if (message.tool_calls?.length || message.refusal) return choice;
  let content = contentText(message.content);
  for (let tries = 0; ; tries++) {
    const problem = problemOf(content, repair.validate);
    context.note({ repairs: tries });
    if (problem === undefined) return tries === 0 ? choice : { ...choice, message: { ...message, content } };
    if (tries === repair.repairs) return context.block("schema", "The answer does not satisfy its schema.");
    content = await askAgain(content, problem, { repair, context });
  }
}

async function askAgain(
  content: string,
  problem: string,
  { repair: { request }, context }: { readonly repair: Repair; readonly context: MiddlewareContext },
): Promise<string> {
  const { fallbacks: _fallbacks, n: _n, stream_options: _stream, ...fields } = request;
  const correction = `This answer does not satisfy the JSON Schema: ${problem}. Answer again with the corrected JSON and nothing else.`;
  const messages: ChatRequest["messages"] = [
    ...request.messages,
    { role: "assistant", content },
    { role: "user", content: correction },
  ];
  const answer = await context.chat({ ...fields, messages });
  return contentText(answer.choices[0]?.message.content);
}
