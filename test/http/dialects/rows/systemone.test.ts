import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import type { DecisionRequest } from "../../../../src/engine/api/decisions.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { createEngine, defineProvider } from "../../../../src/index.ts";

const ask = {
  model: "local/echo",
  state: "I was charged twice.",
  questions: {
    refund: { type: "noul", instructions: "Money back?" },
    team: { type: "choice", criteria: { billing: null, shipping: null } },
    anger: { type: "score", criteria: ["calm", "furious"] },
  },
};
const right = {
  model: "echo",
  answers: {
    refund: { type: "noul", noul: 0.5 },
    team: { type: "choice", choice: "billing", confidence: 0, probabilities: { billing: 0.5, shipping: 0.5 } },
    anger: { type: "score", score: 0.5, legend: { 0: "calm", 1: "furious" } },
  },
  usage: { input_tokens: expect.any(Number), output_tokens: 0 },
};
/** What is read of an answer or an error. */
interface Answer {
  readonly answers: Record<string, object>;
  readonly error: { readonly message: string };
}

const json = { "content-type": "application/json" };
const seen: DecisionRequest[] = [];
const eyes = defineProvider({
  name: "eyes",
  async decide(request, { id, model }) {
    seen.push(request);
    if (model === "busy") throw new GatewayError("token_limited", "Wait.", { retryAfterMs: 1_500 });
    return { id, model, answers: { q: { kind: "refusal" } } };
  },
});

async function send(path: string, body: string | Uint8Array, headers: Record<string, string>) {
  const engine = createEngine({ providers: [local(), eyes], retry: { retries: 0 } });
  const response = await engine.fetch(`http://engine${path}`, { method: "POST", headers, body: body as string });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

/** A body of parts, as the vendors' clients write it. */
function formOf(parts: Readonly<Record<string, { type: string; bytes: string }>>) {
  const written = Object.entries(parts).map(
    ([name, { type, bytes }]) =>
      `--XX\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n${bytes}\r\n`,
  );
  return {
    body: new Uint8Array(Buffer.from(`${written.join("")}--XX--\r\n`, "latin1")),
    headers: { "content-type": "multipart/form-data; boundary=XX" },
  };
}

describe("a client of System One's vendors", () => {
  it.each(["/systemone/v1/systemone", "/v1/systemone", "/systemone", "/systemone/v1/v1/systemone"])(
    "is answered at %s in its own form",
    async (path) => {
      const { status, headers, body } = await send(path, JSON.stringify(ask), json);
      expect(status).toBe(200);
      expect(body).toMatchObject(right);
      expect(body.answers.refund).not.toHaveProperty("kind");
      expect(headers.get("x-request-id")).toMatch(/^evt_/);
    },
  );

  it("may send zstd", async ({ skip }) => {
    if (!("zstdCompressSync" in zlib)) skip("zstd needs Node 22.15");
    const body = new Uint8Array(zlib.zstdCompressSync(Buffer.from(JSON.stringify(ask))));
    const { status, body: answer } = await send("/systemone/v1/systemone", body, {
      ...json,
      "content-encoding": "zstd",
    });
    expect(status).toBe(200);
    expect(answer).toMatchObject(right);
  });

  it("may not send zstd that unpacks to more than the limit", async ({ skip }) => {
    if (!("zstdCompressSync" in zlib)) skip("zstd needs Node 22.15");
    const body = new Uint8Array(zlib.zstdCompressSync(Buffer.alloc(40 * 1_024 * 1_024, "1")));
    const { status } = await send("/systemone/v1/systemone", body, { ...json, "content-encoding": "zstd" });
    expect(status).toBe(413);
  });

  it("may send its pictures in parts", async () => {
    const assets = { photo: { type: "image", part: "file" } };
    const request = { model: "eyes/m", state: "photo", assets, questions: { q: { type: "box" } } };
    const { body, headers } = formOf({
      request: { type: "application/json", bytes: JSON.stringify(request) },
      file: { type: "image/jpeg", bytes: "\xff\xd8\r\n--X\r\nend" },
    });
    const { status, body: answer } = await send("/systemone/v1/systemone", body, headers);
    expect(status).toBe(200);
    expect(answer.answers).toEqual({ q: { type: "refusal", method: "native" } });
    const file = Buffer.from("\xff\xd8\r\n--X\r\nend", "latin1").toString("base64");
    expect(seen.at(-1)?.assets).toEqual({ photo: { type: "image", format: "jpeg", data_base64: file } });
  });

  it.each([
    ["has no part `request`", { other: { type: "text/plain", bytes: "x" } }],
    [
      "there is no part of that name",
      { request: { type: "application/json", bytes: '{"model":"eyes/m","assets":{"a":{"type":"image","part":"b"}}}' } },
    ],
    ["not readable JSON", { request: { type: "application/json", bytes: "{" } }],
  ])("is told what is wrong with its parts: %s", async (problem, parts) => {
    const { body, headers } = formOf(parts);
    const answer = await send("/systemone/v1/systemone", body, headers);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(problem);
  });

  it("is refused a form where only JSON is read", async () => {
    const { body, headers } = formOf({ request: { type: "application/json", bytes: JSON.stringify(ask) } });
    expect((await send("/v1/decisions", body, headers)).status).toBe(415);
  });

  it("is told in milliseconds when to come back", async () => {
    const busy = { model: "eyes/busy", questions: { q: { type: "noul" } } };
    const { status, headers } = await send("/systemone/v1/systemone", JSON.stringify(busy), json);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("2");
    expect(headers.get("retry-after-ms")).toBe("1500");
  });

  it("lists the models that can be asked", async () => {
    const engine = createEngine({ providers: [local()] });
    const answer = await engine.fetch("http://engine/systemone/v1/models");
    const { models } = (await answer.json()) as { models: object[] };
    const entry = {
      name: "local/echo",
      description: expect.any(String),
      release_date: expect.stringMatching(/^\d{4}-/),
    };
    expect(models).toContainEqual(entry);
  });
});
