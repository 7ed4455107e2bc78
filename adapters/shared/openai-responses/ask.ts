import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { ProviderCall, ResponsesRequest } from "../../../src/engine/ports/provider.ts";
import { decodeStream } from "../chat/decode.ts";
import type { LearntParameters } from "../chat/learnt-parameters.ts";
import { byRules } from "../chat/model-rules.ts";
import { type RulesOptions, rulesIn } from "../chat/rules-option.ts";
import type { HttpClient } from "../http/client.ts";
import { orElse } from "../http/or-else.ts";
import { responseDecoder } from "./events.ts";
import { readWhenDone } from "./stored.ts";
import { chatToResponses } from "./to-wire.ts";

/** Whom a response is asked of. */
interface ResponsesVendor extends RulesOptions {
  readonly name: string;
  readonly http: HttpClient;
  /** What the vendor's refusals have taught. */
  readonly parameters: LearntParameters;
}

/** A whole answer of `POST /responses`. */
export async function askResponse(
  vendor: ResponsesVendor,
  request: ChatRequest,
  call: ProviderCall,
): Promise<ChatResponse> {
  const { name, http } = vendor;
  const ask = () => http.post("/responses", bodyFor(vendor, request, { call, isStream: false }), call);
  const raw = await ask().catch((thrown: unknown) => {
    if (!learns(vendor, request, { call, thrown })) throw thrown;
    return ask();
  });
  return readWhenDone(raw, { provider: name, http, call });
}

/** A streamed answer of `POST /responses`. */
export function streamResponse(
  vendor: ResponsesVendor,
  request: ChatRequest,
  call: ProviderCall,
): AsyncIterable<ChatChunk> {
  const { name, http } = vendor;
  const open = () => http.events("/responses", bodyFor(vendor, request, { call, isStream: true }), call);
  const ask = () => decodeStream({ provider: name, call }, open, responseDecoder({ provider: name, http, call }));
  return orElse(ask(), (thrown) => (learns(vendor, request, { call, thrown }) ? ask() : undefined));
}

interface Refused {
  readonly call: ProviderCall;
  readonly thrown: unknown;
}

/** True where the refusal names a parameter that the question can do without. */
function learns(vendor: ResponsesVendor, request: ChatRequest, { call, thrown }: Refused): boolean {
  const quiet = { ...call, model: call.model, responses: call.responses, warn: () => {} };
  return vendor.parameters.learn(bodyFor(vendor, request, { call: quiet, isStream: false }), call.model, thrown);
}

interface BodyOptions {
  readonly call: ProviderCall;
  readonly isStream: boolean;
}

/** The caller's own body where it has this interface's form, else its translation. Each warning is given once. */
function bodyFor(
  { name: provider, modelRules, parameters }: ResponsesVendor,
  request: ChatRequest,
  { call, isStream }: BodyOptions,
) {
  const warned = new Set<string>();
  const warn = (warning: string) => {
    if (!warned.has(warning)) call.warn(warning);
    warned.add(warning);
  };
  const { model } = call;
  const to = { provider, model, warn, isStream, hasFallback: call.hasFallback };
  const native = call.responses;
  const body = native ? nativeBody({ native, request, call }, isStream) : chatToResponses(request, model, to);
  const rules = rulesIn(modelRules)?.(model);
  return parameters.apply(rules ? byRules(body, rules, to) : body, to);
}

/** The question of a native body. */
interface NativeQuestion {
  readonly native: ResponsesRequest;
  readonly request: ChatRequest;
  readonly call: Pick<ProviderCall, "model" | "warn">;
}

/** The caller's own body, as it goes on: with the vendor's name of the model and the bound on output that the call was reserved for. */
function nativeBody({ native, request, call }: NativeQuestion, isStream: boolean) {
  const { stream: _form, stream_options: options, ...rest } = native.body;
  const { max_completion_tokens: limit } = request;
  for (const warning of native.warnings) call.warn(warning);
  return {
    ...rest,
    model: call.model,
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...(isStream ? { stream: true, ...(options === undefined ? {} : { stream_options: options }) } : {}),
  };
}
