import type { ChatChunk } from "../../api/chat.ts";
import type { RequestType } from "../../api/common.ts";
import { GatewayError } from "../../errors.ts";
import { MiddlewareShape } from "../../options/middleware.ts";
import { describeSchemaFault } from "../../options/schema-fault.ts";
import type { MiddlewareAnswer, MiddlewareRequest, MiddlewareVerb } from "../../ports/middleware/middleware.ts";
import type { Call } from "../call/call.ts";
import type { MiddlewareHold } from "../call/middleware-hold.ts";
import type { Parser } from "../call/parse.ts";
import type { CallHandler } from "../call/routed-call.ts";
import { resolveRoute } from "../routing/resolve.ts";
import type { Routed, Verb } from "../verbs/verb.ts";
import { type ActiveMiddleware, activeFor, openHold } from "./active.ts";
import {
  noteAnswer,
  passAnswer,
  passRequest,
  readsAnswers,
  withoutMessages,
  withoutServerWords,
  withWarnings,
} from "./answer.ts";
import { releaseCall } from "./release.ts";
import { guardStream } from "./stream/guard-stream.ts";

const verbs: Readonly<Partial<Record<RequestType, MiddlewareVerb>>> = {
  chat_completion: "chat",
  chat_completion_stream: "chat",
  embedding: "embed",
  rerank: "rerank",
  decision: "decide",
  tool_call: "tool",
};

/** A request that was read, and what becomes of it. */
interface GuardedRequest<Request extends Routed, Result> {
  readonly request: Request;
  readonly verb: Pick<Verb<Request, never, Result>, "requestType" | "bound" | "parse" | "route">;
  readonly handle: CallHandler<Request, Result>;
}

/**
 * Passes the request through the middleware of its call, goes on with it, and passes the answer: it stands before the route, the cache and
 * all tries, and after them. The call is settled when the middleware is done, so that what it asks of models is on its bill.
 */
export async function withMiddleware<Request extends Routed, Result>(
  call: Call,
  guarded: GuardedRequest<Request, Result>,
): Promise<Result> {
  const { request } = guarded;
  const { parse } = guarded.verb;
  checkOwn(call);
  const verb = verbs[call.requestType];
  const active = verb ? activeFor(call, verb, request as object) : [];
  if (active.length === 0) return proceed(call, guarded, request);
  const hold = openHold();
  call.middleware = hold;
  try {
    const passed = await passRequest(active, request as MiddlewareRequest, parse as Parser<MiddlewareRequest>);
    const readers = active.filter(({ middleware }) => readsAnswers(middleware));
    const [first] = active;
    if (first) closeSideways(call, first, readers.length > 0);
    const answer = proceed(call, guarded, passed as Request);
    const result = verb === "tool" && readers.length > 0 ? await withoutServerWords(answer) : await answer;
    const guards = { hold, active, readers, isRequestChanged: passed !== request };
    return (await passResult(call, guards, result as object)) as Result; // the verb's own
  } catch (thrown) {
    hold.isBusy = false;
    throw thrown;
  }
}

async function proceed<Request extends Routed, Result>(
  call: Call,
  { request, verb, handle }: GuardedRequest<Request, Result>,
  passed: Request,
): Promise<Result> {
  if (passed !== request)
    call.facts = { kind: verb.requestType, request: passed, bound: (facts) => verb.bound(passed, facts) };
  const { targets } = await resolveRoute(call, verb.route, passed);
  return handle({ call, request: passed, targets });
}

/** The options of one call are checked here: most calls have no middleware. */
function checkOwn({ options: { middleware } }: Call): void {
  if (!middleware) return;
  const checked = MiddlewareShape.safeParse(middleware);
  if (checked.success) return;
  const { param, message } = describeSchemaFault(MiddlewareShape, checked.error);
  const name = param === undefined ? "middleware" : `middleware.${param}`;
  throw new GatewayError("invalid_request", `\`${name}\`: ${message}.`, { param: name });
}

/**
 * Shuts the ways on which a request or an answer would pass by its middleware: the caller's own bytes, which providers may copy, the
 * request of a vendor's interface, and the raw exchange.
 */
function closeSideways(call: Call, { warnings }: ActiveMiddleware, isAnswerRead: boolean): void {
  const { responses, source: _source, raw, onQueued: _onQueued, onToolProgress, ...others } = call.options;
  const options = onToolProgress
    ? { ...others, onToolProgress: isAnswerRead ? withoutMessages(onToolProgress) : onToolProgress }
    : others;
  if (responses?.isBackground) throw refuseUnseen("background");
  if (responses?.refusal) throw responses.refusal;
  if (raw && isAnswerRead) warnings.push("middleware: `raw_request` and `raw_response` are left out");
  call.options = raw && !isAnswerRead ? { ...options, raw } : options;
}

/** Refuses what no middleware would see the answer of. */
function refuseUnseen(what: string): GatewayError {
  const message = `\`${what}\` is not offered with middleware, which would not see the answer.`;
  return new GatewayError("unsupported_operation", message, { param: what });
}

interface GuardedCall {
  readonly hold: MiddlewareHold;
  readonly active: readonly ActiveMiddleware[];
  readonly readers: readonly ActiveMiddleware[];
  readonly isRequestChanged: boolean;
}

async function passResult(
  call: Call,
  { hold, active, readers, isRequestChanged }: GuardedCall,
  result: object,
): Promise<object> {
  const warnings = active[0]?.warnings ?? [];
  if (call.requestType === "chat_completion_stream")
    return guardStream(call, { hold, readers, warnings }, result as AsyncIterable<ChatChunk>); // by the type of the request
  const answer = await passAnswer(readers, result as MiddlewareAnswer);
  await noteAnswer({ call, isRequestChanged }, answer, passAnswer);
  await releaseCall(call);
  return withWarnings(answer, warnings);
}
