import { httpClient } from "../../../../../adapters/shared/http/client.ts";
import type { CompatibilityProfile } from "../../../../../adapters/shared/openai-compatible/compatibility-profile.ts";
import { dialectProvider } from "../../../../../adapters/shared/openai-compatible/provider.ts";
import type { ChatChunk } from "../../../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import type { Transport, WireRequest } from "../../../../../src/engine/ports/transport.ts";
import { type RecordedCall, recordedCall } from "../../../../../src/testing/conformance/provider/play.ts";

export const plain: CompatibilityProfile = { streamOptions: "usage", reasoning: "effort", history: "dropped" };

/** What a played vendor answers: a whole body, or the text of a stream and how it ends. */
export interface Played {
  readonly body?: unknown;
  readonly events?: string;
  readonly ending?: GatewayError;
}

/** A provider of the dialect over a transport without a network, and what it was asked. */
export function played(
  answer: Played,
  dialect: CompatibilityProfile = plain,
): { provider: Provider; asked: WireRequest[] } {
  const asked: WireRequest[] = [];
  const transport: Transport = {
    async whole(request) {
      asked.push(request);
      const body = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
      return { status: 200, headers: { "content-type": "application/json" }, body };
    },
    async stream(request) {
      asked.push(request);
      return { status: 200, headers: { "content-type": "text/event-stream" }, body: play(answer) };
    },
    close: async () => {},
  };
  const http = httpClient({ provider: "acme", baseUrl: "https://acme.test/v1", transport });
  return { provider: dialectProvider({ name: "acme", http, dialect, embeds: true, models: "/models" }), asked };
}

async function* play({ events = "", ending }: Played): AsyncGenerator<Uint8Array> {
  yield Buffer.from(events);
  if (ending) throw ending;
}

export interface Ended {
  readonly chunks: readonly ChatChunk[];
  readonly error: unknown;
  readonly call: RecordedCall;
}

/** A stream read to its end, whatever that is. */
export async function readStream(answer: Played, dialect?: CompatibilityProfile): Promise<Ended> {
  const { provider } = played(answer, dialect);
  const call = recordedCall("m");
  const chunks: ChatChunk[] = [];
  let error: unknown;
  try {
    const request = { model: "acme/m", messages: [{ role: "user" as const, content: "Hi" }] };
    for await (const chunk of provider.streamChat?.(request, call) ?? []) chunks.push(chunk);
  } catch (thrown) {
    error = thrown;
  }
  return { chunks, error, call };
}

/** One event of a stream. */
export function event(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** A chunk with one choice. */
export function piece(delta: unknown, finish: string | null = null, more: object = {}): string {
  return event({ id: "c1", created: 7, model: "m", choices: [{ index: 0, delta, finish_reason: finish }], ...more });
}

export const loss = new GatewayError("upstream_stream_broken", "lost");
