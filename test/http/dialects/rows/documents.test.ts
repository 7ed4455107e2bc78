import { expect, test } from "vitest";
import { vllm } from "../../../../adapters/providers/compatible/index.ts";
import { local } from "../../../../adapters/providers/local/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { createEngine } from "../../../../src/index.ts";
import { chatCompletion, postJson, scriptedVendor } from "../../support/dialects/scripted-vendor.ts";

const documentBlock = (title: string | undefined, data: string) => ({
  type: "document",
  ...(title === undefined ? {} : { title }),
  source: { type: "text", media_type: "text/plain", data },
});

test.each(["openai/gpt-5", "vllm/m"])("%s is sent a textual document as text, its name in front", async (model) => {
  const vendor = scriptedVendor(() => chatCompletion("ok"));
  const { fetch } = vendor;
  const engine = createEngine({ providers: [openai({ apiKey: "k", fetch }), vllm({ baseUrl: "http://v/v1", fetch })] });
  const question = { type: "text", text: "what is in it?" };
  const result = { type: "tool_result", tool_use_id: "t1", content: [documentBlock("out.txt", "found")] };
  const messages = [
    { role: "user", content: [documentBlock("notes.txt", "héllo"), question] },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] },
    { role: "user", content: [result, documentBlock(undefined, "bare")] },
  ];
  const { status } = await postJson(engine, {
    path: "/anthropic/v1/messages",
    body: { model, max_tokens: 9, messages },
  });
  expect(status).toBe(200);
  const sent = vendor.seen[0]?.body.messages as { content: unknown }[];
  expect(sent.map(({ content }) => content)).toEqual([
    [{ type: "text", text: "notes.txt\nhéllo" }, question],
    null,
    [{ type: "text", text: "out.txt\nfound" }],
    [{ type: "text", text: "bare" }],
  ]);
  await engine.close();
});

test("files that are no text, and those that the vendor has, stay files", async () => {
  const vendor = scriptedVendor(() => chatCompletion("ok"));
  const engine = createEngine({ providers: [openai({ apiKey: "k", fetch: vendor.fetch })] });
  const files = [
    { type: "file", file: { file_data: "data:application/pdf;base64,JVBERg==", filename: "a.pdf" } },
    { type: "file", file: { file_data: "JVBERg==", filename: "a.bin" } },
    { type: "file", file: { file_id: "file-1" } },
  ];
  const named = { type: "file", file: { file_data: Buffer.from("# a").toString("base64"), filename: "a.md" } };
  const messages = [{ role: "user", content: [...files, named] }];
  await postJson(engine, { path: "/v1/chat/completions", body: { model: "openai/gpt-5", messages } });
  expect(vendor.seen[0]?.body.messages).toEqual([
    { role: "user", content: [...files, { type: "text", text: "a.md\n# a" }] },
  ]);
  await engine.close();
});

test("documents to rank may be strings", async () => {
  const engine = createEngine({ providers: [local()] });
  const asked = { model: "local/bm25", query: "cat", return_documents: true };
  const { results } = await engine.rerank({ ...asked, documents: ["a dog", { text: "a cat", id: "2" }] });
  expect(results.map(({ document }) => document)).toEqual([{ text: "a cat", id: "2" }, { text: "a dog" }]);
  const { status, text } = await postJson(engine, { path: "/v1/rerank", body: { ...asked, documents: ["a cat", ""] } });
  expect([status, text]).toEqual([400, expect.stringContaining("documents.1")]);
  await engine.close();
});
