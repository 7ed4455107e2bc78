import { setTimeout as sleep } from "node:timers/promises";
import type { ChatChunk, ChatRequest } from "../../../src/api/chat.ts";
import type { Model } from "../../../src/api/models.ts";
import { GatewayError } from "../../../src/errors.ts";
import { defineProvider, type Provider, type ProviderCall } from "../../../src/ports.ts";
import { abortError } from "../../shared/http/failure.ts";
import { answerStreamed, answerWhole } from "./answer.ts";
import { replyTo } from "./reply.ts";

/** Options of {@link local}; none is needed. */
export interface LocalOptions {
  /** Milliseconds between the words of a stream, to see how a client takes them; 0 unless given. */
  readonly pauseMs?: number | undefined;
  /** The part before `/` in model names; `local` unless given. */
  readonly name?: string | undefined;
}

const longestPause = 60_000;

const echo: Model = {
  id: "echo",
  name: "Echo",
  description: "Says back what you said, calls tools that you name, fills JSON schemas. No model is asked.",
  owned_by: "tollgate",
  architecture: { modality: "text->text", input_modalities: ["text"], output_modalities: ["text"] },
  pricing: { prompt: "0", completion: "0" },
  supported_parameters: [
    "max_completion_tokens",
    "parallel_tool_calls",
    "response_format",
    "seed",
    "stop",
    "tool_choice",
    "tools",
  ],
};

/**
 * A provider that needs no network and no key: `local/echo` answers deterministically, whole or word by word, and says that it is an
 * echo. For trying things out offline and for tests; tokens are counted by a simple rule (`usage.estimated`).
 */
export function local({ name = "local", pauseMs = 0 }: LocalOptions = {}): Provider {
  if (!(pauseMs >= 0 && pauseMs <= longestPause)) {
    const message = `\`pauseMs\` of ${name} must be between 0 and ${longestPause}.`;
    throw new GatewayError("invalid_configuration", message, { param: "pauseMs" });
  }
  const reply = (request: ChatRequest, call: ProviderCall) => {
    if (call.signal.aborted) throw abortError(call.signal);
    requireEcho(name, call.model);
    return replyTo(request, { provider: name, call });
  };
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
    listModels: async () => [echo],
  });
}

function requireEcho(name: string, model: string): void {
  if (model === echo.id) return;
  const message = `${name} has no model \`${model}\`; it has \`${echo.id}\`.`;
  throw new GatewayError("upstream_error", message, {
    upstream: { status: 404, type: "invalid_request_error", code: "model_not_found", param: "model", message },
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw abortError(signal); // the only way for a sleep to fail
  }
}
