import type { ChatChunk, ChatRequest } from "../../../src/api/chat.ts";
import { needsResponses } from "../../../src/dialects/openai/responses-models.ts";
import { type GatewayError, isGatewayError } from "../../../src/errors.ts";
import type { Provider, ProviderCall } from "../../../src/ports/provider.ts";
import { type LearntParameters, learntParameters } from "../chat/learnt-parameters.ts";
import type { HttpClient } from "../http/client.ts";
import { orElse } from "../http/or-else.ts";
import { askResponse, streamResponse } from "./ask.ts";
import { type Interface, type LearntInterfaces, learntInterfaces } from "./learnt-interfaces.ts";

/** Which of a vendor's two interfaces chats go to: one of them, or the one that the model and the request need. */
export type ChatInterface = Interface | "auto";

/** A vendor with both interfaces. */
interface UpstreamOptions {
  readonly name: string;
  readonly http: HttpClient;
  /** `auto` unless given. */
  readonly upstream?: ChatInterface | undefined;
}

interface UpstreamContext extends UpstreamOptions {
  /** The provider over `/chat/completions`. */
  readonly chats: Required<Pick<Provider, "chat" | "streamChat">>;
  readonly learnt: LearntInterfaces;
  readonly parameters: LearntParameters;
}

/** The provider's chats over both interfaces. A refusal that names the other one is followed, once, and remembered. */
export function overBothInterfaces(provider: Provider, options: UpstreamOptions): Provider {
  const chats = { chat: provider.chat, streamChat: provider.streamChat } as UpstreamContext["chats"]; // it chats: its row says so
  const context: UpstreamContext = { ...options, chats, learnt: learntInterfaces(), parameters: learntParameters() };
  return {
    ...provider,
    ...(options.upstream === "chat" ? {} : { speaksResponses: true }),
    chat: (request, call) => askWhole(context, request, call),
    streamChat: (request, call) => askStreamed(context, request, call),
  };
}

async function askWhole(context: UpstreamContext, request: ChatRequest, call: ProviderCall) {
  const first = choose(context, request, call);
  const ask = (way: Interface) => {
    if (way === "chat") return context.chats.chat(request, call);
    call.askedAt?.("/responses");
    return askResponse(context, request, call);
  };
  try {
    return await ask(first);
  } catch (thrown) {
    const second = otherThan(first, thrown, { context, request, call });
    if (second === undefined) throw thrown;
    return ask(second);
  }
}

function askStreamed(context: UpstreamContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const first = choose(context, request, call);
  const ask = (way: Interface) => {
    if (way === "chat") return context.chats.streamChat(request, call);
    call.askedAt?.("/responses");
    return streamResponse(context, request, call);
  };
  return orElse(ask(first), (thrown) => {
    const second = otherThan(first, thrown, { context, request, call });
    return second === undefined ? undefined : ask(second);
  });
}

function choose({ upstream = "auto", learnt }: UpstreamContext, request: ChatRequest, call: ProviderCall): Interface {
  if (upstream !== "auto") return upstream;
  const { responses, model } = call;
  if (responses?.refusal) return "responses";
  if (learnt.lacksResponses()) return "chat";
  if (responses?.isRicher) return "responses";
  const traits = traitsOf(request);
  return learnt.find(model, traits) ?? (needsResponses(model, traits) ? "responses" : "chat");
}

interface AskedChat {
  readonly context: UpstreamContext;
  readonly request: ChatRequest;
  readonly call: ProviderCall;
}

/** The interface that a refusal sends the request to; `undefined` where the refusal stands. */
function otherThan(asked: Interface, thrown: unknown, { context, request, call }: AskedChat): Interface | undefined {
  const { upstream = "auto", learnt } = context;
  if (upstream !== "auto" || !isGatewayError(thrown) || thrown.code !== "upstream_error") return undefined;
  if (asked === "chat" && namesResponses(thrown)) {
    learnt.remember(call.model, traitsOf(request));
    return "responses";
  }
  if (asked === "responses" && isMissingPath(thrown) && !call.responses?.refusal) {
    learnt.rememberLack();
    return "chat";
  }
  return undefined;
}

/** "… not supported … in /v1/chat/completions. Please use /v1/responses instead." */
function namesResponses({ upstream, message }: GatewayError): boolean {
  const isRefusal = upstream?.status === 400 || upstream?.status === 404;
  return isRefusal && /v1\/responses|responses api/i.test(message);
}

/** A server without the path, as opposed to a vendor without the model. */
function isMissingPath({ upstream, message }: GatewayError): boolean {
  if (upstream?.status !== 404 && upstream?.status !== 405 && upstream?.status !== 501) return false;
  return (
    !/model|response|previous|item/i.test(`${upstream.code ?? ""} ${message}`) ||
    /not found: POST|no route|cannot post/i.test(message)
  );
}

function traitsOf({ tools, web_search_options: search, reasoning, reasoning_effort: older }: ChatRequest) {
  const effort = reasoning?.effort ?? older;
  return { hasTools: Boolean(tools?.length) || Boolean(search), hasEffort: Boolean(effort) && effort !== "none" };
}
