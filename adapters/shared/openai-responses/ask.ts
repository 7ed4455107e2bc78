import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/api/chat.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { decodeStream } from "../chat/decode.ts";
import type { HttpClient } from "../http/client.ts";
import { responseDecoder } from "./events.ts";
import { nativeBody } from "./native-body.ts";
import { chatToResponses } from "./to-wire.ts";
import { readResponse } from "./whole.ts";

/** Whom a response is asked of. */
interface ResponsesVendor {
  readonly name: string;
  readonly http: HttpClient;
}

/** A whole answer of `POST /responses`. */
export async function askResponse(
  { name, http }: ResponsesVendor,
  request: ChatRequest,
  call: ProviderCall,
): Promise<ChatResponse> {
  const raw = await http.post("/responses", bodyFor(name, request, { call, isStream: false }), call);
  return readResponse(raw, { provider: name, http, call });
}

/** A streamed answer of `POST /responses`. */
export function streamResponse(
  { name, http }: ResponsesVendor,
  request: ChatRequest,
  call: ProviderCall,
): AsyncIterable<ChatChunk> {
  const open = () => http.events("/responses", bodyFor(name, request, { call, isStream: true }), call);
  return decodeStream({ provider: name, call }, open, responseDecoder({ provider: name, http, call }));
}

interface BodyOptions {
  readonly call: ProviderCall;
  readonly isStream: boolean;
}

/** The caller's own body where it has this interface's form, else its translation. Each warning is given once. */
function bodyFor(provider: string, request: ChatRequest, { call, isStream }: BodyOptions) {
  const warned = new Set<string>();
  const warn = (warning: string) => {
    if (!warned.has(warning)) call.warn(warning);
    warned.add(warning);
  };
  const to = { provider, warn, isStream };
  const native = call.responses;
  return native ? nativeBody({ native, request, call }, isStream) : chatToResponses(request, call.model, to);
}
