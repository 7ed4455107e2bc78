// A call of a tool of an MCP server: by the official client itself, through the engine, and through `/mcp` of a gateway. The goal is 1.5 times
// the direct client at the median (issue 46), with a key that has a budget, over SQLite.
//   node bench/mcp.ts [calls, 2,000]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import { createEngine, createListener } from "../src/index.ts";
import { serve } from "../test/http/support/server.ts";
import { printTable } from "./table.ts";

const calls = Number(process.argv[2] ?? 2_000);
const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-mcp-"));
const child = spawn(process.execPath, [new URL("processes/mcp.ts", import.meta.url).pathname], {
  stdio: ["pipe", "pipe", "inherit"],
});
const [printed] = (await once(child.stdout, "data")) as [Buffer];
const url = printed.toString().trim();

const engine = createEngine({
  providers: [{ name: "none" }],
  store: await sqliteStore(join(folder, "bench.db")),
  mcp: { servers: { bench: { url, price: 0.000_001 } } },
});
const { value: key } = await engine.keys.create({
  name: "bench",
  budgets: [{ max_limit: 1_000, reset_duration: "1M", calendar_aligned: false, enforcement: "hard" }],
  mcp_configs: [{ server: "bench", allowed_tools: ["*"], blocked_tools: [], budgets: [], rate_limits: [] }],
});
const gateway = await serve(createListener({ engine }));

async function connect(address: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }) as never);
  return client;
}
const direct = await connect(url);
const through = await connect(`${gateway.url}/mcp`, { authorization: `Bearer ${key}` });

const provided = { text: "hello" };
const ways = {
  "the official client": () => direct.callTool({ name: "echo", arguments: provided }),
  "engine.mcp.call": () => engine.mcp.call({ name: "bench__echo", arguments: provided }, { key }),
  "the official client, through /mcp": () => through.callTool({ name: "bench__echo", arguments: provided }),
};
const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < calls; round++) {
  for (const [name, call] of Object.entries(ways)) {
    const started = performance.now();
    await call();
    if (round >= calls / 10) times.get(name)?.push(performance.now() - started); // the first are for the compiler
  }
}
const medianOf = (name: string) =>
  times.get(name)?.toSorted((one, other) => one - other)[Math.floor((calls * 0.9) / 2)] ?? 0;
const base = medianOf("the official client");
printTable(
  `${calls.toLocaleString("en")} calls of a tool each, median`,
  Object.keys(ways).map((name) => {
    const ms = medianOf(name);
    const goal = name === "the official client" ? {} : { goal: "1.5 ×" };
    return { what: name, value: `${ms.toFixed(2)} ms, ${(ms / base).toFixed(2)} ×`, ...goal };
  }),
);
await Promise.all([direct.close(), through.close()]);
await gateway[Symbol.asyncDispose]();
await engine.close();
child.stdin.end();
rmSync(folder, { recursive: true });
process.exit(0);
