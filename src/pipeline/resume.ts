import type { ChatChunk, ChatRequest } from "../api/chat.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { stepsOf } from "../ports/steps.ts";
import type { Provider } from "../ports.ts";
import type { Target } from "../route/plan.ts";
import { announceFallback, hasNext, report } from "./ask.ts";
import type { Ask, Attempt } from "./attempt.ts";
import { announceFailure } from "./call.ts";
import type { Relay } from "./relayed.ts";
import { endIfLate, endSource, type Opened, openStream } from "./stream.ts";
import { askTarget, type Failed, type Served } from "./target.ts";
import { tellOfNext } from "./tell.ts";

/** True when a broken stream may be gone on with (inference-resolved.md, 6.8): only text was told, and another candidate is left. */
export function canResume({ journey, request, teller, served }: Relay, error: GatewayError): boolean {
  const { call } = journey;
  const { recovery: chosen } = call.ports.routing;
  const recovery = call.options.recovery ?? chosen ?? (request.fallbacks?.length ? "resume" : "error");
  if (recovery === "error" || call.cancelled || call.isSettled || !hasNext(journey)) return false;
  if (teller.hasOtherThanText || (typeof request.n === "number" && request.n > 1)) return false;
  return mendable.has(error.code) && served.attempt.failure?.code !== "request_cancelled";
}

const mendable: ReadonlySet<string> = new Set([
  "upstream_stream_broken",
  "upstream_unreachable",
  "upstream_timeout",
  "upstream_invalid_response",
  "upstream_error",
]);

/**
 * Lets the next candidates go on where the stream broke: one whose answer begins with what was told gives the rest; one that does not
 * is asked to continue from there, if it can. When nobody can, the first error is thrown, whatever the others said.
 */
export async function resume(relay: Relay, error: GatewayError): Promise<void> {
  const { journey } = relay;
  const { call, targets, reports } = journey;
  const brokenAt = relay.served.attempt.target;
  report(journey, brokenAt, { error, startedAt: call.startedAt });
  while (hasNext(journey) && !call.cancelled) {
    const target = targets[journey.next++] as Target;
    announceFallback(call, [brokenAt.name, target.name], error);
    const startedAt = call.ports.clock.now();
    const outcome = await goOn(relay, target);
    if ("answer" in outcome) return takeOver(relay, outcome);
    report(journey, target, { error: outcome.error, startedAt });
    announceFailure(call, outcome.error); // the first error hides it
  }
  throw withDetails(error, { attempts: reports });
}

function takeOver(relay: Relay, served: Served<Opened>): void {
  relay.served = served;
  relay.told = 0;
  tellOfNext(relay.teller, served.attempt);
  served.attempt.onFailure = relay.onIdleFailure;
}

/** First the same question, for an answer that begins alike; then, where the provider can, from the last word told. */
async function goOn({ journey: { call }, request, teller }: Relay, target: Target): Promise<Served<Opened> | Failed> {
  const { text } = teller;
  const provider = call.ports.providers.get(target.provider) as Provider;
  const spliced = await askTarget(call, target, spliceAfter(text, request));
  if ("answer" in spliced || spliced.error.code !== "unsupported_operation" || !provider.continueChat) return spliced;
  const messages = [...request.messages, { role: "assistant" as const, content: text }];
  return askTarget(call, target, (asked, attempt) =>
    openStream((asked as Required<Provider>).continueChat({ ...request, messages }, attempt), attempt),
  );
}

/** Asks the whole question again and gives what comes after the text that was told already. */
function spliceAfter(told: string, request: ChatRequest): Ask<Opened> {
  return async (provider, attempt) => {
    const source = (provider as Required<Provider>).streamChat(request, attempt);
    const rest = stepsOf(source);
    let text = "";
    let thoughts = "";
    for (;;) {
      const step = await rest.next();
      if (step.done) throw differs(attempt);
      endIfLate(attempt, rest);
      const chunk = step.value;
      text += chunk.choices[0]?.delta.content ?? "";
      const untold = `${text.slice(0, told.length)}${thoughts}`;
      thoughts += chunk.choices[0]?.delta.reasoning ?? "";
      attempt.approach.consumed = `${text}${thoughts}`;
      const isAlike = told.startsWith(text.slice(0, told.length));
      const goesOn = chunk.choices.some(({ delta, finish_reason }) => finish_reason !== null || holdsMore(delta));
      if (!isAlike || (goesOn && text.length < told.length)) {
        const error = differs(attempt);
        endSource(attempt, rest, error);
        throw error;
      }
      if (text.length <= told.length && !goesOn) continue;
      attempt.watch.arrived();
      return { held: [onlyRest(chunk, text.slice(told.length))], rest, untold };
    }
  };
}

/** True for parts that must not be left out, as what is like the text told before may be, and the thoughts before it. */
function holdsMore({ tool_calls, refusal, audio }: ChatChunk["choices"][number]["delta"]): boolean {
  return Boolean(tool_calls?.length || refusal || audio);
}

/** The chunk with only that part of its text that was not told yet. */
function onlyRest(chunk: ChatChunk, content: string): ChatChunk {
  const [first, ...others] = chunk.choices;
  if (!first) return chunk;
  const { role: _told, content: _whole, ...delta } = first.delta;
  return { ...chunk, choices: [{ ...first, delta: content === "" ? delta : { ...delta, content } }, ...others] };
}

function differs({ target }: Attempt): GatewayError {
  return new GatewayError("unsupported_operation", `${target.name} answers otherwise than what was told already.`);
}
