import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import type { Provider, ProviderBilling, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { learntParameters } from "../chat/learnt-parameters.ts";
import { type RulesOptions, rulesIn } from "../chat/rules-option.ts";
import { fitting } from "../fitting/fitting.ts";
import { ReceivedEvents } from "../http/response/answer-form.ts";
import { embedWith } from "./embeddings.ts";
import { readModels } from "./models.ts";
import { rerankWith } from "./rerank/rerank.ts";
import { readChat } from "./response/from-wire.ts";
import { gatherChat } from "./response/gathered.ts";
import {
  bodyFor,
  type ChatCallInput,
  continueChat,
  type ProviderContext,
  reading,
  silent,
  streamChat,
} from "./stream.ts";

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

/** A whole answer; a refusal of a parameter is learnt from, once. */
async function askChat(of: ProviderContext, { request, call }: ChatCallInput): Promise<ChatResponse> {
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
