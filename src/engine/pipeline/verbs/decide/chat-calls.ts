import type { ChatResponse } from "../../../api/chat.ts";
import type { QuestionBody } from "../../../decisions/prompt.ts";
import { GatewayError, toGatewayError } from "../../../errors.ts";
import type { Provider, RawExchange } from "../../../ports/provider.ts";
import { countChat, generatedText, reportedUsage } from "../../accounting/count-tokens.ts";
import type { SubCalls } from "../../accounting/sub-calls.ts";
import type { Attempt } from "../../attempts/attempt.ts";
import { askWhole, type BridgedCall } from "../../attempts/bridge.ts";
import type { DeciderTraits } from "../../runtime/decisions/support.ts";
import { leavesLogprobsOut, leavesSchemaOut, noLogprobs, noSchema, traitsIn } from "./forms.ts";
import type { NativeDecision } from "./natively.ts";

/** The questions to a chat model, and the caller's fields that go with every question. */
export interface ChatBounds extends NativeDecision {
  readonly passed: Readonly<Record<string, unknown>>;
}

/** One request for decisions at one chat model. */
export interface ChatDecision extends ChatBounds {
  readonly provider: Required<Provider>;
  readonly attempt: Attempt;
  readonly parts: SubCalls;
  readonly raws: RawExchange[];
  calls: number;
  first: ChatResponse | undefined;
}

/**
 * Asks one form of a question, and again in a form that suits the model where its refusal says what it lacks; that is remembered. Each
 * thing that a model lacks is learnt once, so that this ends.
 */
export async function askFitting(
  decision: ChatDecision,
  bodyFor: (traits: DeciderTraits) => QuestionBody,
): Promise<ChatResponse> {
  const { call, target } = decision.attempt;
  const { deciders } = call.ports;
  for (;;) {
    const asked = deciders.traitsOf(target.name);
    const body = bodyFor({ ...asked });
    try {
      return await askOnce(decision, body);
    } catch (thrown) {
      const traits = traitsIn(thrown, body);
      if (traits === undefined || !deciders.learn(target.name, traits)) throw thrown;
    }
  }
}

/** True where the model declined to answer. */
export function isRefusal({ choices }: ChatResponse): boolean {
  const [first] = choices;
  return Boolean(first?.message.refusal) || first?.finish_reason === "content_filter";
}

async function askOnce(decision: ChatDecision, body: QuestionBody): Promise<ChatResponse> {
  const { attempt, parts } = decision;
  assertCurrent(decision);
  parts.open.set(body, false);
  const reported = await askChatModel(decision, body);
  assertCurrent(decision);
  parts.open.delete(body);
  decision.first ??= reported;
  const usage = reportedUsage(attempt, reported.usage);
  if (!usage) parts.isEstimated = true;
  const generated = { target: attempt.target, model: attempt.model, text: generatedText(reported) };
  parts.usages.push(usage ?? countChat(attempt.call, body, generated));
  return reported;
}

/** An answer to an earlier try is void: its question is asked again already, and the reservation holds each form of it once. */
function assertCurrent({ attempt, parts }: ChatDecision): void {
  if (parts.attemptId !== attempt.id)
    throw new GatewayError("request_cancelled", "The question is asked again already.");
}

/** A failed request has consumed nothing, unless its answer had begun and was no error; one that we ended is uncertain. */
async function askChatModel(decision: ChatDecision, body: QuestionBody): Promise<ChatResponse> {
  const { provider, request, passed, attempt, parts } = decision;
  try {
    const asked = { ...passed, model: request.model, ...body };
    return await askWhole(provider, asked, innerCall(decision, body));
  } catch (thrown) {
    const isRead = parts.open.get(body) && toGatewayError(thrown).code !== "upstream_error";
    if (!attempt.cancellation?.aborted && !isRead) parts.open.delete(body);
    throw thrown;
  }
}

/** Each call has an identifier and a raw exchange of its own; the attempt's deadlines hold for all of them together. */
function innerCall(decision: ChatDecision, body: QuestionBody): BridgedCall {
  const { attempt, parts, raws } = decision;
  const { model, credential, startedAt, signal, cancellation, timeouts, transport, target } = attempt;
  const raw: RawExchange | undefined = attempt.raw && {};
  if (raw) raws.push(raw);
  const id = `${attempt.id}-${++decision.calls}`;
  const begun = () => void (parts.open.has(body) && parts.open.set(body, true)); // one of a try before is over
  const own = { begun, warn: (text: string) => warn(attempt, text) };
  return { id, model, credential, startedAt, signal, cancellation, timeouts, transport, raw, target, ...own };
}

/** Fields that the caller never wrote. */
const ownFields = /^`(logprobs|top_logprobs|max_completion_tokens|parallel_tool_calls|tools|tool_choice)\b/;

function warn(attempt: Attempt, warning: string): void {
  if (leavesLogprobsOut.test(warning)) throw noLogprobs;
  if (leavesSchemaOut.test(warning)) throw noSchema;
  if (!ownFields.test(warning) && !attempt.warnings.includes(warning)) attempt.warn(warning);
}

export function showRaw(raw: RawExchange, raws: readonly RawExchange[]): void {
  raw.request = raws.map(({ request }) => request);
  raw.response = raws.map(({ response }) => response);
}
