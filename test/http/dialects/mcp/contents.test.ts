import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";
import { say, startMcpServer, type TestContents } from "../../../fixtures/mcp/http-server.ts";
import { serve } from "../../support/server.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const contents: TestContents = {
  resources: { "file:///a.txt": { text: "A" }, "file:///secret.txt": { text: "S" } },
  templates: { "row://{table}/{id}": (uri) => ({ text: `row of ${uri}` }) },
  prompts: {
    greet: ({ who }) => [{ role: "user", content: { type: "text", text: `Hello ${who}` } }],
    hidden: () => [{ role: "user", content: { type: "text", text: "hidden" } }],
  },
};

async function open(config: object, project?: object) {
  const other = await startMcpServer({ act: () => say("x") }, { contents });
  const mcp = { servers: { docs: { url: other.url }, gone: { url: "http://127.0.0.1:9/mcp" } } };
  const engine = createEngine({ ...scriptedWorld(), providers: [{ name: "a" }], store: memoryStore(), mcp });
  const server = await serve(createListener({ engine }));
  const owner = project && (await engine.projects.create({ name: "p", mcp_configs: [project] } as never));
  const { value } = await engine.keys.create({
    name: "k",
    mcp_configs: [{ server: "docs", allowed_tools: [], ...config }],
    ...(owner ? { project_id: owner.id } : {}),
  } as never);
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${value}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }) as never);
  opened.push(
    async () => {
      await other[Symbol.asyncDispose]();
    },
    () => engine.close({ graceMs: 0 }),
    async () => {
      await server[Symbol.asyncDispose]();
    },
    () => client.close(),
  );
  return { client, engine };
}

describe("resources and prompts of another server", () => {
  it("are listed and read as far as the key may, by addresses and names of the gateway's", async () => {
    const { client } = await open({ allowed_resources: ["file:///a*", "row://*"], allowed_prompts: ["greet"] });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["mcp://docs/file:///a.txt"]);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "mcp://docs/row://{table}/{id}",
    ]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["docs__greet"]);
    expect(await client.readResource({ uri: "mcp://docs/file:///a.txt" })).toMatchObject({
      contents: [{ uri: "mcp://docs/file:///a.txt", text: "A" }],
    });
    expect(await client.readResource({ uri: "mcp://docs/row://users/7" })).toMatchObject({
      contents: [{ text: "row of row://users/7" }],
    });
    expect(await client.getPrompt({ name: "docs__greet", arguments: { who: "Ada" } })).toMatchObject({
      messages: [{ content: { text: "Hello Ada" } }],
    });
  });

  it("are refused alike, whether they are not allowed or not there", async () => {
    const { client } = await open({ allowed_resources: ["file:///a*"], allowed_prompts: ["greet"] });
    const messageOf = (work: Promise<unknown>) =>
      work.catch((error) => String(error.message).replaceAll(/`[^`]*`/g, "X"));
    const missing = await messageOf(client.readResource({ uri: "mcp://docs/none:///x" }));
    for (const uri of ["mcp://docs/file:///secret.txt", "mcp://gone/file:///a.txt", "file:///a.txt"])
      expect(await messageOf(client.readResource({ uri }))).toBe(missing);
    expect(missing).toMatch(/-32002.*There is no resource/);
    const none = await messageOf(client.getPrompt({ name: "docs__none" }));
    for (const name of ["docs__hidden", "gone__greet"]) expect(await messageOf(client.getPrompt({ name }))).toBe(none);
  });

  it("are none by default, and no more than the project allows", async () => {
    const { client } = await open({});
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listPrompts()).prompts).toEqual([]);
    const wide = { allowed_resources: ["*"], allowed_prompts: ["*"] };
    const narrow = await open(wide, { server: "docs", allowed_tools: [], allowed_resources: ["file:///a*"] });
    expect((await narrow.client.listResources()).resources.map(({ uri }) => uri)).toEqual(["mcp://docs/file:///a.txt"]);
    expect((await narrow.client.listPrompts()).prompts).toEqual([]);
  });
});
