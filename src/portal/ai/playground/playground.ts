import type { ChatChunk, ChatRequest } from "../../../engine/api/chat.ts";
import { toGatewayError } from "../../../engine/errors.ts";
import { present } from "../../../engine/policy/drafts.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import type { SentEvent } from "../../streams/subscription.ts";
import { accountOf } from "./account.ts";

type PlaygroundInput = InputOf<Areas["ai"]["playground"]>;

/** Chats over a session, each billed to a virtual key that the caller never sees the value of. */
export function playgroundOf(deps: PortalDeps) {
  return {
    playground: async (input, call) => (await chat(deps, input, call)) as never, // seam: the type of a row has no streams
  } satisfies AreaBackend<"ai">;
}

/** Begins the answer. Rejects with what a call with the key would be refused with: nothing is streamed before the first content. */
async function chat({ engine, ...deps }: PortalDeps, input: PlaygroundInput, call: PortalCall) {
  const { project_id, key_id, no_cache, ...fields } = input;
  const keyId = await accountOf({ engine, ...deps }, { project_id, key_id }, call);
  const request = { ...present(fields), user: call.caller.user.username, stream_options: { include_usage: true } };
  const { eventId, signal } = call;
  const cache = no_cache ? { cache: { mode: "off" } as const } : {};
  const chunks = await engine.streamChat(request as ChatRequest, { keyId, eventId, signal, ...cache }); // seam: the row's schema is a part of it
  return toEvents(chunks, eventId);
}

async function* toEvents(chunks: AsyncIterable<ChatChunk>, event_id: string): AsyncGenerator<SentEvent, undefined> {
  const toSent = (type: string, fields: object): SentEvent => ({
    id: event_id,
    event: type,
    data: { type, event_id, ...fields },
  });
  try {
    for await (const chunk of chunks) yield toSent("chunk", { chunk });
  } catch (thrown) {
    const { code, message } = toGatewayError(thrown);
    yield toSent("error", { error: { code, message } });
    return;
  }
  yield toSent("done", {});
}
