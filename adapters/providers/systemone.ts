import type { DecisionRequest, DecisionResponse } from "../../src/api/decisions.ts";
import type { Usage } from "../../src/api/usage.ts";
import {
  type AnswerOption,
  type DecisionQuestions,
  readQuestions,
  type TypedQuestion,
} from "../../src/decisions/question.ts";
import { isRecord } from "../../src/dialects/wire-values.ts";
import { GatewayError } from "../../src/errors.ts";
import type { Provider, ProviderCall } from "../../src/ports/provider.ts";
import { type KeyOptions, overCredentials } from "../shared/credentials.ts";
import { type HttpClient, httpClient } from "../shared/http/client.ts";
import { requireKey } from "../shared/http/target.ts";
import type { WireOptions } from "../shared/http/wire-options.ts";
import { readModels } from "../shared/openai-compatible/models.ts";
import { type Checks, checkedOptions, keyedChecks, oneOf } from "../shared/options.ts";

/** Options of `systemone()`; `baseUrl` and `apiKey`, or `credentials` in its place, are required. */
export interface SystemoneOptions extends KeyOptions, WireOptions {
  /** Where the interface begins, e.g. `https://api.upstage.ai/v1`. */
  readonly baseUrl: string;
  /** `map` asks `POST /systemone`, `list` asks `POST /decisions`; `map` unless given. */
  readonly form?: "map" | "list" | undefined;
}

const checks: Checks<SystemoneOptions> = {
  ...keyedChecks,
  form: oneOf("map", "list"),
};

/**
 * A vendor of decision models: System One's interface (Upstage, TypeSafe, Fireworks, …), or OpenAI's Decisions interface (`form: "list"`).
 * Requests of either form reach it in its own; it answers all questions in one call.
 */
export function systemone(options: SystemoneOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "systemone" });
  const { baseUrl, headers, fetch, transport, form = "map", name = "systemone" } = settings;
  return overCredentials(settings, { name, fetch, transport }, (apiKey, shared) => {
    const authorization = `Bearer ${requireKey(apiKey, name)}`;
    const http = httpClient({
      provider: name,
      baseUrl,
      headers: { authorization, ...headers },
      fetch,
      transport: shared,
    });
    return provideDecisions({ name, http, form });
  });
}

interface DecisionVendor {
  readonly name: string;
  readonly http: HttpClient;
  readonly form: "map" | "list";
}

function provideDecisions(vendor: DecisionVendor): Provider {
  const { name, http, form } = vendor;
  return {
    name,
    async decide(request, call) {
      const path = form === "map" ? "/systemone" : "/decisions";
      return readDecisions(await http.post(path, bodyFor(vendor, request, call), call), vendor, call);
    },
    listModels: async (call) => readModels(await http.get("/models", call), name),
    close: () => http.close(),
  };
}

/** The fields of both forms. */
interface Loose {
  readonly state?: unknown;
  readonly input?: unknown;
}

/** The vendor's body; fields of the caller that neither form knows go along untouched. */
function bodyFor(vendor: DecisionVendor, request: DecisionRequest, { model }: ProviderCall): Record<string, unknown> {
  const { model: _m, fallbacks: _f, questions: _q, state: _s, input: _i, ...rest } = request as typeof request & Loose;
  const decisionQuestions = readQuestions(request);
  if (vendor.form === "list") {
    return {
      ...rest,
      model,
      input: toInput(decisionQuestions),
      questions: decisionQuestions.questions.map(toListQuestion),
    };
  }
  const questions = decisionQuestions.questions.map((question) => [question.name, toMapQuestion(question)]);
  return { ...rest, model, state: toState(decisionQuestions, vendor), questions: Object.fromEntries(questions) };
}

/** A conversation as JSON; the map form takes no pictures, and a decision without them would be another one. */
function toState({ situation }: DecisionQuestions, { name }: DecisionVendor): unknown {
  if (situation.kind === "value") return situation.value ?? null;
  const hasImage = situation.messages.some(({ content }) => typeof content !== "string" && content.some(isImage));
  if (hasImage) {
    const message = `\`input\`: ${name} takes no \`input_image\`.`;
    throw new GatewayError("unsupported_operation", message, { param: "input", provider: name });
  }
  return situation.messages;
}

function isImage({ type }: { readonly type: string }): boolean {
  return type === "input_image";
}

/** Text or messages; what else a state may be goes as JSON. */
function toInput({ situation }: DecisionQuestions): unknown {
  if (situation.kind === "messages") return situation.messages;
  const { value } = situation;
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function toMapQuestion({ kind, instructions, options }: TypedQuestion): object {
  const settings = instructions === undefined ? {} : { instructions };
  if (kind === "score") return { type: kind, ...settings, criteria: options.map(describeLevel) };
  if (kind === "noul" && options.every(({ description }) => description === undefined))
    return { type: kind, ...settings };
  const criteria = options.map(({ key, description }) => [key, description ?? null]);
  return { type: kind, ...settings, criteria: Object.fromEntries(criteria) };
}

function describeLevel({ label, description }: AnswerOption): string {
  return description === undefined ? `${label}` : `${label}: ${description}`;
}

function toListQuestion({ name, kind, instructions, options }: TypedQuestion): object {
  const settings = { name, ...(instructions === undefined ? {} : { instructions: asText(instructions) }) };
  if (kind === "score") {
    const levels = options.map(({ label, description }) => ({ label, ...described(description) }));
    return { type: kind, ...settings, levels };
  }
  if (kind === "choice") {
    const choices = options.map(({ value, description }) => ({ value, ...described(description) }));
    return { type: kind, ...settings, choices };
  }
  const criteria = options.flatMap(({ key, description }) => (description === undefined ? [] : [[key, description]]));
  return {
    type: "predicate",
    ...settings,
    ...(criteria.length === 0 ? {} : { criteria: Object.fromEntries(criteria) }),
  };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function described(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

/** The vendor's answers under our names; the engine holds them to the questions. */
function readDecisions(raw: unknown, { name, form }: DecisionVendor, call: ProviderCall): DecisionResponse {
  if (!isRecord(raw) || typeof raw.answers !== "object" || raw.answers === null) {
    throw new GatewayError("upstream_invalid_response", `The answer of ${name} has no answers.`, { provider: name });
  }
  const answers = form === "map" && isRecord(raw.answers) ? withOurNames(raw.answers) : raw.answers;
  const usage = readUsage(raw.usage);
  const model = typeof raw.model === "string" && raw.model !== "" ? raw.model : call.model;
  const id = typeof raw.id === "string" && raw.id !== "" ? raw.id : call.id;
  return { id, model, answers: answers as DecisionResponse["answers"], ...(usage ? { usage } : {}) };
}

function withOurNames(answers: Record<string, unknown>): Record<string, unknown> {
  const renamed = Object.entries(answers).map(([name, answer]) => {
    if (!isRecord(answer) || typeof answer.type !== "string") return [name, answer];
    const { type, [type]: value, ...rest } = answer;
    return [name, { ...rest, kind: type, value }];
  });
  return Object.fromEntries(renamed);
}

function readUsage(raw: unknown): Usage | undefined {
  if (!isRecord(raw)) return undefined;
  const { input_tokens: prompt, output_tokens: completion = 0, input_tokens_details: details } = raw;
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  const cached = isRecord(details) && isCount(details.cached_tokens) ? Math.min(details.cached_tokens, prompt) : 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 ? { prompt_tokens_details: { cached_read_tokens: cached } } : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
