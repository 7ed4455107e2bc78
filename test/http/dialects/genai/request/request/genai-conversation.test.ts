import { describe, expect, test } from "vitest";
import { readRequest } from "../../../../../../src/http/dialects/genai/request/request.ts";
import { packDetail } from "../../../../../../src/http/dialects/shared/envelope.ts";

const messagesOf = (contents: object[]) => readRequest("a/m", false, { contents }).request.messages;
const format = "google-gemini-v1";

describe("a conversation of the Gemini API", () => {
  test("media of each kind", () => {
    const parts = [
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
      { inlineData: { mimeType: "audio/mpeg", data: "AAAA" } },
      { inlineData: { mimeType: "video/mp4", data: "AAAA" } },
      { fileData: { mimeType: "image/png", fileUri: "https://x.test/a" } },
      { fileData: { mimeType: "application/pdf", fileUri: "https://x.test/b" } },
      { fileData: { fileUri: "https://x.test/c" } },
      { text: "" },
      { text: "t" },
    ];
    expect(messagesOf([{ parts }])).toEqual([
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } },
          { type: "file", file: { file_data: "data:video/mp4;base64,AAAA" } },
          { type: "image_url", image_url: { url: "https://x.test/a" } },
          { type: "file", file: { file_url: "https://x.test/b", filename: "file.pdf" } },
          { type: "file", file: { file_url: "https://x.test/c" } },
          { type: "text", text: "t" },
        ],
      },
    ]);
  });
  test("a user who says nothing says it in a message", () => {
    expect(messagesOf([{ role: "user", parts: [] }])).toEqual([{ role: "user", content: "" }]);
  });
  test("contents of the model that follow each other are one answer, its signatures where they stood", () => {
    const contents = [
      { role: "model", parts: [{ text: "h", thought: true }] },
      { role: "model", parts: [{ text: "m", thought: true, thoughtSignature: "s1" }] },
      { role: "model", parts: [{ text: "on" }, { text: "e", thoughtSignature: "s2" }, { text: "" }] },
      { role: "model", parts: [{ functionCall: { name: "f", args: { a: 1 } }, thoughtSignature: "s3" }] },
    ];
    expect(messagesOf(contents)).toEqual([
      {
        role: "assistant",
        content: "one",
        reasoning: "hm",
        reasoning_details: [
          { type: "reasoning.text", index: 0, format, text: "hm", signature: "s1" },
          { type: "reasoning.encrypted", index: 1, format, data: "s2", end_index: 3 },
          { type: "reasoning.encrypted", index: 2, format, data: "s3", id: "call_0_0" },
        ],
        tool_calls: [{ id: "call_0_0", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      },
    ]);
  });
  test("thoughts of another vendor come back as they were", () => {
    const detail = { type: "reasoning.text" as const, index: 0, signature: "s", format: "other" };
    const parts = [
      { text: "hm", thought: true },
      { text: "", thought: true, thoughtSignature: packDetail(detail) },
      { text: "one" },
    ];
    expect(messagesOf([{ role: "model", parts }])[0]?.reasoning_details).toEqual([{ ...detail, text: "hm" }]);
  });
  test("results belong to their calls by id, or else by name and order", () => {
    const call = (name: string, id?: string) => ({
      functionCall: { name, args: {}, ...(id === undefined ? {} : { id }) },
    });
    const result = (name: string, output: unknown, id?: string) => ({
      functionResponse: { name, response: output, ...(id === undefined ? {} : { id }) },
    });
    const contents = [
      { role: "model", parts: [call("f"), call("g", "own"), call("f")] },
      {
        role: "user",
        parts: [
          result("f", { output: "1" }),
          { text: "next" },
          result("g", { a: 1 }, "own"),
          result("f", { output: "2" }),
        ],
      },
    ];
    expect(messagesOf(contents).slice(1)).toEqual([
      { role: "tool", tool_call_id: "call_0_0", content: "1" },
      { role: "tool", tool_call_id: "own", content: '{"a":1}' },
      { role: "tool", tool_call_id: "call_0_2", content: "2" },
      { role: "user", content: "next" },
    ]);
  });
  test("calls that share an id take a result each, with the id or without", () => {
    const call = { functionCall: { id: "same", name: "f", args: {} } };
    const told = { functionResponse: { id: "same", name: "f", response: { output: "1" } } };
    const bare = { functionResponse: { name: "f", response: { output: "2" } } };
    for (const results of [
      [told, bare],
      [bare, bare],
      [bare, told],
    ]) {
      const answers = messagesOf([{ role: "model", parts: [call, call] }, { parts: results }]).slice(1);
      expect(answers.map(({ tool_call_id }) => tool_call_id)).toEqual(["same", "same"]);
    }
    const third = () => messagesOf([{ role: "model", parts: [call, call] }, { parts: [told, bare, bare] }]);
    expect(third).toThrow("contents.1.parts.2.functionResponse.name");
  });
  test("files of a result stand beside its text", () => {
    const parts = [{ inlineData: { mimeType: "image/png", data: "AAAA" } }];
    const response = { functionResponse: { id: "c", name: "f", response: { output: "see" }, parts } };
    expect(messagesOf([{ parts: [response] }])[0]?.content).toEqual([
      { type: "text", text: "see" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ]);
  });
  test("an image of a past answer comes back with its signature", () => {
    const parts = [{ inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "s" }];
    expect(messagesOf([{ role: "model", parts }])[0]).toMatchObject({
      images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
      reasoning_details: [{ type: "reasoning.encrypted", id: "image_0", data: "s" }],
    });
  });
});
