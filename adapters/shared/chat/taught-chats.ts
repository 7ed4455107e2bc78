import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { HttpCall, HttpClient } from "../http/client.ts";
import { orElse } from "../http/or-else.ts";
import type { SseEvent } from "../http/sse.ts";
import type { SentBody } from "./body-fields.ts";
import type { Translation } from "./fields.ts";
import { learntParameters } from "./learnt-parameters.ts";
import { type ModelRules, withoutRuledOut } from "./model-rules.ts";
import type { ParameterPlaces } from "./parameter-places.ts";
import { type ModelRulesOption, rulesIn } from "./rules-option.ts";

/** One chat on its way to a vendor. */
export interface OutgoingChat {
  readonly path: string;
  readonly call: ProviderCall;
  /** The call with the headers of this request, where it has any. */
  readonly sent?: HttpCall | undefined;
  /** Writes the body; asked again for a second try, since a body that is held until its answer ends is one copy of the prompt more. */
  write(of: Translation): SentBody;
}

/** Sends chats by the rules for their model; a refusal that names a parameter is learnt from, and the chat is sent again without it, once. */
export interface TaughtChats {
  whole(chat: OutgoingChat): Promise<unknown>;
  events(chat: OutgoingChat): AsyncIterable<readonly SseEvent[]>;
}

/** A vendor whose chats are sent. */
interface TaughtVendor {
  readonly client: HttpClient;
  readonly provider: string;
  readonly modelRules: ModelRulesOption | undefined;
  readonly places: ParameterPlaces;
}

/** The chats of one vendor; what is learnt lasts as long as the process. */
export function taughtChats({ client, provider, modelRules, places }: TaughtVendor): TaughtChats {
  const rulesOf = rulesIn(modelRules);
  const learnt = learntParameters(places);

  function bodyOf({ write }: OutgoingChat, call: Translation["call"]): SentBody {
    const rules: ModelRules | undefined = rulesOf?.(call.model);
    const to = { provider, model: call.model, warn: (warning: string) => call.warn(warning) };
    const body = write({ provider, call, rules });
    return learnt.apply(rules ? withoutRuledOut(body, rules, to) : body, to);
  }

  function learns(chat: OutgoingChat, thrown: unknown): boolean {
    const { id, model, startedAt } = chat.call;
    return learnt.learn(bodyOf(chat, { id, model, startedAt, warn: () => {} }), model, thrown);
  }

  const post = (chat: OutgoingChat) => client.post(chat.path, bodyOf(chat, chat.call), chat.sent ?? chat.call);
  const open = (chat: OutgoingChat) => client.events(chat.path, bodyOf(chat, chat.call), chat.sent ?? chat.call);
  return {
    async whole(chat) {
      return post(chat).catch((thrown: unknown) => {
        if (!learns(chat, thrown)) throw thrown;
        return post(chat);
      });
    },
    events: (chat) => orElse(open(chat), (thrown) => (learns(chat, thrown) ? open(chat) : undefined)),
  };
}
