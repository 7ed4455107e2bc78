import { describe, expect, it } from "vitest";
import { writeMessages } from "../../support/anthropic/written.ts";

const user = (content: unknown) => ({ role: "user", content });
const pdf = "data:application/pdf;base64,JVBERi0xLjQK";
const png = "data:image/png;base64,iVBORw0KGgo=";
const cached = { cache_control: { type: "ephemeral", ttl: "1h" } };

describe("content", () => {
  it.each([
    [
      "a picture as data",
      { type: "image_url", image_url: { url: png } },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
    ],
    [
      "a picture under a name that only looks like a type",
      { type: "image_url", image_url: { url: "data:image/JPG;base64,/9j/" } },
      { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "/9j/" } },
    ],
    [
      "a picture by address",
      { type: "image_url", image_url: { url: "https://x.org/a.png" } },
      { type: "image", source: { type: "url", url: "https://x.org/a.png" } },
    ],
    [
      "a PDF as data",
      { type: "file", file: { file_data: pdf, filename: "a.pdf" } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQK" },
        title: "a.pdf",
      },
    ],
    [
      "a PDF as bare base64",
      { type: "file", file: { file_data: "JVBERi0xLjQK" } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQK" } },
    ],
    [
      "a text file",
      { type: "file", file: { file_data: "data:text/plain;base64,SMOpbGxv", filename: "a.txt" } },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "Héllo" }, title: "a.txt" },
    ],
    [
      "a file by address",
      { type: "file", file: { file_url: "https://x.org/a.pdf" } },
      { type: "document", source: { type: "url", url: "https://x.org/a.pdf" } },
    ],
    [
      "a file by id",
      { type: "file", file: { file_id: "file_1" } },
      { type: "document", source: { type: "file", file_id: "file_1" } },
    ],
    [
      "a picture by id",
      { type: "file", file: { file_id: "file_2", filename: "a.webp" } },
      { type: "image", source: { type: "file", file_id: "file_2" } },
    ],
    ["a refusal", { type: "refusal", refusal: "No." }, { type: "text", text: "No." }],
  ])("%s", (_what, part, block) => {
    expect(
      writeMessages([
        user([
          { type: "text", text: "See:" },
          { ...part, ...cached },
        ]),
      ]).turns,
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "See:" },
          { ...block, ...cached },
        ],
      },
    ]);
  });

  it.each([
    ["messages.0.content.0", { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }],
    ["messages.0.content.0.image_url.url", { type: "image_url", image_url: { url: "ftp://x.org/a.png" } }],
    ["messages.0.content.0.image_url.url", { type: "image_url", image_url: { url: "data:video/mp4;base64,AAAA" } }],
    ["messages.0.content.0.file.file_data", { type: "file", file: { file_data: "data:application/zip;base64,UEsD" } }],
  ])("that this vendor cannot be sent is told by name: %s", (param, part) => {
    const refusal = expect.objectContaining({ code: "unsupported_operation", param });
    expect(() => writeMessages([user([part])])).toThrow(refusal);
  });

  it("that is not there is the caller's fault", () => {
    const refusal = expect.objectContaining({ code: "invalid_request", param: "messages.0.content.0.file" });
    expect(() => writeMessages([user([{ type: "file", file: { filename: "a.pdf" } }])])).toThrow(refusal);
  });

  it("empty texts, which the vendor refuses, are left out", () => {
    expect(
      writeMessages([
        user([
          { type: "text", text: "" },
          { type: "text", text: "Hi" },
        ]),
      ]).turns,
    ).toEqual([user("Hi")]);
  });

  it("`detail` and `name` are named in warnings", () => {
    const part = { type: "image_url", image_url: { url: png, detail: "high" } };
    expect(writeMessages([{ ...user([part]), name: "Ada" }]).warnings).toEqual([
      "`messages.0.name` is not supported by anthropic",
      "`messages.0.content.0.image_url.detail` is not supported by anthropic",
    ]);
  });
});

it("texts of nothing but white space are left out, and a turn of nothing else parts no user turns", () => {
  const { turns } = writeMessages([
    { role: "user", content: "go" },
    { role: "assistant", content: "\n\n" },
    {
      role: "user",
      content: [
        { type: "text", text: " " },
        { type: "text", text: " next" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "\t" },
        { type: "text", text: "yes" },
      ],
    },
    { role: "user", content: "on" },
  ]);
  expect(turns).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "go" },
        { type: "text", text: " next" },
      ],
    },
    { role: "assistant", content: "yes" },
    { role: "user", content: "on" },
  ]);
});

it("a mark on white space goes to the block before it; without one a warning names it", () => {
  const { turns, warnings } = writeMessages([
    user([
      { type: "text", text: " ", ...cached },
      { type: "text", text: "a" },
      { type: "text", text: "\n", ...cached },
    ]),
  ]);
  expect(turns).toEqual([user([{ type: "text", text: "a", ...cached }])]);
  expect(warnings).toEqual(["`messages.0.content.0.cache_control` is left out with its white space"]);
});
