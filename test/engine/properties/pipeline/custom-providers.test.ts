import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { type ChatResponse, createEngine, type Engine, type Provider } from "../../../../src/index.ts";

/** A provider of an embedder's own, as a plain object. */
type Methods = Omit<Provider, "name">;

function open(methods: Methods) {
  const engine = createEngine({ providers: [{ name: "own", ...methods }], retry: { retries: 0 } });
  const defects: unknown[] = [];
  engine.on("defect", ({ error }) => void defects.push(error));
  return { engine, defects };
}

const question = { model: "own/m", messages: [{ role: "user" as const, content: "Hi" }] };
const head = { id: "1", created: 1, model: "m" };
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const message = { role: "assistant", content: "Hello", tool_calls: [call], reasoning: "so", reasoning_details: [{}] };

function answer(): object {
  const choices = [{ index: 0, finish_reason: "stop", message, log_probs: null }];
  return structuredClone({ ...head, object: "chat.completion", choices });
}
function chunks(): object[] {
  const piece = (delta: object, finish_reason: string | null) => ({
    ...{ ...head, object: "chat.completion.chunk" },
    choices: [{ index: 0, finish_reason, delta }],
  });
  const { role: _role, ...delta } = message;
  return structuredClone([piece({ role: "assistant", content: "He" }, null), piece(delta, null), piece({}, "stop")]);
}

/** Asks both ways; what was thrown, if anything. */
async function outcomes(engine: Engine): Promise<unknown[]> {
  const whole = engine.chat(question);
  const streamed = engine.streamChat(question).then(async (stream) => {
    for await (const _chunk of stream);
  });
  const ends = [whole, streamed].map((end) =>
    end.then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );
  return Promise.all(ends);
}

type Fields = Record<string, unknown>;

/** Puts a value at a path of an object. */
function put(target: object, path: readonly string[], value: unknown): void {
  const inner = path.slice(0, -1).reduce((at, name) => at[name] as Fields, target as Fields);
  inner[path.at(-1) as string] = value;
}

const isText = (value: unknown) => typeof value === "string";
const isAbsent = (value: unknown) => value === undefined || value === null;
const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of a choice's text, by path, and what they may be. */
const saidFields: readonly [string, (value: unknown) => boolean][] = [
  // What is in the calls are the rows that follow: a piece of a call may lack everything.
  ["tool_calls", (value) => isAbsent(value) || (Array.isArray(value) && value.every(isRecord))],
  ["tool_calls.0", (value) => isRecord(value)],
  ["tool_calls.0.id", (value) => isAbsent(value) || isText(value)],
  ["tool_calls.0.function.name", (value) => isAbsent(value) || isText(value)],
  ["tool_calls.0.function.arguments", (value) => isAbsent(value) || isText(value)],
  ["reasoning", (value) => isAbsent(value) || isText(value)],
  ["refusal", (value) => isAbsent(value) || isText(value)],
];
const commonFields: readonly [string, (value: unknown) => boolean][] = [
  ["id", isText],
  ["created", (value) => typeof value === "number" && Number.isFinite(value)],
  ["model", isText],
  ["choices", (value) => Array.isArray(value)],
  ["choices.0", (value) => isRecord(value)],
  ["choices.0.index", (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  ["choices.0.finish_reason", (value) => value === null || isText(value)],
];
const fieldsOf = (name: "message" | "delta") => [
  ...commonFields,
  ...saidFields.map(([path, may]) => [`choices.0.${name}.${path}`, may] as const),
];

const value = fc.oneof(fc.anything(), fc.constantFrom(undefined, null, 0, -1, 1.5, "", "x", [], {}, [null], true));

describe("a malformed answer of a provider of one's own", () => {
  it.each([
    ["chat", "message"],
    ["streamChat", "delta"],
  ] as const)(
    "is upstream_invalid_response that names provider and field, whole and streamed (%s)",
    async (method, name) => {
      const field = fc.constantFrom(...fieldsOf(name));
      await fc.assert(
        fc.asyncProperty(field, value, fc.nat(1), async ([path, may], wrong, at) => {
          fc.pre(!may(wrong));
          const { engine, defects } = open({
            ...(method === "chat" && {
              chat: async () => {
                const whole = answer();
                put(whole, path.split("."), wrong);
                return whole as never;
              },
            }),
            ...(method === "streamChat" && {
              async *streamChat() {
                const all = chunks();
                put(all[path.includes("tool_calls") ? 1 : at] as object, path.split("."), wrong);
                yield* all as never[];
              },
            }),
          });
          const errors = await outcomes(engine);
          await engine.close();
          for (const error of errors) {
            expect(error).toMatchObject({ code: "upstream_invalid_response", provider: "own" });
            expect((error as Error).message).toContain(`\`own\``);
            expect((error as Error).message).toContain(path);
          }
          expect(defects).toEqual([]);
        }),
        { numRuns: 150 },
      );
    },
  );

  it("is never our error, whatever it is", async () => {
    const anything = fc.anything({ maxDepth: 4, key: fc.constantFrom("id", "choices", "message", "delta", "content") });
    await fc.assert(
      fc.asyncProperty(anything, fc.boolean(), async (wrong, isStream) => {
        const { engine, defects } = open({
          ...(isStream
            ? {
                streamChat: async function* () {
                  yield wrong as never;
                },
              }
            : { chat: async () => wrong as never }),
          embed: async () => wrong as never,
          rerank: async () => wrong as never,
        });
        const embedded = engine.embed({ model: "own/m", input: "x" });
        const ranked = engine.rerank({ model: "own/m", query: "x", documents: ["y"] } as never);
        const others = [embedded, ranked].map((end) =>
          end.then(
            () => undefined,
            (thrown: unknown) => thrown,
          ),
        );
        const thrown = [...(await outcomes(engine)), ...(await Promise.all(others))];
        await engine.close();
        for (const error of thrown) {
          if (error === undefined) continue;
          expect(isGatewayError(error) && error.code).toMatch(/^(upstream_|invalid_request)/);
        }
        expect(defects).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("what a provider of one's own throws", () => {
  it("is the provider's failure, with its cause, whose words no caller sees", async () => {
    const secret = "sk-secret-0123456789";
    const thrown = fc.oneof(
      fc.constantFrom(new TypeError(secret), Object.assign(new Error(secret), { name: secret })),
      fc.constantFrom(secret, null, undefined, 5, { message: secret }),
    );
    await fc.assert(
      fc.asyncProperty(thrown, fc.constantFrom("chat", "streamChat", "at once"), async (error, how) => {
        const { engine } = open({
          ...(how === "chat" && { chat: () => Promise.reject(error) }),
          ...(how === "at once" && {
            chat: () => {
              throw error;
            },
          }),
          ...(how === "streamChat" && {
            async *streamChat() {
              yield* chunks().slice(0, 1) as never[];
              throw error;
            },
          }),
        });
        const errors = await outcomes(engine);
        await engine.close();
        for (const told of errors) {
          expect(told).toMatchObject({ code: "upstream_error", status: 502, provider: "own" });
          expect((told as Error).message).toMatch(
            /^The provider `own` failed with (a TypeError|an error|something that is no error)\.$/,
          );
          expect((told as Error).cause).toBe(error);
        }
      }),
    );
  });
});

describe("a provider of one's own that has one of chat and streamChat", () => {
  const text = fc.string({ minLength: 1 });
  const chat = (content: string) => async (): Promise<ChatResponse> => {
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant" as const, content } }];
    return { ...head, object: "chat.completion", choices };
  };
  const streamChat = (pieces: readonly string[], end: string | null) =>
    async function* () {
      for (const [at, content] of pieces.entries()) {
        const finish_reason = at === pieces.length - 1 ? end : null;
        yield { ...head, object: "chat.completion.chunk", choices: [{ index: 0, finish_reason, delta: { content } }] };
      }
    };

  it("streams what it answers whole", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const { engine } = open({ chat: chat(content) });
        let read = "";
        for await (const { choices } of await engine.streamChat(question)) read += choices[0]?.delta.content ?? "";
        await engine.close();
        expect(read).toBe(content);
      }),
      { numRuns: 30 },
    );
  });

  it("answers whole what it streams, and refuses a stream without its end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 5 }), fc.boolean(), async (pieces, isWhole) => {
        const { engine } = open({ streamChat: streamChat(pieces, isWhole ? "stop" : null) });
        const asked = engine.chat(question).then(
          ({ choices }) => choices[0]?.message.content,
          (thrown: { code?: string }) => thrown,
        );
        const told = await asked;
        await engine.close();
        if (isWhole && pieces.length > 0) expect(told).toBe(pieces.join(""));
        else expect(told).toMatchObject({ code: "upstream_stream_broken" });
      }),
      { numRuns: 60 },
    );
  });
});
