import fc from "fast-check";
import type { ChatRequest } from "../engine/api/chat.ts";
import type { Script, ScriptStep } from "./script/step.ts";

/** The world that requests and scripts are drawn from: both must be given the same. */
export interface AnyChatOptions {
  /** Names of providers, e.g. `["a", "b"]`. */
  readonly providers: readonly string[];
  /** Names of the models that each provider has; `["small", "large"]` by default. */
  readonly models?: readonly string[] | undefined;
}

const defaultModels = ["small", "large"];

/** Any `provider/model` of the cast. */
export function anyModelName({ providers, models = defaultModels }: AnyChatOptions): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...providers), fc.constantFrom(...models)).map((parts) => parts.join("/"));
}

/** Any chat request to the cast: messages, parameters within their bounds, fallbacks. */
export function anyChat(cast: AnyChatOptions): fc.Arbitrary<ChatRequest> {
  const message = fc.record({
    role: fc.constantFrom("system" as const, "user" as const, "assistant" as const),
    content: fc.string({ maxLength: 40 }),
  });
  return fc.record(
    {
      model: anyModelName(cast),
      messages: fc.array(message, { minLength: 1, maxLength: 4 }),
      fallbacks: fc.array(anyModelName(cast), { maxLength: 3 }),
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      top_p: fc.double({ min: 0, max: 1, noNaN: true }),
      max_completion_tokens: fc.integer({ min: 1, max: 4096 }),
      stop: fc.array(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 4 }),
      seed: fc.integer(),
    },
    { requiredKeys: ["model", "messages"] },
  ) as fc.Arbitrary<ChatRequest>;
}

const anyText = fc
  .array(fc.constantFrom("to", "be", "or", "not", "that", "is"), { minLength: 1, maxLength: 8 })
  .map((words) => words.join(" "));

/** Anything that a provider may do when it is asked. */
export function anyStep(): fc.Arbitrary<ScriptStep> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("answer" as const), text: anyText }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("fail" as const),
        status: fc.constantFrom(400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: "unreachable" as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("break" as const), text: anyText, after: fc.nat(8) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("truncate" as const), text: anyText, after: fc.nat(8) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("silence" as const), text: anyText, after: fc.nat(8) }) },
    { weight: 1, arbitrary: fc.constant({ kind: "defect" as const }) },
  );
}

/** Any script for the cast: every model of every provider has one to four steps. */
export function anyScript({ providers, models = defaultModels }: AnyChatOptions): fc.Arbitrary<Script> {
  const names = providers.flatMap((provider) => models.map((model) => `${provider}/${model}`));
  const steps = fc.array(anyStep(), { minLength: 1, maxLength: 4 });
  return fc.record(Object.fromEntries(names.map((name) => [name, steps])));
}
