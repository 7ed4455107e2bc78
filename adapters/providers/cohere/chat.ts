import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/api/chat.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { HttpClient } from "../../shared/http/client.ts";
import { eventDecoder } from "./events.ts";
import { answerFault } from "./faults.ts";
import { fromWire, type ReadingContext } from "./from-wire.ts";
import { toWire } from "./to-wire.ts";

/** Whom a chat is with. */
interface CohereContext {
  readonly client: HttpClient;
  readonly provider: string;
}

function readingOf({ client, provider }: CohereContext, call: ProviderCall): ReadingContext {
  return { provider, call, fault: (reason, message) => answerFault(client, { reason, message }, call) };
}

/** A whole answer. */
export async function chatWith(of: CohereContext, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  const body = toWire(request, { provider: of.provider, call, isStream: false });
  return fromWire(await of.client.post("/v2/chat", body, call), readingOf(of, call));
}

/** The same as it is made. */
export function streamWith(of: CohereContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const open = () =>
    of.client.events("/v2/chat", toWire(request, { provider: of.provider, call, isStream: true }), call);
  const reading = readingOf(of, call);
  return decodeStream(reading, open, eventDecoder(reading));
}
