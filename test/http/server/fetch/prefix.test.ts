import { expect, test } from "vitest";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { echo, engineDouble } from "../../support/engine-double.ts";

const body = JSON.stringify({ model: "double/m", messages: [{ role: "user", content: "Hi" }] });
const post = { method: "POST", body, headers: { "content-type": "application/json" } };

test("a fetch with a prefix serves below it, and nothing else", async () => {
  const gateway = createFetch(engineDouble({ chat: async (request) => echo(request as never) }), { prefix: "/api/ai" });
  expect((await gateway("http://host/api/ai/v1/chat/completions", post)).status).toBe(200);
  expect((await gateway("http://host/v1/chat/completions", post)).status).toBe(404);
  expect((await gateway("http://host/api/aiv1/chat/completions", post)).status).toBe(404);
});

test.each(["ai", "/ai/", "/a?b"])("a prefix that is no path is refused: %s", (prefix) => {
  expect(() => createFetch(engineDouble({}), { prefix })).toThrow(expect.objectContaining({ param: "prefix" }));
});
