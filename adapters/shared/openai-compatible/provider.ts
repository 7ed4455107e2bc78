import type { Provider, ProviderBilling, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { learntParameters } from "../chat/learnt-parameters.ts";
import { type RulesOptions, rulesIn } from "../chat/rules-option.ts";
import { fitting } from "../fitting/fitting.ts";
import { embedWith } from "./embeddings.ts";
import { readModels } from "./models.ts";
import { rerankWith } from "./rerank/rerank.ts";
import { continueChat, type ProviderContext, streamChat } from "./stream.ts";
import { askChat } from "./whole.ts";

/** A vendor that speaks OpenAI's dialect, with its deviations. */
export interface DialectProvider extends Omit<ProviderContext, "learnt" | "rulesOf">, RulesOptions {
  /** Whether it has `POST /chat/completions`; it has unless given. */
  readonly chats?: boolean | undefined;
  readonly embeds: boolean;
  /** What decides about its bills beside the usage of its answers. */
  readonly billing?: ProviderBilling | undefined;
  /** Path of the list of models; or the models, for a vendor that has no such list. */
  readonly models: string | readonly string[];
}

/** The provider: the same reading and writing for every vendor of the dialect. */
export function dialectProvider(vendor: DialectProvider): Provider {
  const of = { ...vendor, learnt: learntParameters(), rulesOf: rulesIn(vendor.modelRules) };
  const { name, http, dialect } = of;
  const provider: Provider = {
    name,
    ...(of.billing ? { billing: of.billing } : {}),
    listModels: (call) => listModels(of, call),
    close: () => http.close(),
    ...(dialect.takesCustomTools && { takesCustomTools: true }),
  };
  if (of.chats !== false) {
    provider.chat = (request, call) => askChat(of, { request, call });
    provider.streamChat = (request, call) => streamChat(of, { request, call });
    const { prefill } = dialect;
    if (prefill) provider.continueChat = (request, call) => continueChat(of, prefill, { request, call });
  }
  const { embeddings = {}, rerank } = dialect;
  if (of.embeds) {
    provider.embed = (request, call) => embedWith({ provider: name, http, dialect: embeddings }, request, call);
  }
  if (rerank) provider.rerank = (request, call) => rerankWith({ provider: name, http, dialect: rerank }, request, call);
  return fitting(provider, dialect.form ?? "usual");
}

async function listModels({ name, http, models }: DialectProvider, call: ProviderCall) {
  if (typeof models !== "string") return models.map((id) => ({ id }));
  return readModels(await http.get(models, call), name);
}
