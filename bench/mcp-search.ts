// What a client learns of many tools, in tokens (o200k): the whole list of `/mcp`, and the three tools of `/mcp?search=true`. The servers are
// two of the npm registry (filesystem and everything), several times each, so that names, descriptions and schemas are what people write.
//   node bench/mcp-search.ts [times each, 12]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { get_encoding } from "tiktoken";
import { memoryStore } from "../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../src/index.ts";
import { commandOf } from "../test/agents/mcp/gateway.ts";
import { serve } from "../test/http/support/server.ts";
import { printTable } from "./table.ts";

const times = Number(process.argv[2] ?? 12);
const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-search-"));
const [files = "", ...filesArguments] = commandOf("filesystem");
const [everything = "", ...everythingArguments] = commandOf("everything");
const both = (at: number) => [
  [`files-${at}`, { command: files, args: [...filesArguments, folder] }] as const,
  [`everything-${at}`, { command: everything, args: [...everythingArguments, "stdio"] }] as const,
];
const servers = Object.fromEntries(Array.from({ length: times }, (_, at) => both(at)).flat());
const engine = createEngine({ providers: [{ name: "none" }], store: memoryStore(), mcp: { servers } });
const { value: key } = await engine.keys.create({
  name: "bench",
  mcp_configs: [{ server: "*", allowed_tools: ["*"], blocked_tools: [], budgets: [], rate_limits: [] }],
});
const gateway = await serve(createListener({ engine }));

async function listed(query: string) {
  const client = new Client({ name: "bench", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp${query}`), { requestInit }) as never,
  );
  const tools: { name: string; description?: string | undefined; inputSchema: object }[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  }
  await client.close();
  return tools;
}

const encoding = get_encoding("o200k_base");
/** What a model is sent of a tool: its name, what it is for, and the schema of its arguments. */
const tokensOf = (tools: Awaited<ReturnType<typeof listed>>) =>
  encoding.encode(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  ).length;

const whole = await listed("");
const short = await listed("?search=true");
const own = whole.filter(({ name }) => name.includes("__"));
let found = 0;
for (const { name, description = "" } of own) {
  const query = `${name.split("__")[1]?.replaceAll(/[_-]/g, " ")} ${description.split(" ").slice(0, 4).join(" ")}`;
  const { tools } = await engine.mcp.search({ query, limit: 2 * times }, { key });
  if (tools.some((tool) => tool.name.split("__")[1] === name.split("__")[1])) found += 1;
}
const [all, three] = [tokensOf(whole), tokensOf(short)];
printTable("Tools in the list of a client, in tokens", [
  {
    what: `all of ${Object.keys(servers).length} servers: ${whole.length} tools`,
    value: `${all.toLocaleString("en")} tokens`,
  },
  {
    what: `search: ${short.length} tools`,
    value: `${three.toLocaleString("en")} tokens, ${((1 - three / all) * 100).toFixed(1)} % saved`,
  },
  { what: "tools that a search by their own words finds", value: `${found} of ${own.length}` },
]);
await gateway[Symbol.asyncDispose]();
await engine.close();
rmSync(folder, { recursive: true });
process.exit(0);
