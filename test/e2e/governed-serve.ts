import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { type Run, start } from "./command-line.ts";

/** A vendor of one model; 10 tokens in and 30 out are what every answer takes. */
export async function startVendor(answer: (request: IncomingMessage, response: ServerResponse) => void = answerWell) {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => void server.close(() => {}) };
}

/** An answer of OpenAI's dialect with its usage. */
export function answerWell(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_763_600_000,
      model: "m",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Well." } }],
      usage: { prompt_tokens: 10, completion_tokens: 30, total_tokens: 40 },
    }),
  );
}

/** A configuration with the vendor as `lab`, whose answers cost $0.00301 each. */
export function configOf(url: string, more = ""): string {
  return [
    `providers: { lab: { baseUrl: "${url}", apiKey: "env:LAB_SECRET" } }`,
    "prices:",
    "  lab/m: { input_cost_per_token: 0.000001, output_cost_per_token: 0.0001, max_output_tokens: 30 }",
    more,
  ].join("\n");
}

/** A server that is ready. */
export interface Served extends Run {
  readonly address: string;
  /** The key that was made, where one was. */
  readonly firstKey: string | undefined;
  /** Where it was written. */
  readonly firstKeyFile: string | undefined;
}

/** Serves the folder's configuration on any port. */
export async function serveFolder(folder: string, env: Record<string, string>, ...line: string[]): Promise<Served> {
  const port = line.includes("--port") ? [] : ["--port", "0"];
  const server = start(["serve", ...port, ...line], { folder, env });
  const [, address = ""] = await server.until(/Listening on (http:\S+)\. /);
  await server.until(/Try it:\n.*\n/);
  const [, file] = /is in (\S+\.first-key),/.exec(server.err()) ?? [];
  const firstKeyFile = file === undefined ? undefined : resolve(folder, file);
  const firstKey = firstKeyFile === undefined ? undefined : readFileSync(firstKeyFile, "utf8").trim();
  return { ...server, address, firstKey, firstKeyFile };
}

/** Asks the vendor's model over HTTP. */
export function askLab(address: string, key: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${address}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({ model: "lab/m", messages: [{ role: "user", content: "How are you?" }] }),
  });
}
