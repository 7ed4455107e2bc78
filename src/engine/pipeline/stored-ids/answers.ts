import type { ChatChunk, ChatResponse } from "../../api/chat.ts";
import { eventsOf, responseOf, withEvents, withResponse } from "../../dialects/openai/native-response.ts";
import { type AnswerIds, withAnswerIds, withEventIds } from "../../dialects/openai/stored-ids.ts";
import { isRecord } from "../../dialects/wire-values.ts";
import { isGatewayError, withDetails } from "../../errors.ts";
import type { OwnedCallIds } from "../call/owned-ids.ts";
import type { Holder } from "../runtime/held/id-seal.ts";

/** A response with the caller's ids in place of the vendor's. */
export function sealResponse(
  response: Readonly<Record<string, unknown>>,
  ids: OwnedCallIds,
  holder: Holder,
): Record<string, unknown> {
  return withAnswerIds(response, answerIds(ids, holder, response.store));
}

/** A whole answer that was read from a response, with the caller's ids. */
export function sealAnswer(answer: ChatResponse, ids: OwnedCallIds, holder: Holder): ChatResponse {
  const response = responseOf(answer);
  if (response === undefined) return answer;
  const sealed = sealResponse(response, ids, holder);
  return withResponse({ ...answer, id: `${sealed.id ?? answer.id}` }, sealed);
}

/** The same for the chunks of one stream. */
export function chunkSealer(ids: OwnedCallIds, holder: Holder): (chunk: ChatChunk) => ChatChunk {
  let known: AnswerIds | undefined;
  return (chunk) => {
    const events = eventsOf(chunk);
    if (events === undefined) return chunk;
    const response = events[0]?.response;
    known ??= answerIds(ids, holder, isRecord(response) ? response.store : undefined);
    const { isStored, replace } = known;
    const sealed = events.map((event) => withEventIds(event, known as AnswerIds)); // set above
    return withEvents(isStored ? { ...chunk, id: replace(chunk.id) } : chunk, sealed);
  };
}

/** What a vendor does not say is stored it does not hold, unless it says nothing: it stores what is not forbidden. */
function answerIds(ids: OwnedCallIds, holder: Holder, store: unknown): AnswerIds {
  const made = new Map<string, string>();
  const replace = (id: string): string => {
    const sealed = ids.sent.get(id) ?? made.get(id) ?? ids.seal(id, holder);
    made.set(id, sealed);
    return sealed;
  };
  return { replace, isStored: (store ?? ids.responses.body.store) !== false };
}

/** An error of the vendor's that names what the caller refers to by the caller's ids. */
export function withSentIds(thrown: unknown, { sent }: OwnedCallIds): unknown {
  if (!isGatewayError(thrown) || !thrown.upstream) return thrown;
  let { message } = thrown.upstream;
  for (const [id, own] of sent) message = message.replaceAll(id, own);
  if (message === thrown.upstream.message) return thrown;
  return withDetails(thrown, { upstream: { ...thrown.upstream, message } });
}
