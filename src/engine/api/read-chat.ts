import { z } from "zod";
import { ChatRequest } from "./chat.ts";
import { ChatMessage } from "./message.ts";
import { findNoJson } from "./no-json.ts";

/** The checks of a schema that {@link plainTest} knows how to tell from its bounds. */
const bounds: ReadonlySet<string> = new Set(["greater_than", "less_than", "number_format", "max_length"]);

/**
 * What a schema says of a value, as a plain test, where it is no more than a boolean, a number within bounds or a text of a bounded length;
 * `undefined` for every other schema. A value that passes is its own result; `undefined` does not pass, also where it may be left out.
 */
export function plainTest(schema: z.ZodType): ((value: unknown) => boolean) | undefined {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodBoolean) return (value) => typeof value === "boolean";
  if (inner instanceof z.ZodNumber && isBounded(inner)) return numberTest(inner);
  if (inner instanceof z.ZodString && isBounded(inner)) return textTest(inner);
  return undefined;
}

function isBounded({ def }: z.ZodNumber | z.ZodString): boolean {
  const checks = def.checks ?? [];
  return checks.every(
    ({ _zod: { def } }) => bounds.has(def.check) && (!("inclusive" in def) || def.inclusive === true),
  );
}

function numberTest({ minValue, maxValue, isInt }: z.ZodNumber): (value: unknown) => boolean {
  const [least, most] = [minValue ?? -Infinity, maxValue ?? Infinity];
  const isNumber = isInt ? Number.isSafeInteger : Number.isFinite;
  return (value) => isNumber(value) && (value as number) >= least && (value as number) <= most;
}

function textTest({ maxLength }: z.ZodString): (value: unknown) => boolean {
  const most = maxLength ?? Infinity;
  return (value) => typeof value === "string" && value.length <= most;
}

/** How a field is read: by a plain test where its schema is no more than that. */
interface ReadableField {
  readonly schema: z.ZodType;
  readonly isPlain: ((value: unknown) => boolean) | undefined;
}

const fields: ReadonlyMap<string, ReadableField> = new Map(
  Object.entries<z.ZodType>(ChatRequest.shape).map(([name, schema]) => [name, { schema, isPlain: plainTest(schema) }]),
);
const roles: ReadonlySet<unknown> = new Set(ChatMessage.shape.role.options);

/**
 * What {@link ChatRequest} makes of a request, field by field, since most requests have five of its forty; the rules are the schema's own,
 * but for messages of a role and a text. Undefined where something is wrong or unusual: the schema then says what.
 */
export function readChat(input: unknown): ChatRequest | undefined {
  if (!isRecord(input)) return undefined;
  const request: Record<string, unknown> = {};
  for (const name of Object.keys(input)) {
    const value = name === "messages" ? readMessages(input[name]) : readField(name, input[name]);
    if (value === undefined) return undefined;
    request[name] = value;
  }
  return "model" in request && "messages" in request ? (request as ChatRequest) : undefined; // each field is the schema's
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function readField(name: string, value: unknown): unknown {
  const field = fields.get(name);
  if (field === undefined) return name === "__proto__" || findNoJson(value) ? undefined : (value ?? undefined);
  if (field.isPlain) return field.isPlain(value) ? value : undefined;
  const result = field.schema.safeParse(value);
  return result.success && !findNoJson(result.data, value) ? result.data : undefined;
}

function readMessages(messages: unknown): readonly ChatMessage[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const read: ChatMessage[] = [];
  for (const message of messages) {
    const known = readText(message) ?? readMessage(message);
    if (known === undefined) return undefined;
    read.push(known);
  }
  return read;
}

function readMessage(message: unknown): ChatMessage | undefined {
  const { data: known } = ChatMessage.safeParse(message);
  return findNoJson(known, message) ? undefined : known;
}

/** A message of a role and a text. */
function readText(message: unknown): ChatMessage | undefined {
  if (!isRecord(message)) return undefined;
  const { role, content } = message;
  if (typeof content !== "string" || !roles.has(role) || Object.keys(message).length !== 2) return undefined;
  return { role: role as ChatMessage["role"], content };
}
