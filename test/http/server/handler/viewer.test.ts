import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { openGateway } from "../../../portal/support/gateway.ts";
import { engineDouble } from "../../support/engine-double.ts";

const fetch = createFetch(engineDouble());

it("/docs is a page that loads a viewer of the document from its own host only", async () => {
  const page = await fetch("http://gateway/docs");
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  const text = await page.text();
  const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? "");
  expect(addresses).toHaveLength(3);
  for (const address of addresses) {
    expect(address).not.toMatch(/^(?:[a-z]+:|\/)/); // relative: it works under a prefix too
    const file = await fetch(`http://gateway/${address}`);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toMatch(/^text\/(?:javascript|css)/);
    expect((await file.text()).length).toBeGreaterThan(50);
  }
  expect(await (await fetch("http://gateway/docs/start.js")).text()).toContain('url: "openapi.json"');
});

it("the document holds the portal's operations where a portal is served, and else only inference", async () => {
  const alone = (await (await fetch("http://gateway/openapi.json")).json()) as { paths: object };
  expect(Object.keys(alone.paths)).not.toContain("/ai/keys");
  const gateway = await openGateway(memoryStore());
  const { body } = await gateway.ask({ method: "GET", path: "/openapi.json" });
  const { paths } = body as { paths: Record<string, Record<string, object>> };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/v1/chat/completions", "/ai/keys", "/users"]));
  expect(paths["/users"]?.get).toMatchObject({
    operationId: "usersList",
    "x-permission": "users-get",
    "x-extension": true,
  });
  expect(paths["/ai/keys"]?.post).not.toHaveProperty("x-extension");
});
