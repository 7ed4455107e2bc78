import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import { failureStatus } from "../../../src/engine/dialects/cohere/finish-reasons.ts";
import { type GatewayError, withDetails } from "../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { TaughtChats } from "../../shared/chat/taught-chats.ts";
import { fitting } from "../../shared/fitting/fitting.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";
import { eventDecoder } from "./events.ts";
import { fromWire, type ReadingContext } from "./from-wire.ts";
import { toWire } from "./to-wire.ts";

/** Whom a chat is with. */
interface CohereContext {
  readonly client: HttpClient;
  readonly chats: TaughtChats;
  readonly provider: string;
}

function readingOf({ client, provider }: CohereContext, call: ProviderCall): ReadingContext {
  return { provider, call, fault: (reason, message) => answerFault(client, { reason, message }, call) };
}

/** The verbs of a chat. */
export function chatsOf(of: CohereContext): Pick<Provider, "name" | "chat" | "streamChat"> {
  return fitting(
    {
      name: of.provider,
      chat: (request, call) => chatWith(of, request, call),
      streamChat: (request, call) => streamWith(of, request, call),
    },
    "cohere",
  );
}

/** A whole answer. */
async function chatWith(of: CohereContext, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  const write = (to: Translation) => toWire(request, { ...to, isStream: false });
  return fromWire(await of.chats.whole({ path: "/v2/chat", call, write }), readingOf(of, call));
}

/** The same as it is made. */
function streamWith(of: CohereContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const write = (to: Translation) => toWire(request, { ...to, isStream: true });
  const open = () => of.chats.events({ path: "/v2/chat", call, write });
  const reading = readingOf(of, call);
  return decodeStream(reading, open, eventDecoder(reading));
}

/** The error of an answer that the vendor ended by one: it comes without a status, its reason says which one it is. */
function answerFault(
  client: HttpClient,
  { reason, message }: { readonly reason: string; readonly message?: string | undefined },
  call: HttpCall,
): GatewayError {
  const fault = { type: reason, message: message ?? "The provider ended the answer with an error." };
  const error = client.faultError(fault, call);
  const status = failureStatus(reason) ?? 500;
  return error.upstream === undefined ? error : withDetails(error, { upstream: { ...error.upstream, status } });
}
