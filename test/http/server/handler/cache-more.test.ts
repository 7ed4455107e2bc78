import { expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { createEngine } from "../../../../src/index.ts";
import { newestOpenai, responseWith } from "../../support/responses/newest-openai.ts";

const said = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Hi.", annotations: [], logprobs: [] }],
};

it("a request that says more than a chat is never given the kept answer of one that says less", async () => {
  const vendor = newestOpenai([responseWith([said])]);
  const provider = openai({ apiKey: "k", transport: vendor.transport, upstream: "responses" });
  const engine = createEngine({ providers: [provider], cache: { answers: memoryCache(), mode: "on" } });
  const ask = async (more: object) => {
    const body = JSON.stringify({ model: "openai/gpt-5.6-sol", input: "go", ...more });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    await (await engine.fetch("http://e/v1/responses", init)).text();
    return vendor.asked.length;
  };
  expect([await ask({}), await ask({})]).toEqual([1, 1]); // the second is kept
  const more = { include: ["reasoning.encrypted_content"] };
  expect([await ask(more), await ask(more)]).toEqual([2, 3]);
  await engine.close();
});
