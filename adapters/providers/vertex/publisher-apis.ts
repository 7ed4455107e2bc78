import { anthropicPlaces } from "../../shared/anthropic/parameters.ts";
import type { ParameterPlaces } from "../../shared/chat/parameter-places.ts";
import { type RulesOptions, rulesCheck } from "../../shared/chat/rules-option.ts";
import { taughtChats } from "../../shared/chat/taught-chats.ts";
import { fitting } from "../../shared/fitting/fitting.ts";
import { geminiPlaces } from "../../shared/gemini/parameters.ts";
import { claudePublisherApi } from "./claude.ts";
import { geminiPublisherApi } from "./gemini.ts";
import type { PublisherApi, PublisherContext } from "./publisher-api.ts";

/** Checks the option `modelRules`, whose patterns may fit models of either publisher. */
export const vertexRules = rulesCheck({
  needed: new Set([...anthropicPlaces.needed, ...geminiPlaces.needed]),
  holders: [...anthropicPlaces.holders, ...geminiPlaces.holders],
  units: [],
});

/** Both publishers' ways to speak. */
export function publisherApisOf({ modelRules, ...of }: Omit<PublisherContext, "chats"> & RulesOptions): {
  readonly google: PublisherApi;
  readonly anthropic: PublisherApi;
} {
  const { provider, provider: name, client } = of;
  const chatsWith = (places: ParameterPlaces) => taughtChats({ client: client.http, provider, modelRules, places });
  const google = geminiPublisherApi({ ...of, chats: chatsWith(geminiPlaces) });
  const claude = claudePublisherApi({ ...of, chats: chatsWith(anthropicPlaces) });
  return { google: fitting({ name, ...google }, "gemini"), anthropic: fitting({ name, ...claude }, "claude") };
}
