import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { ChatRequest, ChatResponse } from "../../src/engine/api/chat.ts";
import { mergeChunks } from "../../src/engine/metering/merge-chunks.ts";
import type { Provider } from "../../src/engine/ports/provider.ts";
import { collect, failureOf, recordedCall, withParsedArguments } from "../fixtures/native.ts";

/** The independent mock of the vendors, in a process of its own. */
export interface Aimock {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the mock on a free port with answers of `test/fixtures/aimock`; it streams in pieces of seven characters. */
export async function startAimock(name = "answers"): Promise<Aimock> {
  const program = fileURLToPath(new URL("../../node_modules/@copilotkit/aimock/dist/cli.js", import.meta.url));
  const answers = fileURLToPath(new URL(`../fixtures/aimock/${name}.json`, import.meta.url));
  const options = ["--port", "0", "--fixtures", answers, "--chunk-size", "7", "--log-level", "info"];
  const child = spawn(process.execPath, [program, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  return { url: await addressOf(child), stop: () => stop(child) };
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the mock has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /listening on (http\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("the mock ended before it listened");
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill();
  });
}

/** What the rules are told of the provider that they are checked on. */
export interface Subject {
  readonly provider: () => Provider;
  readonly model: string;
  /** The mock says the thoughts of this vendor as text. */
  readonly mixesThoughts?: boolean;
}

const tools: ChatRequest["tools"] = [
  {
    type: "function",
    function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
  },
];
const picture = "data:image/png;base64,iVBORw0KGgo=";

/** Rules that hold of a provider that talks to the mock, whole and streamed. */
export function aimockRules({ provider, model, mixesThoughts }: Subject): void {
  const asked = (content: unknown, more: object = {}): ChatRequest =>
    ({ model: `mock/${model}`, messages: [{ role: "user", content }], ...more }) as ChatRequest;
  const whole = async (request: ChatRequest) => (await provider().chat?.(request, recordedCall(model))) as ChatResponse;
  const streamed = async (request: ChatRequest) =>
    mergeChunks(await collect(provider().streamChat?.(request, recordedCall(model))));
  const both = async (request: ChatRequest) => [await whole(request), await streamed(request)] as const;

  it("text and usage are the same whole and streamed", async () => {
    for (const { choices, usage } of await both(asked("greet me"))) {
      expect(choices[0]).toMatchObject({
        finish_reason: "stop",
        message: { content: "Grüße aus dem Ärmelkanal – 海峡 🌊 says hello." },
      });
      expect(usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 17, total_tokens: 26 });
    }
  });

  it("parallel calls come with ids and arguments, and their results lead on", async () => {
    const request = asked("two calls", { tools });
    for (const answer of await both(request)) {
      const { choices } = withParsedArguments(answer) as ChatResponse;
      const calls = choices[0]?.message.tool_calls ?? [];
      expect(choices[0]?.finish_reason).toBe("tool_calls");
      expect(calls.map((call) => [call.function?.name, call.function?.arguments])).toEqual([
        ["get_weather", { city: "Rome" }],
        ["get_weather", { city: "Oslo", days: [1, 2] }],
      ]);
      const results = calls.map(({ id = "" }) => ({ role: "tool" as const, tool_call_id: id, content: "21°" }));
      const message = answer.choices[0]?.message ?? { role: "assistant" as const };
      const next = { ...request, messages: [...request.messages, message, ...results] };
      expect((await whole(next)).choices[0]?.message.content).toBe("Rome is warm, Oslo is cold.");
    }
  });

  if (!mixesThoughts) {
    it("thoughts are told from the text", async () => {
      for (const { choices } of await both(asked("think"))) {
        expect(choices[0]?.message).toMatchObject({
          content: "It is four.",
          reasoning: "Two and two make four, as they always have.",
        });
      }
    });
  }

  it("a picture in the request is taken", async () => {
    const parts = [
      { type: "text", text: "a picture" },
      { type: "image_url", image_url: { url: picture } },
    ];
    for (const { choices } of await both(asked(parts)))
      expect(choices[0]?.message.content).toBe("A very small picture.");
  });

  it("an answer that was cut off says so", async () => {
    for (const { choices } of await both(asked("cut short"))) expect(choices[0]?.finish_reason).toBe("length");
  });

  it("a refusal keeps its status and words", async () => {
    const request = asked("too much");
    for (const ask of [whole, streamed]) {
      expect(await failureOf(ask(request))).toMatchObject({
        code: "upstream_error",
        status: 429,
        upstream: { message: "Slow down, please." },
      });
    }
  });
}
