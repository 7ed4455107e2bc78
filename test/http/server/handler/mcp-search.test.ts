import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { tiktoken } from "../../../../adapters/tokens/tiktoken/index.ts";
import { createEngine, createListener } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";
import { fakeToolServer } from "../../../fixtures/mcp/calling-model.ts";
import { serve } from "../../support/server.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const things = ["issue", "pull request", "branch", "file", "label", "comment", "release", "workflow", "page", "user"];
const verbs = ["create", "update", "delete", "list", "read", "close", "merge", "find", "assign", "export"];

/** 300 tools as large servers describe them. */
const described = ["code", "wiki", "shop"].flatMap((area) =>
  things.flatMap((thing) =>
    verbs.map((verb) => ({
      name: `${verb}_${area}_${thing.replace(" ", "_")}`,
      description: `Use this tool to ${verb} a ${thing} of the ${area}. The answer has the ${thing} with all of its fields, or says why not.`,
      inputSchema: {
        type: "object",
        properties: {
          id: { type: "string", description: `The id of the ${thing}.` },
          [`${thing.replace(" ", "_")}_title`]: { type: "string", description: "At most 200 characters." },
        },
        required: ["id"],
      },
    })),
  ),
);

async function open(search: boolean | undefined, address = "/mcp") {
  const all = fakeToolServer(Object.fromEntries(described.map(({ name }) => [name, () => `did ${name}`])));
  all.describe(described);
  const servers = { all: all.server };
  const engine = createEngine({
    ...scriptedWorld(),
    providers: [{ name: "a" }],
    store: memoryStore(),
    mcp: { servers, ...(search === undefined ? {} : { search }) },
  });
  const server = await serve(createListener({ engine }));
  const { value: key } = await engine.keys.create({
    name: "k",
    mcp_configs: [{ server: "all", allowed_tools: ["*"], blocked_tools: ["delete_*"] }],
  } as never);
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url + address), { requestInit }) as never);
  opened.push(
    () => engine.close({ graceMs: 0 }),
    async () => server[Symbol.asyncDispose](),
    () => client.close(),
  );
  const ask = async (name: string, provided: object) => {
    const { content } = await client.callTool({ name, arguments: { ...provided } });
    return JSON.parse((content as [{ text: string }])[0].text);
  };
  return { engine, key, client, all, ask };
}

describe("/mcp with `search`", () => {
  it("lists three tools, which find, describe and call the others and the verbs", async () => {
    const { client, ask, all } = await open(true);
    const { tools, nextCursor } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_tools", "describe_tool", "call_tool"]);
    expect(nextCursor).toBeUndefined();
    const { tools: found } = await ask("search_tools", { query: "merge pull requests of the code", limit: 3 });
    expect(found).toHaveLength(3);
    expect(found[0]).toMatchObject({
      name: "all__merge_code_pull_request",
      description: expect.stringContaining("merge"),
    });
    expect(await ask("describe_tool", { name: found[0].name })).toMatchObject({ inputSchema: { required: ["id"] } });
    const called = await client.callTool({
      name: "call_tool",
      arguments: { name: found[0].name, arguments: { id: "1" } },
    });
    expect(called).toMatchObject({ content: [{ text: "did merge_code_pull_request" }] });
    expect(all.called).toEqual(["merge_code_pull_request"]);
    expect(
      (await ask("search_tools", { query: "vectors of texts" })).tools.map(({ name }: { name: string }) => name),
    ).toContain("embed");
    expect(await client.callTool({ name: "call_tool", arguments: { name: "models" } })).toHaveProperty(
      "structuredContent",
    );
  });

  it("finds, describes and calls nothing that the key may not call, by the same words as what is not there", async () => {
    const { client, ask, all } = await open(true);
    const { tools } = await ask("search_tools", { query: "delete issue delete", limit: 50 });
    expect(tools.filter(({ name }: { name: string }) => name.includes("delete"))).toEqual([]);
    const messageOf = (name: string, provided: object) =>
      client.callTool({ name, arguments: { ...provided } }).then(String, (error: Error) => error.message);
    for (const name of ["describe_tool", "call_tool"]) {
      const held = await messageOf(name, { name: "all__delete_code_issue" });
      expect(held).toContain("There is no tool `all__delete_code_issue`");
      expect(await messageOf(name, { name: "all__nothing" })).toBe(held.replace("delete_code_issue", "nothing"));
    }
    expect(await messageOf("call_tool", { name: "call_tool" })).toContain("There is no tool `call_tool`");
    expect(await messageOf("search_tools", {})).toContain("`query`");
    expect(all.called).toEqual([]);
  });

  it("is chosen by the client's address, whatever the setting is, and is off without either", async () => {
    const countOf = async (...asked: Parameters<typeof open>) =>
      (await (await open(...asked)).client.listTools()).tools.length;
    expect(await countOf(undefined)).toBe(250 + 5); // the first page, and the verbs
    expect(await countOf(undefined, "/mcp?search=true")).toBe(3);
    expect(await countOf(true, "/mcp?search=false")).toBe(255);
  });

  it("saves nine tenths of the tokens of the tools and more, a search and a description included", async () => {
    const { engine, key, client, ask } = await open(true);
    const { countText } = tiktoken();
    const tokensOf = (value: unknown) => countText(JSON.stringify(value), "gpt-5");
    const all = (await engine.mcp.tools({ key })).tools.map(({ name, description, inputSchema }) => {
      return { name, description, inputSchema };
    });
    const found = await ask("search_tools", { query: "create issue" });
    const used = [(await client.listTools()).tools, found, await ask("describe_tool", { name: found.tools[0].name })];
    expect(all).toHaveLength(270);
    expect(tokensOf(used) / tokensOf(all)).toBeLessThan(0.1);
  });
});

describe("engine.mcp.search", () => {
  it("finds tools of the key, the best first", async () => {
    const { engine, key } = await open(undefined);
    const { tools } = await engine.mcp.search({ query: "close issue wiki", limit: 2 }, { key });
    expect(tools.map(({ name }) => name)).toEqual(["all__close_wiki_issue", expect.stringContaining("_")]);
    expect((await engine.mcp.search({ query: "zebra" }, { key })).tools).toEqual([]);
  });
});
