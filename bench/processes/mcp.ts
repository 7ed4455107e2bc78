// A server of the Model Context Protocol with one tool, for bench/mcp.ts: prints its address, and ends with its parent.
import { say, startMcpServer } from "../../test/fixtures/mcp/http-server.ts";

const server = await startMcpServer({ echo: ({ text }) => say(String(text)) });
process.stdout.write(`${server.url}\n`);
process.stdin.on("end", () => process.exit(0)).resume();
