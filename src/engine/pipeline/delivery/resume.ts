import type { ChatChunk, ChatRequest } from "../../api/chat.ts";
import { GatewayError, withDetails } from "../../errors.ts";
import type { Provider } from "../../ports/provider.ts";
import type { Target } from "../../routing/plan.ts";
import { pullIteratorOf } from "../../runtime/pull-iterator.ts";
import { askStream } from "../attempts/ask-chat.ts";
import type { Attempt } from "../attempts/attempt.ts";
import { emitFallback, hasNext, reportMiss } from "../attempts/candidates.ts";
import { askTarget, type Failed, type Served } from "../attempts/target.ts";
import type { CallProvider } from "../attempts/try-once.ts";
import { emitFailure } from "../call/call.ts";
import { beginNextAttempt } from "./chunk-writer.ts";
import { awaitFirstContent, type CommittedStream, chunkOf, endIfLate, endSource } from "./first-content.ts";
import type { StreamDelivery } from "./stream-state.ts";

/** True when a broken stream may be continued (inference-resolved.md, 6.8): only text was sent, and another candidate is left. */
export function canResume({ candidates, request, state, served }: StreamDelivery, error: GatewayError): boolean {
  const { call } = candidates;
  const { recovery: chosen } = call.ports.routing;
  const recovery = call.options.recovery ?? chosen ?? (request.fallbacks?.length ? "resume" : "error");
  if (recovery === "error" || call.cancelled || call.isSettled || !hasNext(candidates)) return false;
  if (state.hasOtherThanText || (typeof request.n === "number" && request.n > 1)) return false;
  return recoverable.has(error.code) && served.attempt.failure?.code !== "request_cancelled";
}

const recoverable: ReadonlySet<string> = new Set([
  "upstream_stream_broken",
  "upstream_unreachable",
  "upstream_timeout",
  "upstream_invalid_response",
  "upstream_error",
]);

/**
 * Lets the next candidates continue a broken stream: one whose answer begins with the text sent gives the rest; one that does not
 * is asked to continue from there, if it can. When none can, the first error is thrown, whatever the others said.
 */
export async function resume(delivery: StreamDelivery, error: GatewayError): Promise<void> {
  const { candidates } = delivery;
  const { call, targets, reports } = candidates;
  const brokenAt = delivery.served.attempt.target;
  reportMiss(candidates, brokenAt, { error, startedAt: call.startedAt, tries: 1 });
  const obstacles: string[] = [];
  while (hasNext(candidates) && !call.cancelled) {
    const target = targets[candidates.next++] as Target;
    emitFallback(call, [brokenAt.name, target.name], error);
    const startedAt = call.ports.clock.now();
    const outcome = await goOn(delivery, target);
    if ("answer" in outcome) return takeOver(delivery, outcome);
    reportMiss(candidates, target, { error: outcome.error, startedAt, tries: outcome.tries });
    emitFailure(call, outcome.error); // the first error hides it
    obstacles.push(`${target.name}: ${outcome.error.message}`);
  }
  throw withDetails(namingObstacles(error, obstacles), { attempts: reports });
}

/** The error that ended the stream, with what was tried to go on; the words of a vendor stay as they are. */
function namingObstacles(error: GatewayError, obstacles: readonly string[]): GatewayError {
  if (obstacles.length === 0 || error.upstream !== undefined) return error;
  const named = new GatewayError(error.code, `${error.message} No other target could go on: ${obstacles.join(" ")}`);
  const { param, provider, model, retryAfterMs, eventId, cause } = error;
  return withDetails(named, { param, provider, model, retryAfterMs, eventId, cause });
}

function takeOver(delivery: StreamDelivery, served: Served<CommittedStream>): void {
  delivery.served = served;
  delivery.sentCount = 0;
  beginNextAttempt(delivery.state, served.attempt);
  served.attempt.onFailure = delivery.onIdleFailure;
}

/** First the same question, for an answer that begins alike; then, where the provider can, from the last word sent. */
async function goOn(
  { candidates, request, state }: StreamDelivery,
  target: Target,
): Promise<Served<CommittedStream> | Failed> {
  const { text } = state;
  const provider = candidates.call.ports.providers.get(target.provider) as Provider;
  const spliced = await askTarget(candidates, target, spliceAfter(text, request));
  if ("answer" in spliced || spliced.error.code !== "unsupported_operation" || !provider.continueChat) return spliced;
  const messages = [...request.messages, { role: "assistant" as const, content: text }];
  return askTarget(candidates, target, (facts, attempt) =>
    awaitFirstContent(continuing(facts as Required<Provider>, { ...request, messages }, attempt), attempt),
  );
}

function continuing(provider: Required<Provider>, request: ChatRequest, attempt: Attempt): AsyncIterable<ChatChunk> {
  return askStream(provider, request, { attempt, method: "continueChat" });
}

/** Asks the whole question again and returns what follows the text that was sent already. */
function spliceAfter(sentText: string, request: ChatRequest): CallProvider<CommittedStream> {
  return async (provider, attempt) => {
    const source = askStream(provider as Required<Provider>, request, { attempt });
    const rest = pullIteratorOf(source);
    let text = "";
    let thoughts = "";
    for (;;) {
      const step = await rest.next();
      if (step.done) throw differs(attempt);
      endIfLate(attempt, rest);
      const chunk = chunkOf(step.value, attempt);
      text += chunk.choices[0]?.delta.content ?? "";
      const unsent = `${text.slice(0, sentText.length)}${thoughts}`;
      thoughts += chunk.choices[0]?.delta.reasoning ?? "";
      attempt.consumed.lostText = `${text}${thoughts}`;
      const isAlike = sentText.startsWith(text.slice(0, sentText.length));
      const goesOn = chunk.choices.some(({ delta, finish_reason }) => finish_reason !== null || holdsMore(delta));
      if (!isAlike || (goesOn && text.length < sentText.length)) {
        const error = differs(attempt);
        endSource(attempt, rest, error);
        throw error;
      }
      if (text.length <= sentText.length && !goesOn) continue;
      attempt.timer.arrived();
      return { buffered: [onlyRest(chunk, text.slice(sentText.length))], rest, unsent };
    }
  };
}

/** True for parts that must not be left out, unlike text that repeats what was sent, and the thoughts before it. */
function holdsMore({ tool_calls, refusal, audio }: ChatChunk["choices"][number]["delta"]): boolean {
  return Boolean(tool_calls?.length || refusal || audio);
}

/** The chunk with only that part of its text that was not sent yet. */
function onlyRest(chunk: ChatChunk, content: string): ChatChunk {
  const [first, ...others] = chunk.choices;
  if (!first) return chunk;
  const { role: _sent, content: _whole, ...delta } = first.delta;
  return { ...chunk, choices: [{ ...first, delta: content === "" ? delta : { ...delta, content } }, ...others] };
}

function differs({ target }: Attempt): GatewayError {
  return new GatewayError(
    "unsupported_operation",
    `${target.name} contradicts the part of the answer that was delivered already.`,
  );
}
