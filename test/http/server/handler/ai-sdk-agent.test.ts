import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from "ai";
import { expect, it } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { createEngine } from "../../../../src/index.ts";
import { type Script, seals } from "../../../agents/script.ts";
import { type ScriptedVendor, startScriptedVendor } from "../../../agents/scripted-vendor.ts";

const answer = "It is warm in Rome.";
const script = { tool: "weather", arguments: { city: "Rome" }, answer };
const inputSchema = jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } });
const tools = { weather: tool({ inputSchema, execute: async ({ city }) => `21 degrees in ${city}` }) };
/** Thoughts travel sealed: nothing is stored. */
const providerOptions = {
  openai: {
    store: false,
    reasoningEffort: "high",
    reasoningSummary: "auto",
    include: ["reasoning.encrypted_content"],
    forceReasoning: true, // the SDK knows models by their start, and ours begin with the vendor
  },
};

interface Loop {
  readonly isStream: boolean;
  /** The model that goes on where OpenAI does not answer. */
  readonly fallback?: string | undefined;
}

/** An agent on the AI SDK's Responses model over an engine whose vendors follow the script. */
async function startAgent({ isStream, fallback }: Loop, more: Pick<Script, "isDown"> = {}) {
  const vendor = await startScriptedVendor({ ...script, ...more });
  const lab = { apiKey: "k", baseUrl: vendor.url };
  const providers = [openai({ ...lab, baseUrl: `${vendor.url}/v1` }), anthropic(lab), gemini(lab)];
  const rules = fallback === undefined ? [] : [{ name: "spare", when: {}, use: { fallbacks: [fallback] } }];
  const engine = createEngine({ providers, rules, retry: { retries: 0 } });
  const sdk = createOpenAI({ apiKey: "k", baseURL: "http://engine/v1", fetch: engine.fetch });
  const settings = { model: sdk.responses("openai/gpt-5.6-sol"), tools, providerOptions, maxRetries: 0 };
  const run = async (messages: ModelMessage[]): Promise<{ text: string; said: ModelMessage[] }> => {
    const asked = { ...settings, messages, stopWhen: isStepCount(5) };
    if (!isStream) {
      const { text, responseMessages } = await generateText(asked);
      return { text, said: responseMessages };
    }
    const streamed = streamText(asked);
    return { text: await streamed.text, said: await streamed.responseMessages };
  };
  const stop = async () => {
    await engine.close();
    vendor.close();
  };
  return { vendor, run, stop };
}

const question: ModelMessage = { role: "user", content: "How warm is it in Rome?" };
const answeredBy = ({ asked }: ScriptedVendor) =>
  asked.flatMap(({ isAnswered, vendor, path }) => (isAnswered ? `${vendor} ${path.split("/").at(-1)}` : []));

it.each([false, true])("a tool loop keeps its thoughts sealed at OpenAI (streamed: %s)", async (isStream) => {
  const { vendor, run, stop } = await startAgent({ isStream });
  const { text } = await run([question]);
  expect(text).toBe(answer);
  expect(vendor.asked).toHaveLength(2); // neither is asked at /chat/completions first
  expect(answeredBy(vendor)).toEqual(["openai responses", "openai responses"]);
  expect(vendor.asked.every((each) => each.isStream === isStream)).toBe(true);
  expect(vendor.asked[1]).toMatchObject({
    seals: [seals.openai],
    calls: [{ id: "call_scripted_1", text: "weather" }],
    results: [{ id: "call_scripted_1", text: expect.stringContaining("21 degrees in Rome") }],
  });
  await stop();
});

it.each(
  ["anthropic/claude-sonnet-4-5", "gemini/gemini-3-flash-preview"].flatMap((fallback) => [
    { fallback, isStream: false },
    { fallback, isStream: true },
  ]),
)("$fallback goes on, and OpenAI behind it (streamed: $isStream)", async (loop) => {
  let outage = true;
  const isDown: Script["isDown"] = (name, { results }) => outage && name === "openai" && results.length > 0;
  const { vendor, run, stop } = await startAgent(loop, { isDown });
  const first = await run([question]);
  expect(first.text).toBe(answer);
  const [other = ""] = loop.fallback.split("/");
  expect(answeredBy(vendor)).toEqual(["openai responses", expect.stringMatching(`^${other} `)]);
  const continued = vendor.asked.at(-1);
  expect(continued?.results).toMatchObject([{ text: expect.stringContaining("21 degrees in Rome") }]);
  expect(continued?.calls).toMatchObject([{ text: "weather" }]);

  outage = false;
  const last = await run([question, ...first.said, { role: "user", content: "And now?" }]);
  expect(last.text).toBe(answer);
  expect(answeredBy(vendor).at(-1)).toBe("openai responses");
  expect(vendor.asked.at(-1)?.seals).toEqual([seals.openai]); // none of the other vendor's
  await stop();
});
