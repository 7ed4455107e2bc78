import type { ChatChunk, ChatRequest } from "../../../src/api/chat.ts";
import { isGatewayError } from "../../../src/errors.ts";
import type { Provider, ProviderCall } from "../../../src/ports.ts";
import type { HttpClient } from "../http/client.ts";
import type { SseEvent } from "../http/sse.ts";
import { unbatch } from "../http/unbatch.ts";
import { rerankWith } from "../rerank/rerank.ts";
import type { Reading } from "./answer.ts";
import { chunkReader } from "./chunks.ts";
import type { Addressee, Dialect } from "./dialect.ts";
import { embedWith } from "./embeddings.ts";
import { readChat } from "./from-wire.ts";
import { readModels } from "./models.ts";
import { chatToWire } from "./to-wire.ts";

/** A vendor that speaks OpenAI's dialect, with its deviations. */
export interface DialectProvider {
  readonly name: string;
  readonly http: HttpClient;
  readonly dialect: Dialect;
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
      const body = chatToWire(request, call.model, { ...addressee(of, call), isStream: false });
      return readChat(await http.post("/chat/completions", body, call), reading(of, call));
    };
    provider.streamChat = (request, call) => streamChat(of, request, call);
  }
  const { embeddings = {}, rerank } = dialect;
  if (of.embeds) {
    provider.embed = (request, call) => embedWith({ provider: name, http, dialect: embeddings }, request, call);
  }
  if (rerank) provider.rerank = (request, call) => rerankWith({ provider: name, http, dialect: rerank }, request, call);
  return provider;
}

/** Each warning is given once, however many messages ask for it. */
function addressee({ name, dialect }: DialectProvider, call: ProviderCall): Addressee {
  const warned: string[] = [];
  const warn = (warning: string) => {
    if (warned.includes(warning)) return;
    warned.push(warning);
    call.warn(warning);
  };
  return { provider: name, dialect, warn };
}

function reading({ name, http }: DialectProvider, call: ProviderCall): Reading {
  return { provider: name, http, call };
}

function streamChat(of: DialectProvider, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const reader = chunkReader(reading(of, call));
  return unbatch<readonly SseEvent[], ChatChunk>({
    open() {
      const body = chatToWire(request, call.model, { ...addressee(of, call), isStream: true });
      return of.http.events("/chat/completions", body, call);
    },
    read: (batch) => reader.read(batch),
    end(broken) {
      if (broken && (!reader.isComplete() || !isLoss(broken.thrown))) throw broken.thrown;
      if (broken) call.warn(`the stream of ${of.name} broke off after its last content`);
      return reader.end();
    },
  });
}

/** True for the loss of a connection, which takes nothing from an answer that had already ended. */
function isLoss(thrown: unknown): boolean {
  return isGatewayError(thrown) && (thrown.code === "upstream_stream_broken" || thrown.code === "upstream_timeout");
}

async function listModels({ name, http, models }: DialectProvider, call: ProviderCall) {
  if (typeof models !== "string") return models.map((id) => ({ id }));
  return readModels(await http.get(models, call), name);
}
