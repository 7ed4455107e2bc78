import type { Provider, ProviderBilling } from "../../../src/engine/ports/provider.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import type { RulesOptions } from "../../shared/chat/rules-option.ts";
import { type KeyOptions, overCredentials } from "../../shared/credentials.ts";
import { withDecisions } from "../../shared/decisions/decide.ts";
import type { DecisionInterface } from "../../shared/decisions/vendor.ts";
import { httpClient } from "../../shared/http/client.ts";
import { requireKey } from "../../shared/http/target.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";
import { dialectProvider } from "../../shared/openai-compatible/provider.ts";
import type { ChatInterface } from "../../shared/openai-responses/interface-choice.ts";
import { overBothInterfaces } from "../../shared/openai-responses/upstream.ts";
import type { CompatibleRow } from "./row.ts";

/** Hosted vendors need a key, or several; servers of one's own may run without. */
export interface CompatibleOptions extends KeyOptions, WireOptions, RulesOptions {
  /** In place of the row's; one without a path gets the row's path. */
  readonly baseUrl?: string | undefined;
  /** Of vendors with OpenAI's Responses API: the interface that chats go to, for all models or by model; the one that model and request need unless given. */
  readonly upstream?: ChatInterface | undefined;
}

/** The settings of one provider of a row. */
interface RowSettings extends CompatibleOptions {
  readonly name: string;
  readonly billing?: ProviderBilling | undefined;
  /** The vendor's interface for decisions, where it has one. */
  readonly decisions?: DecisionInterface | undefined;
}

/** The provider of a row, under a name of its own. */
export function fromRow(row: CompatibleRow, options: RowSettings): Provider {
  const { name, headers, fetch, transport, billing, decisions, upstream, modelRules } = options;
  const make = (apiKey: string | undefined, shared: Transport | undefined) => {
    const baseUrl = baseUrlOf(row, options);
    const client = {
      readsEither: true,
      costHeader: row.costHeader,
      provider: name,
      headers: { ...keyHeader(row, name, apiKey), ...headers },
      callerHeaders: options.callerHeaders ?? row.callerHeaders,
      fetch,
      transport: shared,
    };
    const http = httpClient({ ...client, baseUrl });
    const { dialect, chats, embeds, models } = row;
    const provider = dialectProvider({
      name,
      http,
      dialect,
      chats,
      embeds,
      models,
      billing,
      modelRules,
    });
    const usual = row.responses === "forced" ? "chat" : "auto";
    const chatting =
      row.responses === undefined
        ? provider
        : overBothInterfaces(provider, { name, http, upstream, usual, modelRules, stored: row.stored });
    if (!decisions) return chatting;
    const own = decisions.base ? httpClient({ ...client, baseUrl: decisions.base(baseUrl) }) : http;
    return withDecisions(chatting, { ...decisions, name, http: own });
  };
  const isKeyless = options.apiKey === undefined && options.credentials === undefined && !row.needsKey;
  return isKeyless ? make(undefined, transport) : overCredentials(options, { name, fetch, transport }, make);
}

/** A URL without a path gets the row's: what people set is often the host alone. */
function baseUrlOf(row: CompatibleRow, { baseUrl }: CompatibleOptions): string {
  if (baseUrl === undefined) return row.baseUrl ?? "";
  const url = URL.parse(baseUrl);
  if (url === null || url.pathname !== "/") return baseUrl;
  return `${url.origin}${row.basePath ?? URL.parse(row.baseUrl ?? "")?.pathname ?? ""}${url.search}`;
}

function keyHeader(row: CompatibleRow, name: string, apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined && !row.needsKey) return {};
  const key = requireKey(apiKey, name);
  return row.keyHeader === undefined ? { authorization: `Bearer ${key}` } : { [row.keyHeader]: key };
}
