import { createHash, createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { type AwsKeys, type BedrockOptions, bedrock } from "../../../../../adapters/providers/bedrock/index.ts";
import type { ChatRequest } from "../../../../../src/engine/api/chat.ts";
import { eventFrame, exceptionFrame, type Frame, framesToBytes } from "../../../../fixtures/frames.ts";
import type { Asked } from "../../../../fixtures/native.ts";
import { collect, failureOf, playedTransport, readAnswer, recordedCall, textOf } from "../../../../fixtures/native.ts";

const model = "eu.anthropic.claude-sonnet-4-6-v1:0";
const request: ChatRequest = { model: `bedrock/${model}`, messages: [{ role: "user", content: "Grüezi" }] };
const keys = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG",
  sessionToken: "FQoGZXIvYXdz/token==",
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();

/** The `authorization` of a request by AWS's description of Signature Version 4, without the library that signs. */
function expectedSignature({ method, url, headers }: Asked, body: string): string {
  const { pathname, host } = new URL(url);
  const time = headers["x-amz-date"] ?? "";
  const [, names = ""] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? "") ?? [];
  const signed = names.split(";").map((name) => `${name}:${(name === "host" ? host : headers[name])?.trim()}\n`);
  const path = pathname.split("/").map(encodeURIComponent).join("/");
  const canonical = [method, path, "", signed.join(""), names, sha256(body)].join("\n");
  const scope = `${time.slice(0, 8)}/eu-central-1/bedrock/aws4_request`;
  const secret = scope
    .split("/")
    .reduce<string | Uint8Array>((key, part) => hmac(key, part), `AWS4${keys.secretAccessKey}`);
  const signature = createHmac("sha256", secret).update(`AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`);
  return `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${names}, Signature=${signature.digest("hex")}`;
}

it("signs what is sent, as AWS describes it, at the time of the attempt", async () => {
  const transport = playedTransport({ bodies: [readAnswer("bedrock/guardrail.json")] });
  await bedrock({ region: "eu-central-1", keys, transport }).chat?.(request, recordedCall(model));
  const [asked] = transport.asked as [Asked];
  expect(asked.url).toBe(
    "https://bedrock-runtime.eu-central-1.amazonaws.com/model/eu.anthropic.claude-sonnet-4-6-v1%3A0/converse",
  );
  expect(asked.headers["x-amz-date"]).toBe("20261120T000000Z");
  expect(asked.headers["x-amz-security-token"]).toBe(keys.sessionToken);
  expect(asked.headers.authorization).toMatch(/SignedHeaders=\S*content-type;host;\S*x-amz-date;x-amz-security-token/);
  expect(asked.headers.authorization).toBe(expectedSignature(asked, JSON.stringify(asked.body)));
});

it("asks for keys anew for every request", async () => {
  let asked = 0;
  const transport = playedTransport({ bodies: [{}, {}].map(() => readAnswer("bedrock/guardrail.json")) });
  const source = async () => ({ ...keys, accessKeyId: `AKID${++asked}` });
  const provider = bedrock({ region: "eu-central-1", keys: source, transport });
  for (const id of ["AKID1", "AKID2"]) {
    await provider.chat?.(request, recordedCall(model));
    expect(transport.asked.at(-1)?.headers.authorization).toContain(`Credential=${id}/`);
  }
});

it.each<[string, () => unknown]>([
  ["rejects", () => Promise.reject(new Error(`expired: ${keys.secretAccessKey}`))],
  ["gives nothing", () => undefined],
  ["gives half", () => ({ accessKeyId: "AKID" })],
  ["gives what cannot stand in a header", () => ({ ...keys, sessionToken: "a\nb" })],
])("who %s for keys is told, and another candidate asked", async (_what, source) => {
  const transport = playedTransport({});
  const provider = bedrock({ region: "eu-central-1", keys: source as () => AwsKeys, transport });
  const failure = await failureOf(provider.chat?.(request, recordedCall(model)) as Promise<unknown>);
  expect(failure).toMatchObject({
    code: "upstream_credentials_exhausted",
    param: "keys",
    message: "`keys` of bedrock gave none: the provider could not be asked.",
  });
  expect(transport.asked).toEqual([]);
});

it.each([
  [{ accessKeyId: "", secretAccessKey: "s" }, "keys.accessKeyId"],
  [{ accessKeyId: "AKID" }, "keys.secretAccessKey"],
  [{ accessKeyId: "AKID", secretAccessKey: "s", sessionToken: " " }, "keys.sessionToken"],
])("refuses keys that cannot be used: %#", (broken, param) => {
  expect(() => bedrock({ region: "eu-central-1", keys: broken as AwsKeys })).toThrow(
    expect.objectContaining({ code: "invalid_configuration", param }),
  );
});

it.each(["whole", "streamed"])("a refusal that repeats the session token does not tell it: %s", async (way) => {
  const message = `The canonical string was x-amz-security-token:${keys.sessionToken} ${keys.secretAccessKey}`;
  const body = JSON.stringify({ message });
  const at = body.indexOf("token:") + 10;
  const pieces = [body.slice(0, at), body.slice(at)].map((piece) => new TextEncoder().encode(piece));
  const transport = playedTransport({ status: 403, bodies: [{ message }], pieces });
  const provider = bedrock({ region: "eu-central-1", keys, transport });
  const call = recordedCall(model);
  const answer = way === "whole" ? provider.chat?.(request, call) : collect(provider.streamChat?.(request, call));
  const failure = await failureOf(answer as Promise<unknown>);
  expect(failure.message).toContain("[redacted]");
  expect(JSON.stringify([failure.message, failure.upstream])).not.toMatch(/FQoGZXIvYXdz|wJalrXUtnFEMI/);
});

it.each([
  ["a region that is none", { region: "Frankfurt", apiKey: "k" }, "region"],
  ["no key", { region: "us-east-1" }, "apiKey"],
  ["two ways to sign", { region: "us-east-1", apiKey: "k", keys }, "keys"],
] as [string, BedrockOptions, string][])("refuses %s", (_title, options, param) => {
  expect(() => bedrock(options)).toThrow(expect.objectContaining({ code: "invalid_configuration", param }));
});

const start = [
  eventFrame("messageStart", { role: "assistant" }),
  eventFrame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Hal" } }),
];

/** What is told of a stream, and how it failed. */
async function broken(pieces: readonly Uint8Array[]) {
  const provider = bedrock({ region: "us-east-1", apiKey: "k", transport: playedTransport({ pieces }) });
  const chunks: Awaited<ReturnType<typeof collect>> = [];
  const reading = async () => {
    for await (const chunk of provider.streamChat?.(request, recordedCall(model)) ?? []) chunks.push(chunk);
  };
  return { error: await failureOf(reading()), text: textOf(chunks as never) };
}

it.each([
  [exceptionFrame("throttlingException", { message: "slow down" }), 429, "ThrottlingException"],
  [exceptionFrame("serviceUnavailableException", { message: "slow down" }), 503, "ServiceUnavailableException"],
  [
    exceptionFrame("modelStreamErrorException", { message: "slow down", originalStatusCode: 500 }),
    500,
    "ModelStreamErrorException",
  ],
  [exceptionFrame("validationException", { message: "slow down" }), 400, "ValidationException"],
  [
    {
      headers: { ":message-type": "error", ":error-code": "InternalFailure", ":error-message": "slow down" },
      payload: {},
    },
    500,
    "InternalFailure",
  ],
] as [Frame, number, string][])(
  "an exception in a stream is the vendor's error, after what was told: %#",
  async (frame, status, type) => {
    const { error, text } = await broken([framesToBytes([...start, frame])]);
    expect(text).toBe("Hal");
    expect(error).toMatchObject({ code: "upstream_error", status, upstream: { status, type, message: "slow down" } });
  },
);

it("a message with a wrong checksum or an impossible length is no answer", async () => {
  const bytes = Buffer.from(framesToBytes(start));
  for (const at of [2, 9, 40, bytes.length - 1]) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 0x40;
    const code = at === 2 ? "upstream_stream_broken" : "upstream_invalid_response";
    expect((await broken([flipped])).error.code, `byte ${at}`).toBe(code);
  }
  expect((await broken([Buffer.from([0xff, 0, 0, 0, 1])])).error.code).toBe("upstream_invalid_response");
});

it.each(["malformed_tool_use", "malformed_model_output"])(
  "an answer that stopped with %s ended in an error",
  async (stopReason) => {
    const body = { output: { message: { content: [{ text: "Let me" }] } }, stopReason };
    const provider = bedrock({ region: "us-east-1", apiKey: "k", transport: playedTransport({ bodies: [body] }) });
    const call = recordedCall(model);
    expect((await provider.chat?.(request, call))?.choices[0]?.finish_reason).toBe("error");
    expect(call.warnings).toEqual([`the answer ended with ${stopReason}`]);
  },
);

it("a picture that would have to be fetched is left to another candidate, by its place", async () => {
  const content = [{ type: "image_url" as const, image_url: { url: "https://example.org/a.png" } }];
  const provider = bedrock({ region: "us-east-1", apiKey: "k", transport: playedTransport({}) });
  const call = { ...recordedCall(model), hasFallback: true };
  const asked = provider.chat?.({ ...request, messages: [{ role: "user", content }] }, call);
  expect(await failureOf(asked as Promise<unknown>)).toMatchObject({
    code: "unsupported_operation",
    param: "messages.0.content.0",
  });
});

it("only Claude goes on from where an answer broke off", async () => {
  const transport = playedTransport({ pieces: [] });
  const provider = bedrock({ region: "us-east-1", apiKey: "k", transport });
  expect(() => provider.continueChat?.(request, recordedCall("amazon.nova-lite-v1:0"))).toThrow(
    expect.objectContaining({ code: "unsupported_operation" }),
  );
  const messages = [...request.messages, { role: "assistant" as const, content: "Grü" }];
  await failureOf(collect(provider.continueChat?.({ ...request, messages }, recordedCall(model))));
  expect(transport.asked[0]?.body.messages).toContainEqual({ role: "assistant", content: [{ text: "Grü" }] });
});

it("ranks that come in pages are read to the last one", async () => {
  const rank = (index: number, relevanceScore: number) => ({ index, relevanceScore });
  const pages = [
    { results: [rank(1, 0.9)], nextToken: "t1" },
    { results: [rank(0, 0.4)], nextToken: "" },
  ];
  const transport = playedTransport({ bodies: pages });
  const provider = bedrock({ region: "us-east-1", apiKey: "k", transport });
  const asked = { model: "bedrock/m", query: "q", documents: [{ text: "a" }, { text: "b" }] };
  const answer = await provider.rerank?.(asked, recordedCall("m"));
  expect(answer?.results.map(({ index }) => index)).toEqual([1, 0]);
  expect(transport.asked.map(({ body }) => body.nextToken)).toEqual([undefined, "t1"]);
});

it("says for what texts are embedded where Cohere demands it and nobody said", async () => {
  const transport = playedTransport({ bodies: [{ embeddings: { float: [[1]] } }] });
  const call = recordedCall("cohere.embed-v4:0");
  const provider = bedrock({ region: "us-east-1", apiKey: "k", transport });
  await provider.embed?.({ model: "bedrock/cohere.embed-v4:0", input: "a" }, call);
  expect(transport.asked[0]?.body.input_type).toBe("search_document");
  expect(call.warnings).toEqual(['`input_type` is "search_document" unless given, since bedrock demands one']);
});

it("a citation names its document where it has no title, and says that there is none where it has neither", async () => {
  const citations = [{ title: "T", source: "doc-1" }, { source: "doc-2" }, {}];
  const content = [{ citationsContent: { content: [{ text: "cited" }], citations } }];
  const body = { output: { message: { role: "assistant", content } }, stopReason: "end_turn" };
  const answer = await bedrock({ region: "eu-central-1", keys, transport: playedTransport({ bodies: [body] }) }).chat?.(
    request,
    recordedCall(model),
  );
  const told = answer?.choices[0]?.message.annotations?.map(({ file_citation }) => file_citation);
  expect(told).toMatchObject([{ title: "T" }, { title: "doc-2" }, { title: null }]);
});

it("a second message that begins inside of the first is no answer", async () => {
  const again = eventFrame("messageStart", { role: "assistant" });
  const { error, text } = await broken([framesToBytes([...start, again])]);
  expect(error).toMatchObject({ code: "upstream_invalid_response", provider: "bedrock" });
  expect(text).toBe("Hal");
});
