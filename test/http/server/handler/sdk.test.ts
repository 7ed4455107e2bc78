import OpenAI from "openai";
import { expect, test } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { createListener } from "../../../../src/http/server/node.ts";
import { chunkOf, echo, engineDouble } from "../../support/engine-double.ts";
import { promised, serve, stillClock } from "../../support/server.ts";

const messages = [{ role: "user" as const, content: "hello" }];
type Double = ReturnType<typeof engineDouble>;

/** The official SDK over an engine: once in process, once over a socket. */
const carriers: [string, (engine: Double, use: (client: OpenAI) => Promise<void>) => Promise<void>][] = [
  [
    "in process",
    async (engine, use) => {
      const fetch = createFetch(engine);
      await use(new OpenAI({ apiKey: "sk-tg-1", baseURL: "http://engine/v1", fetch, maxRetries: 0 }));
    },
  ],
  [
    "over a socket",
    async (engine, use) => {
      await using server = await serve(createListener({ engine, clock: stillClock }));
      await use(new OpenAI({ apiKey: "sk-tg-1", baseURL: `${server.url}/v1`, maxRetries: 0 }));
    },
  ],
];

test.each(carriers)("%s: a whole answer, with the SDK's key as the virtual key", async (_name, over) => {
  const engine = engineDouble({ chat: echo });
  await over(engine, async (client) => {
    const answer = await client.chat.completions.create({ model: "double/m", messages });
    expect(answer.choices[0]?.message.content).toBe("hello");
  });
  expect(engine.asked[0]).toMatchObject({ request: { model: "double/m", messages }, options: { key: "sk-tg-1" } });
});

test.each(carriers)("%s: a stream", async (_name, over) => {
  const engine = engineDouble({
    streamChat: async () =>
      (async function* () {
        for (const [n, word] of ["a", "b", "c"].entries()) yield chunkOf(word, n, n === 2 ? "stop" : null);
      })(),
  });
  await over(engine, async (client) => {
    let text = "";
    for await (const chunk of await client.chat.completions.create({ model: "double/m", messages, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? "";
    }
    expect(text).toBe("abc");
  });
});

test.each(carriers)("%s: a stream that breaks is the SDK's error, not an end", async (_name, over) => {
  const engine = engineDouble({
    streamChat: async () =>
      (async function* () {
        yield chunkOf("a");
        throw new GatewayError("upstream_stream_broken", "The stream ended early.");
      })(),
  });
  await over(engine, async (client) => {
    const stream = await client.chat.completions.create({ model: "double/m", messages, stream: true });
    const read = async () => {
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toThrow(OpenAI.APIError);
  });
});

test.each(carriers)("%s: leaving a stream early ends the call", async (_name, over) => {
  const ended = promised<void>();
  const engine = engineDouble({
    streamChat: async () =>
      (async function* () {
        try {
          for (let n = 0; ; n++) {
            yield chunkOf("x".repeat(1_000), n);
            await new Promise((resolve) => setImmediate(resolve));
          }
        } finally {
          ended.resolve();
        }
      })(),
  });
  await over(engine, async (client) => {
    for await (const _chunk of await client.chat.completions.create({ model: "double/m", messages, stream: true }))
      break;
    await ended.promise;
  });
});

test.each(carriers)("%s: an abort is the SDK's abort, and reaches the engine", async (_name, over) => {
  const arrived = promised<AbortSignal>();
  const cancelled = promised<void>();
  const engine = engineDouble({
    chat: (_request, options) => {
      const signal = options?.signal as AbortSignal;
      arrived.resolve(signal);
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => {
          cancelled.resolve();
          reject(signal.reason);
        }),
      );
    },
  });
  await over(engine, async (client) => {
    const controller = new AbortController();
    const pending = client.chat.completions.create({ model: "double/m", messages }, { signal: controller.signal });
    const refused = expect(pending).rejects.toThrow(OpenAI.APIUserAbortError);
    await arrived.promise;
    controller.abort();
    await refused;
    await cancelled.promise;
  });
});

test.each(carriers)("%s: models and embeddings", async (_name, over) => {
  const engine = engineDouble({
    models: async () => ({ object: "list", data: [{ id: "double/m" }, { id: "double/n" }] }),
    embed: async ({ model }) => ({
      object: "list",
      model,
      data: [{ index: 0, object: "embedding", embedding: [0.5, 1] }],
    }),
  });
  const capabilities = { completion_chat: true, function_calling: true, vision: false };
  await over(engine, async (client) => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(["double/m", "double/n"]);
    expect(await client.models.retrieve("double/n")).toEqual({
      id: "double/n",
      object: "model",
      created: 0,
      type: "base",
      capabilities,
    });
    const { data } = await client.embeddings.create({ model: "double/e", input: "hi", encoding_format: "float" });
    expect(data[0]?.embedding).toEqual([0.5, 1]);
  });
});

test.each(carriers)(
  "%s: errors are the SDK's typed errors, with code, param and our event id in the message's body",
  async (_name, over) => {
    const cases = [
      [new GatewayError("invalid_request", "No.", { param: "model" }), OpenAI.BadRequestError],
      [new GatewayError("virtual_key_required", "No."), OpenAI.AuthenticationError],
      [new GatewayError("model_blocked", "No."), OpenAI.PermissionDeniedError],
      [new GatewayError("provider_not_found", "No."), OpenAI.NotFoundError],
      [new GatewayError("request_limited", "No."), OpenAI.RateLimitError],
      [new GatewayError("upstream_unreachable", "No."), OpenAI.InternalServerError],
      [
        new GatewayError("upstream_error", "x", {
          upstream: { status: 422, message: "No.", type: "t", code: "c", param: "p" },
        }),
        OpenAI.UnprocessableEntityError,
      ],
    ] as const;
    for (const [error, type] of cases) {
      await over(engineDouble({ chat: () => Promise.reject(error) }), async (client) => {
        const refused = await client.chat.completions.create({ model: "double/m", messages }).catch((thrown) => thrown);
        expect(refused).toBeInstanceOf(type);
        const { upstream } = error;
        expect(refused).toMatchObject({
          status: error.status,
          code: upstream?.code ?? error.code,
          type: upstream?.type ?? error.code,
          param: (upstream ? upstream.param : error.param) ?? null,
          error: { message: "No.", event_id: "evt_1" },
        });
      });
    }
  },
);
