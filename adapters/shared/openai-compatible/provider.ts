import type { Provider, ProviderCall } from "../../../src/ports/provider.ts";
import { withObjectSchemas } from "../chat/object-schemas.ts";
import { embedWith } from "./embeddings.ts";
import { readModels } from "./models.ts";
import { rerankWith } from "./rerank/rerank.ts";
import { readChat } from "./response/from-wire.ts";
import { bodyFor, continueChat, type ProviderContext, reading, streamChat } from "./stream.ts";

/** A vendor that speaks OpenAI's dialect, with its deviations. */
export interface DialectProvider extends ProviderContext {
  /** Whether it has `POST /chat/completions`; it has unless given. */
  readonly chats?: boolean | undefined;
  readonly embeds: boolean;
  /** Path of the list of models; or the models, for a vendor that has no such list. */
  readonly models: string | readonly string[];
}

/** The provider: the same reading and writing for every vendor of the dialect. */
export function dialectProvider(of: DialectProvider): Provider {
  const { name, http, dialect } = of;
  const provider: Provider = { name, listModels: (call) => listModels(of, call), close: () => http.close() };
  if (of.chats !== false) {
    provider.chat = async (request, call) => {
      const raw = await http.post("/chat/completions", bodyFor(of, { request, call }, false), call);
      return readChat(raw, reading(of, call));
    };
    provider.streamChat = (request, call) => streamChat(of, { request, call });
    const { prefill } = dialect;
    if (prefill) provider.continueChat = (request, call) => continueChat(of, prefill, { request, call });
  }
  const { embeddings = {}, rerank } = dialect;
  if (of.embeds) {
    provider.embed = (request, call) => embedWith({ provider: name, http, dialect: embeddings }, request, call);
  }
  if (rerank) provider.rerank = (request, call) => rerankWith({ provider: name, http, dialect: rerank }, request, call);
  return withObjectSchemas(provider);
}

async function listModels({ name, http, models }: DialectProvider, call: ProviderCall) {
  if (typeof models !== "string") return models.map((id) => ({ id }));
  return readModels(await http.get(models, call), name);
}
