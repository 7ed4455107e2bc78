import { setTimeout as sleep } from "node:timers/promises";
import type { ChatChunk, ChatRequest } from "../../../src/api/chat.ts";
import { GatewayError } from "../../../src/errors.ts";
import { defineProvider, type Provider, type ProviderCall } from "../../../src/ports.ts";
import { abortError } from "../../shared/http/failure.ts";
import { answerStreamed, answerWhole } from "./answer.ts";
import { models, requireModel } from "./models.ts";
import { replyTo } from "./reply.ts";
import { rankByWords } from "./rerank.ts";
import { localVectors } from "./vectors.ts";

/** Options of {@link local}; none is needed. */
export interface LocalOptions {
  /** Milliseconds between the words of a stream, to see how a client takes them; 0 unless given. */
  readonly pauseMs?: number | undefined;
  /** The part before `/` in model names; `local` unless given. */
  readonly name?: string | undefined;
}

const longestPause = 60_000;

/**
 * A provider that needs no network and no key. `local/echo` answers deterministically, whole or word by word, and says that it is an
 * echo; `local/bm25` ranks documents by their words; `local/minilm-l6-v2` makes vectors, where the packages with its engine and its
 * weights are installed. For trying things out offline, for tests, and for a semantic cache that asks nobody.
 */
export function local({ name = "local", pauseMs = 0 }: LocalOptions = {}): Provider {
  if (!(pauseMs >= 0 && pauseMs <= longestPause)) {
    const message = `\`pauseMs\` of ${name} must be between 0 and ${longestPause}.`;
    throw new GatewayError("invalid_configuration", message, { param: "pauseMs" });
  }
  const check = (verb: keyof typeof models, call: ProviderCall) => {
    if (call.signal.aborted) throw abortError(call.signal);
    requireModel(verb, { provider: name, model: call.model });
  };
  const reply = (request: ChatRequest, call: ProviderCall) => {
    check("chat", call);
    return replyTo(request, { provider: name, call });
  };
  const vectors = localVectors(name);
  return defineProvider({
    name,
    chat: async (request, call) => answerWhole(reply(request, call), call),
    async *streamChat(request, call): AsyncGenerator<ChatChunk> {
      for (const chunk of answerStreamed(reply(request, call), call)) {
        if (call.signal.aborted) throw abortError(call.signal);
        yield chunk;
        if (pauseMs > 0) await pause(pauseMs, call.signal);
      }
    },
    async rerank(request, call) {
      check("rerank", call);
      return rankByWords(request, { provider: name, call });
    },
    async embed(request, call) {
      check("embed", call);
      return vectors.embed(request, call);
    },
    listModels: async () => [models.chat, models.rerank, ...((await vectors.isInstalled()) ? [models.embed] : [])],
    close: () => vectors.close(),
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw abortError(signal); // the only way for a sleep to fail
  }
}
