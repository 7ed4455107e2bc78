import type { ChatChunk, ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { isLoss, warnOfLoss } from "../chat/decode.ts";
import type { LearntParameters } from "../chat/learnt-parameters.ts";
import { byRules, type RulesByModel } from "../chat/model-rules.ts";
import type { HttpClient } from "../http/client.ts";
import { orElse } from "../http/or-else.ts";
import type { EventBatches } from "../http/response/event-batches.ts";
import { flattenBatches } from "../http/response/flatten-batches.ts";
import type { SseEvent } from "../http/sse.ts";
import type { CompatibilityProfile } from "./compatibility-profile.ts";
import { type PrefillDialect, sentBefore, withoutRepeated, withPrefix } from "./prefill.ts";
import { dialectBy } from "./request/dialect-by-model.ts";
import { chatToWire, type WireBody } from "./request/to-wire.ts";
import type { ReadContext } from "./response/answer.ts";
import { chunkReader } from "./response/chunks.ts";

/** Whom a chat is with. */
export interface ProviderContext {
  readonly name: string;
  readonly http: HttpClient;
  readonly dialect: CompatibilityProfile;
  /** What the configuration says that models take otherwise than the dialect. */
  readonly rulesOf?: RulesByModel | undefined;
  /** What the vendor's refusals have taught. */
  readonly learnt: LearntParameters;
}

/** The body of a question, as the vendor takes it. Each warning is given once, however many messages ask for it. */
export function bodyFor(
  { name, dialect, rulesOf, learnt }: ProviderContext,
  { request, call }: ChatCallInput,
  isStream: boolean,
): WireBody {
  const warned: string[] = [];
  const warn = (warning: string) => {
    if (warned.includes(warning)) return;
    warned.push(warning);
    call.warn(warning);
  };
  const { model } = call;
  const rules = rulesOf?.(model);
  const to = { provider: name, model, dialect: dialectBy(rules, dialect), warn, isStream };
  const body = chatToWire(request, model, to);
  return learnt.apply(rules ? byRules(body, rules, to) : body, to);
}

/** What an answer is read with. */
export function reading({ name, http }: ProviderContext, call: ProviderCall): ReadContext {
  return { provider: name, http, call };
}

/** A question, and its call. */
export interface ChatCallInput {
  readonly request: ChatRequest;
  readonly call: ProviderCall;
}

/** Continues the last message; what the vendor repeats of it is dropped. */
export function continueChat(
  of: ProviderContext,
  { path, repeats }: PrefillDialect,
  { request, call }: ChatCallInput,
): AsyncIterable<ChatChunk> {
  const chunks = streamChat(of, { request: withPrefix(request), call }, path);
  return repeats === true ? withoutRepeated(chunks, sentBefore(request)) : chunks;
}

/** A streamed answer; a refusal of a parameter is learnt from, once. */
export function streamChat(of: ProviderContext, input: ChatCallInput, path?: string): AsyncIterable<ChatChunk> {
  const learns = (thrown: unknown) => of.learnt.learn(bodyFor(of, silent(input), true), input.call.model, thrown);
  return orElse(openStream(of, input, path), (thrown) => (learns(thrown) ? openStream(of, input, path) : undefined));
}

/** The question without its warnings: they were given. */
export function silent({ request, call }: ChatCallInput): ChatCallInput {
  return { request, call: { ...call, model: call.model, warn: () => {} } };
}

function openStream(
  of: ProviderContext,
  { request, call }: ChatCallInput,
  path = "/chat/completions",
): AsyncIterable<ChatChunk> {
  let events: EventBatches | undefined;
  const reader = chunkReader(reading(of, call), () => events?.cost);
  return flattenBatches<readonly SseEvent[], ChatChunk>({
    open() {
      events = of.http.events(path, bodyFor(of, { request, call }, true), call);
      return events;
    },
    read: (batch) => reader.read(batch),
    end(broken) {
      if (broken && (!reader.isComplete() || !isLoss(broken.thrown))) throw broken.thrown;
      if (broken) warnOfLoss({ provider: of.name, call });
      const last = reader.end();
      return last === undefined ? [] : [last];
    },
  });
}
