import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import { ReceivedEvents } from "../http/response/answer-form.ts";
import { readChat } from "./response/from-wire.ts";
import { gatherChat } from "./response/gathered.ts";
import { bodyFor, type ChatCallInput, type ProviderContext, reading, silent } from "./stream.ts";

/** A whole answer; a refusal of a parameter is learnt from, once. */
export async function askChat(of: ProviderContext, { request, call }: ChatCallInput): Promise<ChatResponse> {
  // Some servers stream unless they are asked not to.
  const ask = () =>
    of.http.post("/chat/completions", { ...bodyFor(of, { request, call }, false), stream: false }, call);
  const raw = await ask().catch((thrown: unknown) => {
    if (!of.learnt.learn(bodyFor(of, silent({ request, call }), false), call.model, thrown)) throw thrown;
    return ask();
  });
  if (raw instanceof ReceivedEvents) return gatherChat(raw.events, reading(of, call));
  return readChat(raw, reading(of, call));
}
