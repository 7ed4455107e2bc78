import { describe, expect, it } from "vitest";
import { writeMessages } from "../../support/gemini/written.ts";

const user = (content: unknown) => ({ role: "user", content });
const png = "data:image/png;base64,iVBORw0KGgo=";

describe("roles", () => {
  it("assistant is model, system and developer are the system instruction", () => {
    const { system, contents, warnings } = writeMessages([
      { role: "system", content: "One" },
      { role: "developer", content: [{ type: "text", text: "Two" }] },
      user("Hi"),
      { role: "assistant", content: "Hello" },
    ]);
    expect(system).toEqual({ parts: [{ text: "One" }, { text: "Two" }] });
    expect(contents).toEqual([
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "model", parts: [{ text: "Hello" }] },
    ]);
    expect(warnings).toEqual([]);
  });

  it("a system message in mid-conversation joins the system instruction, with a warning that names it", () => {
    const { system, warnings } = writeMessages([user("Hi"), { role: "system", content: "Be brief" }, user("And?")]);
    expect(system).toEqual({ parts: [{ text: "Be brief" }] });
    expect(warnings).toEqual([expect.stringContaining("`messages.1` is moved to the system instruction")]);
  });

  it("a system message with a picture is refused by name", () => {
    const message = { role: "system", content: [{ type: "image_url", image_url: { url: png } }] };
    expect(() => writeMessages([message, user("Hi")])).toThrow(
      expect.objectContaining({ param: "messages.0.content.0" }),
    );
  });
});

describe("content", () => {
  it.each([
    [
      "a picture as data",
      { type: "image_url", image_url: { url: png } },
      { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
    ],
    [
      "a picture by address",
      { type: "image_url", image_url: { url: "https://x.org/a.png?v=1" } },
      { fileData: { mimeType: "image/png", fileUri: "https://x.org/a.png?v=1" } },
    ],
    [
      "a picture in storage",
      { type: "image_url", image_url: { url: "gs://bucket/a" } },
      { fileData: { fileUri: "gs://bucket/a" } },
    ],
    [
      "sound",
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { inlineData: { mimeType: "audio/wav", data: "AAAA" } },
    ],
    [
      "a PDF as data",
      { type: "file", file: { file_data: "data:application/pdf;base64,JVBE" } },
      { inlineData: { mimeType: "application/pdf", data: "JVBE" } },
    ],
    [
      "a video as bare base64",
      { type: "file", file: { file_data: "AAAA", filename: "a.mp4" } },
      { inlineData: { mimeType: "video/mp4", data: "AAAA" } },
    ],
    [
      "a file by address",
      { type: "file", file: { file_url: "https://x.org/a.pdf" } },
      { fileData: { mimeType: "application/pdf", fileUri: "https://x.org/a.pdf" } },
    ],
    [
      "a file by id",
      { type: "file", file: { file_id: "abc-1", filename: "a.txt" } },
      { fileData: { mimeType: "text/plain", fileUri: "https://g.example/v1beta/files/abc-1" } },
    ],
    [
      "a file by name",
      { type: "file", file: { file_id: "files/abc-1" } },
      { fileData: { fileUri: "https://g.example/v1beta/files/abc-1" } },
    ],
    ["a refusal", { type: "refusal", refusal: "No." }, { text: "No." }],
  ])("%s", (_what, part, expected) => {
    expect(writeMessages([user([part])]).contents).toEqual([{ role: "user", parts: [expected] }]);
  });

  it.each([
    ["unsupported_operation", "image_url.url", { type: "image_url", image_url: { url: "ftp://x.org/a.png" } }],
    ["invalid_request", "file", { type: "file", file: { filename: "a.pdf" } }],
  ])("that cannot be sent is told by name: %s, %s", (code, field, part) => {
    const refusal = expect.objectContaining({ code, param: `messages.0.content.0.${field}` });
    expect(() => writeMessages([user([part])])).toThrow(refusal);
  });

  it("what has no place is named in warnings", () => {
    const part = { type: "image_url", image_url: { url: png, detail: "low" }, cache_control: { type: "ephemeral" } };
    expect(writeMessages([{ ...user([part]), name: "Ada" }]).warnings).toEqual([
      "`messages.0.name` is not supported by gemini",
      "`messages.0.content.0.cache_control` is not supported by gemini",
      "`messages.0.content.0.image_url.detail` is not supported by gemini",
    ]);
  });
});

describe("tool calls and their results", () => {
  const call = (id: string, args: string) => ({ id, type: "function", function: { name: `f_${id}`, arguments: args } });
  const asked = { role: "assistant", content: null, tool_calls: [call("a", '{"x":1}'), call("b", "")] };

  it("results are one turn, each with the name that its call had and its text or its object", () => {
    const results = [
      { role: "tool", tool_call_id: "b", content: '{"output":42,"unit":{"si":true}}' },
      { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "A" }] },
    ];
    const { contents } = writeMessages([user("Go"), asked, ...results, user("and?")], "gemini-2.5-flash");
    expect(contents[1].parts).toEqual([
      { functionCall: { id: "a", name: "f_a", args: { x: 1 } } },
      { functionCall: { id: "b", name: "f_b", args: {} } },
    ]);
    expect(contents.slice(2)).toEqual([
      {
        role: "user",
        parts: [
          { functionResponse: { id: "b", name: "f_b", response: { output: 42, unit: { si: true } } } },
          { functionResponse: { id: "a", name: "f_a", response: { output: "A" } } },
        ],
      },
      { role: "user", parts: [{ text: "and?" }] },
    ]);
  });

  it("a tool that failed is told as an error, and arguments that are no object are marked", () => {
    const cut = { role: "assistant", tool_calls: [call("a", '{"x":')] };
    const failed = { role: "tool", tool_call_id: "a", content: "no", is_error: true };
    const { contents } = writeMessages([user("Go"), cut, failed], "gemini-2.5-flash");
    expect(contents[1].parts[0].functionCall.args).toEqual({ INVALID_JSON: '{"x":' });
    expect(contents[2].parts[0].functionResponse.response).toEqual({ error: "no" });
  });

  it("files of a result go inside it from the third generation on, beside it before", () => {
    const result = { role: "tool", tool_call_id: "a", content: [{ type: "image_url", image_url: { url: png } }] };
    const file = { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } };
    const response = { id: "a", name: "f_a", response: { output: "" } };
    expect(writeMessages([user("Go"), asked, result]).contents[2].parts).toEqual([
      { functionResponse: { ...response, parts: [file] } },
    ]);
    expect(writeMessages([user("Go"), asked, result], "gemini-2.5-pro").contents[2].parts).toEqual([
      { functionResponse: response },
      file,
    ]);
  });

  it.each([
    ["messages.1.tool_call_id", [{ role: "tool", content: "A" }]],
    ["messages.1.tool_call_id", [{ role: "tool", tool_call_id: "zzz", content: "A" }]],
    ["messages.1.tool_calls.0.function.name", [{ role: "assistant", tool_calls: [{ id: "a" }] }]],
  ])("what is missing is the caller's fault, by name: %s", (param, messages) => {
    expect(() => writeMessages([user("Go"), ...messages])).toThrow(
      expect.objectContaining({ code: "invalid_request", param }),
    );
  });

  it.each([
    ["messages.1.tool_calls.0", [{ role: "assistant", tool_calls: [{ id: "a", type: "custom" }] }]],
    ["messages.1.audio", [{ role: "assistant", audio: { id: "audio_1" } }]],
    ["messages.1.content.0", [{ role: "assistant", content: [{ type: "image_url", image_url: { url: png } }] }]],
  ])("what this vendor cannot be sent is told by name: %s", (param, messages) => {
    expect(() => writeMessages([user("Go"), ...messages])).toThrow(
      expect.objectContaining({ code: "unsupported_operation", param }),
    );
  });

  it("numbers that JavaScript would round keep their digits", () => {
    const message = { role: "assistant", tool_calls: [call("a", '{"id":12345678901234567890}')] };
    expect(writeMessages([user("Go"), message]).body).toContain('"args":{"id":12345678901234567890}');
  });

  it("calls of another model are sent to the third generation under the signature that the vendor documents for them", () => {
    const { contents, warnings } = writeMessages([user("Go"), asked]);
    expect(contents[1].parts.map((part: { thoughtSignature?: string }) => part.thoughtSignature)).toEqual([
      "skip_thought_signature_validator",
      undefined,
    ]);
    expect(warnings).toEqual([expect.stringContaining("`messages.1.tool_calls` come without the signature")]);
    expect(writeMessages([user("Go"), asked], "gemini-2.5-flash").warnings).toEqual([]);
  });
});

describe("reasoning of earlier turns", () => {
  const past = (details: unknown[], more = {}) => [
    user("Go"),
    { role: "assistant", content: "One two", reasoning_details: details, ...more },
  ];
  const sealed = (more: object) => ({ type: "reasoning.encrypted", format: "google-gemini-v1", data: "s", ...more });

  it("signs the text up to the end that it names, or all of it", () => {
    expect(writeMessages(past([sealed({ end_index: 3 })])).contents[1].parts).toEqual([
      { text: "One", thoughtSignature: "s" },
      { text: " two" },
    ]);
    expect(writeMessages(past([sealed({})])).contents[1].parts).toEqual([{ text: "One two", thoughtSignature: "s" }]);
    expect(writeMessages(past([sealed({ end_index: 99 })])).contents[1].parts).toEqual([
      { text: "One two", thoughtSignature: "s" },
    ]);
  });

  it("signs the images of a past answer", () => {
    const images = [{ type: "image_url", image_url: { url: png } }];
    expect(writeMessages(past([sealed({ id: "image_0" })], { images })).contents[1].parts).toEqual([
      { text: "One two" },
      { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" }, thoughtSignature: "s" },
    ]);
  });

  it("of another vendor stays behind, with a warning; the vendor's own goes back, signed or not", () => {
    const foreign = { type: "reasoning.text", text: "Hm", signature: "x", format: "anthropic-claude-v1" };
    const { contents, warnings } = writeMessages(
      past([foreign, { type: "reasoning.text", text: "Hm", format: "google-gemini-v1" }]),
    );
    expect(contents[1].parts).toEqual([{ text: "Hm", thought: true }, { text: "One two" }]);
    expect(warnings).toEqual([expect.stringContaining("`messages.1.reasoning_details` of another vendor")]);
  });
});
