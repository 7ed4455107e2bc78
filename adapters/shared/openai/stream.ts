import type { ChatChunk, ChatRequest } from "../../../src/api/chat.ts";
import type { ProviderCall } from "../../../src/ports.ts";
import { isLoss, warnOfLoss } from "../chat/decode.ts";
import type { HttpClient } from "../http/client.ts";
import type { SseEvent } from "../http/sse.ts";
import { unbatch } from "../http/unbatch.ts";
import type { Reading } from "./answer.ts";
import { chunkReader } from "./chunks.ts";
import type { Dialect } from "./dialect.ts";
import { type PrefillDialect, toldBefore, withoutRepeated, withPrefix } from "./prefill.ts";
import { chatToWire, type WireBody } from "./to-wire.ts";

/** Whom a chat is with. */
export interface Counterpart {
  readonly name: string;
  readonly http: HttpClient;
  readonly dialect: Dialect;
}

/** The body of a question, as the vendor takes it. Each warning is given once, however many messages ask for it. */
export function bodyFor({ name, dialect }: Counterpart, { request, call }: Asked, isStream: boolean): WireBody {
  const warned: string[] = [];
  const warn = (warning: string) => {
    if (warned.includes(warning)) return;
    warned.push(warning);
    call.warn(warning);
  };
  return chatToWire(request, call.model, { provider: name, dialect, warn, isStream });
}

/** What an answer is read with. */
export function reading({ name, http }: Counterpart, call: ProviderCall): Reading {
  return { provider: name, http, call };
}

/** A question, and its call. */
export interface Asked {
  readonly request: ChatRequest;
  readonly call: ProviderCall;
}

/** Goes on from the last message; what the vendor repeats of it is not told again. */
export function continueChat(
  of: Counterpart,
  { path, repeats }: PrefillDialect,
  { request, call }: Asked,
): AsyncIterable<ChatChunk> {
  const chunks = streamChat(of, { request: withPrefix(request), call }, path);
  return repeats === true ? withoutRepeated(chunks, toldBefore(request)) : chunks;
}

/** A streamed answer. */
export function streamChat(
  of: Counterpart,
  { request, call }: Asked,
  path = "/chat/completions",
): AsyncIterable<ChatChunk> {
  const reader = chunkReader(reading(of, call));
  return unbatch<readonly SseEvent[], ChatChunk>({
    open() {
      return of.http.events(path, bodyFor(of, { request, call }, true), call);
    },
    read: (batch) => reader.read(batch),
    end(broken) {
      if (broken && (!reader.isComplete() || !isLoss(broken.thrown))) throw broken.thrown;
      if (broken) warnOfLoss({ provider: of.name, call });
      const last = reader.end();
      return last === undefined ? [] : [last];
    },
  });
}
