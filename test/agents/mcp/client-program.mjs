// @ts-nocheck: a program of its own, run by Node as it is. The client of the conformance suite: tollgate's engine at the server it is told.
import { createEngine } from "../../../dist/index.js";

const { client_id: clientId, client_secret: clientSecret } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const oauth = clientId === undefined ? {} : { oauth: { clientId, clientSecret } };
const suite = { url: process.argv.at(-1), ...oauth };
const engine = createEngine({ providers: [{ name: "none" }], mcp: { servers: { suite } } });
const { tools, unavailable } = await engine.mcp.tools();
for (const { server, message } of unavailable) console.error(`${server}: ${message}`);
for (const { name } of tools) await engine.mcp.call({ name, arguments: { a: 5, b: 3 } });
await engine.close();
process.exit(unavailable.length);
