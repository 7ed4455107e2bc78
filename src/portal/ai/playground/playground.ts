import type { ChatChunk, ChatRequest } from "../../../engine/api/chat.ts";
import { GatewayError, toGatewayError } from "../../../engine/errors.ts";
import { present } from "../../../engine/policy/drafts.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import type { SentEvent } from "../../streams/subscription.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { notFoundAs, readKeyProject } from "../find.ts";
import { createKey } from "../keys/create-key.ts";

/** Who pays: exactly one of both. */
interface Account {
  readonly project_id: string | undefined;
  readonly key_id: string | undefined;
}

/** The name of a project's key for chats of the console. It is shown, limited and disabled like any other key. */
const keyName = "Playground";

/** Returns the id of the virtual key that pays: the named one, or the project's own for the console, which its first chat makes. */
async function accountOf(deps: PortalDeps, { project_id, key_id }: Account, call: PortalCall): Promise<string> {
  if ((project_id === undefined) === (key_id === undefined))
    throw new GatewayError("invalid_request", "Name one of `project_id` and `key_id`: it pays.", {
      param: key_id === undefined ? "project_id" : "key_id",
    });
  if (project_id !== undefined) return keyOfProject(deps, project_id, call);
  if (key_id === undefined || !(await call.records.get("key", key_id)))
    throw notFoundAs("key", { id: key_id ?? "", param: "key_id" });
  return key_id;
}

async function keyOfProject(deps: PortalDeps, id: string, call: PortalCall): Promise<string> {
  const { metadata } = await readKeyProject(deps, call, { id, param: "project_id" });
  return call.withLease(`playground ${id}`, async () => {
    const keys = await readAll(call.records, "key", { project_id: id });
    const own = keys.find(({ name }) => name === keyName);
    if (own) return own.id;
    const tier = metadata?.tier ?? "standard";
    const draft = { name: keyName, description: "Chats in the console", tier, user_bound: false, project_id: id };
    return (await createKey(deps, draft, call)).id; // its value is nobody's
  });
}

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
