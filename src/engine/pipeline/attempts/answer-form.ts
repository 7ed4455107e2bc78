import type { ChatChunk, ChatResponse } from "../../api/chat.ts";
import type { EmbeddingResponse } from "../../api/embeddings.ts";
import type { RerankResponse } from "../../api/rerank.ts";
import { isRecord } from "../../dialects/wire-values.ts";
import { GatewayError } from "../../errors.ts";

/** The try that an answer belongs to. */
interface AnsweredTry {
  readonly target: { readonly provider: string };
}

/** What is wrong with an answer, and where; its path is made from the inside out, since most answers have no flaw. */
interface Flaw {
  readonly path: string;
  readonly problem: string;
}

/** Finds the flaw of a value. Table of our own, not the schemas: each chunk of a stream passes here. */
type FlawFinder = (value: unknown) => Flaw | undefined;
type FieldForms = readonly (readonly [name: string, form: FlawFinder])[];

const form = (test: (value: unknown) => boolean, what: string): FlawFinder => {
  const flaw = { path: "", problem: `must be ${what}` };
  return (value) => (test(value) ? undefined : flaw);
};
const isAbsent = (value: unknown) => value === undefined || value === null;
const optional =
  (inner: FlawFinder): FlawFinder =>
  (value) =>
    isAbsent(value) ? undefined : inner(value);
const fields =
  (of: FieldForms): FlawFinder =>
  (value) => {
    if (!isRecord(value)) return noObject;
    for (const [name, inner] of of) {
      const flaw = inner(value[name]);
      if (flaw) return within(name, flaw);
    }
    return undefined;
  };
const list =
  (inner: FlawFinder): FlawFinder =>
  (value) => {
    if (!Array.isArray(value)) return noList;
    for (let at = 0; at < value.length; at++) {
      const flaw = inner(value[at]);
      if (flaw) return within(String(at), flaw);
    }
    return undefined;
  };

const noObject: Flaw = { path: "", problem: "must be an object" };
const noList: Flaw = { path: "", problem: "must be a list" };

function within(name: string, { path, problem }: Flaw): Flaw {
  return { path: path === "" ? name : `${name}.${path}`, problem };
}

const text = form((value) => typeof value === "string", "a text");
const number = form((value) => typeof value === "number" && Number.isFinite(value), "a number");
const place = form((value) => Number.isSafeInteger(value) && (value as number) >= 0, "a whole number from 0 on");
const end = form((value) => value === null || typeof value === "string", "a text or null");
const words = optional(text);
const record = fields([]);
const records = optional(list(record));

const part = fields([["text", words]]);
const parts = list(part);
const content: FlawFinder = (value) => (Array.isArray(value) ? parts(value) : words(value));

const called = fields([
  ["name", words],
  ["arguments", words],
]);
const toolCall = fields([
  ["id", words],
  ["function", optional(called)],
]);

const messageForm = (contentForm: FlawFinder) =>
  fields([
    ["content", contentForm],
    ["tool_calls", optional(list(toolCall))],
    ["reasoning", words],
    ["refusal", words],
    ["reasoning_details", records],
    ["annotations", records],
    ["audio", optional(record)],
  ]);

const answer = (name: "message" | "delta", message: FlawFinder) =>
  fields([
    ["id", text],
    ["created", number],
    ["model", text],
    [
      "choices",
      list(
        fields([
          ["index", place],
          ["finish_reason", end],
          [name, message],
          ["log_probs", optional(record)],
        ]),
      ),
    ],
  ]);

const forms = {
  answer: answer("message", messageForm(content)),
  chunk: answer("delta", messageForm(words)),
  vectors: fields([
    ["model", text],
    [
      "data",
      list(
        fields([
          ["index", place],
          ["embedding", form((value) => typeof value === "string" || Array.isArray(value), "a list or a text")],
        ]),
      ),
    ],
  ]),
  scores: fields([
    ["model", text],
    [
      "results",
      list(
        fields([
          ["index", place],
          ["relevance_score", number],
        ]),
      ),
    ],
  ]),
} as const satisfies Record<string, FlawFinder>;

/** What each form is of. */
interface Formed {
  readonly answer: ChatResponse;
  readonly chunk: ChatChunk;
  readonly vectors: EmbeddingResponse;
  readonly scores: RerankResponse;
}

/** The answer of a provider as it came. Throws `upstream_invalid_response` that names the provider and the field where it has not the form. */
export function checkForm<Kind extends keyof Formed>(kind: Kind, value: unknown, attempt: AnsweredTry): Formed[Kind] {
  const flaw = forms[kind](value);
  if (flaw) throw invalidAnswer(attempt, flaw);
  return value as Formed[Kind]; // seam: as far as the pipeline reads it
}

/** What a provider streams. Throws as {@link checkForm} where it is no async iterable. */
export function checkSource(source: unknown, attempt: AnsweredTry): AsyncIterable<ChatChunk> {
  const steps = isAbsent(source) ? undefined : (source as Partial<AsyncIterable<ChatChunk>>)[Symbol.asyncIterator];
  if (typeof steps !== "function") throw invalidAnswer(attempt, { path: "", problem: "must be an async iterable" });
  return source as AsyncIterable<ChatChunk>;
}

function invalidAnswer({ target: { provider } }: AnsweredTry, { path, problem }: Flaw): GatewayError {
  const field = path === "" ? "it" : `\`${path}\``;
  const message = `The answer of the provider \`${provider}\` cannot be used: ${field} ${problem}.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}
