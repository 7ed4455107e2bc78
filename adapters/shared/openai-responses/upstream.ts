import type { ChatChunk, ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { type LearntParameters, learntParameters } from "../chat/learnt-parameters.ts";
import type { RulesOptions } from "../chat/rules-option.ts";
import { fitting } from "../fitting/fitting.ts";
import type { HttpClient } from "../http/client.ts";
import { orElse } from "../http/or-else.ts";
import { askResponse, streamResponse } from "./ask.ts";
import { chooseInterface, otherInterface } from "./choose-interface.ts";
import type { ChatInterface, InterfaceSetting } from "./interface-choice.ts";
import { type Interface, type LearntInterfaces, learntInterfaces } from "./learnt-interfaces.ts";
import { askStored, type StoredResponseSupport, storedByOpenai } from "./stored.ts";

/** A vendor with both interfaces. */
interface UpstreamOptions extends RulesOptions {
  readonly name: string;
  readonly http: HttpClient;
  readonly upstream?: ChatInterface | undefined;
  /** What holds where `upstream` says nothing; `auto` unless given. */
  readonly usual?: InterfaceSetting | undefined;
  /** What the vendor does with responses that it holds; what OpenAI's own interface does unless given. */
  readonly stored?: StoredResponseSupport | undefined;
}

interface UpstreamContext extends UpstreamOptions {
  /** The provider over `/chat/completions`. */
  readonly chats: Required<Pick<Provider, "chat" | "streamChat">>;
  readonly learnt: LearntInterfaces;
  readonly parameters: LearntParameters;
}

/** The provider's chats over both interfaces. A refusal that names the other one is followed, once, and remembered. */
export function overBothInterfaces(provider: Provider, options: UpstreamOptions): Provider {
  const chats = { chat: provider.chat, streamChat: provider.streamChat } as UpstreamContext["chats"]; // it chats: its row says so
  const parameters = learntParameters();
  const context: UpstreamContext = {
    ...options,
    chats,
    learnt: learntInterfaces(),
    parameters,
  };
  return fitting(
    {
      ...provider,
      ...((options.upstream ?? options.usual) === "chat" ? {} : ofResponses(options)),
      chat: (request, call) => askWhole(context, request, call),
      streamChat: (request, call) => askStreamed(context, request, call),
    },
    "openai",
  );
}

/** What a vendor has only at `/responses`. */
function ofResponses({ name, http, stored = storedByOpenai }: UpstreamOptions): Partial<Provider> {
  const { actions, background } = stored;
  return {
    speaksResponses: true,
    ...(background ? { worksInBackground: true } : {}),
    ...(actions.length > 0
      ? { storedResponse: (request, call) => askStored({ name, http, actions }, request, call) }
      : {}),
  };
}

async function askWhole(context: UpstreamContext, request: ChatRequest, call: ProviderCall) {
  const first = chooseInterface(context, request, call);
  const ask = (way: Interface) => {
    if (way === "chat") return context.chats.chat(request, call);
    call.askedAt?.("/responses");
    return askResponse(context, request, call);
  };
  try {
    return await ask(first);
  } catch (thrown) {
    const second = otherInterface(first, thrown, { context, request, call });
    if (second === undefined) throw thrown;
    return ask(second);
  }
}

function askStreamed(context: UpstreamContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const first = chooseInterface(context, request, call);
  const ask = (way: Interface) => {
    if (way === "chat") return context.chats.streamChat(request, call);
    call.askedAt?.("/responses");
    return streamResponse(context, request, call);
  };
  return orElse(ask(first), (thrown) => {
    const second = otherInterface(first, thrown, { context, request, call });
    return second === undefined ? undefined : ask(second);
  });
}
