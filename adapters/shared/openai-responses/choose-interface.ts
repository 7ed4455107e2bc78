import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { needsResponses } from "../../../src/engine/dialects/openai/responses-models.ts";
import { type GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { type ChatInterface, type InterfaceSetting, interfaceFor } from "./interface-choice.ts";
import type { Interface, LearntInterfaces } from "./learnt-interfaces.ts";

/** What decides between a vendor's two interfaces besides the request. */
export interface ChoiceContext {
  readonly upstream?: ChatInterface | undefined;
  /** What holds where `upstream` says nothing; `auto` unless given. */
  readonly usual?: InterfaceSetting | undefined;
  readonly learnt: LearntInterfaces;
}

/** The interface that a request goes to first. Throws the refusal of one that the setting keeps from where it can be answered. */
export function chooseInterface(
  { upstream, usual, learnt }: ChoiceContext,
  request: ChatRequest,
  call: ProviderCall,
): Interface {
  const { responses, model } = call;
  const setting = interfaceFor(upstream, model, usual);
  if (setting === "chat" && responses?.refusal) throw responses.refusal;
  if (setting !== "auto") return setting;
  if (responses?.refusal) return "responses";
  if (learnt.lacksResponses()) return "chat";
  if (responses?.isRicher) return "responses";
  const traits = traitsOf(request);
  const needed = learnt.find(model, traits) ?? (needsResponses(model, traits) ? "responses" : "chat");
  return needed === "responses" && holdsAudio(request) ? "chat" : needed;
}

/** Recordings are heard in chats only. */
function holdsAudio({ messages }: ChatRequest): boolean {
  return messages.some(
    ({ content, audio }) => audio || (Array.isArray(content) && content.some(({ type }) => type === "input_audio")),
  );
}

interface AskedChat {
  readonly context: ChoiceContext;
  readonly request: ChatRequest;
  readonly call: ProviderCall;
}

/** The interface that a refusal sends the request to; `undefined` where the refusal stands. */
export function otherInterface(
  asked: Interface,
  thrown: unknown,
  { context, request, call }: AskedChat,
): Interface | undefined {
  const { upstream, usual, learnt } = context;
  if (interfaceFor(upstream, call.model, usual) !== "auto") return undefined;
  if (!isGatewayError(thrown) || thrown.code !== "upstream_error") return undefined;
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
