import { expect, it } from "vitest";
import { openai } from "../../../adapters/providers/openai.ts";
import { recordedCall } from "../../../src/testing/conformance/provider/play.ts";

function spy() {
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const send = (async (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ url, headers });
    return Response.json({ data: [] });
  }) as unknown as typeof fetch;
  return { asked, send };
}

it("asks api.openai.com with key, organization, project and headers of the caller", async () => {
  const { asked, send } = spy();
  const provider = openai({
    apiKey: "sk-123456",
    organization: "org-1",
    project: "proj-1",
    headers: { "X-Team": "a" },
    fetch: send,
  });
  await provider.listModels?.(recordedCall(""));
  expect(asked[0]?.url).toBe("https://api.openai.com/v1/models");
  expect(asked[0]?.headers).toMatchObject({
    authorization: "Bearer sk-123456",
    "openai-organization": "org-1",
    "openai-project": "proj-1",
    "x-team": "a",
  });
});

it("sends no organization and no project unless given, and is named as one likes", async () => {
  const { asked, send } = spy();
  const provider = openai({
    apiKey: "sk-123456",
    baseUrl: "https://eu.api.openai.com/v1/",
    name: "openai-eu",
    fetch: send,
  });
  await provider.listModels?.(recordedCall(""));
  expect(provider.name).toBe("openai-eu");
  expect(asked[0]?.url).toBe("https://eu.api.openai.com/v1/models");
  expect(Object.keys(asked[0]?.headers ?? {}).some((name) => name.startsWith("openai-"))).toBe(false);
});

it("takes options that are undefined as left out, as variables of the environment may be", async () => {
  const { asked, send } = spy();
  const unset = { baseUrl: undefined, organization: undefined, project: undefined, headers: undefined };
  const provider = openai({ apiKey: "sk-123456", ...unset, transport: undefined, name: undefined, fetch: send });
  await provider.listModels?.(recordedCall(""));
  expect([provider.name, asked[0]?.url]).toEqual(["openai", "https://api.openai.com/v1/models"]);
});

it("refuses an empty key and a base URL that is none, by name", () => {
  const wrong = (param: string) =>
    expect.objectContaining({ code: "invalid_configuration", param, provider: "openai" });
  for (const apiKey of ["", " \t\n"]) expect(() => openai({ apiKey })).toThrow(wrong("apiKey"));
  expect(() => openai({ apiKey: "sk-123456", baseUrl: "api.openai.com" })).toThrow(wrong("baseUrl"));
});

it("has chat, streams, embeddings, decisions and models", () => {
  const verbs = Object.keys(openai({ apiKey: "sk-123456" })).sort();
  const statements = ["speaksResponses", "storedResponse", "streamChat", "takesCustomTools", "worksInBackground"];
  expect(verbs).toEqual([
    "chat",
    "close",
    "credentials",
    "decide",
    "decides",
    "embed",
    "listModels",
    "name",
    ...statements,
  ]);
});
