import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Asked, type Script, type Turn, takeTurn, type VendorInterface } from "./script.ts";
import { anthropicInterface } from "./vendor-anthropic.ts";
import { geminiInterface } from "./vendor-gemini.ts";
import { openaiInterface } from "./vendor-openai.ts";
import { responsesInterface } from "./vendor-responses.ts";

/** A server of several vendors' interfaces that follows a script and keeps what it was asked. */
export interface ScriptedVendor {
  readonly url: string;
  readonly asked: readonly Asked[];
  close(): void;
}

const interfaces: readonly VendorInterface[] = [
  openaiInterface,
  responsesInterface,
  anthropicInterface,
  geminiInterface,
];

/** Starts the vendor on any port of this machine. */
export async function startScriptedVendor(script: Script): Promise<ScriptedVendor> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const face = interfaces.find((candidate) => candidate.path.test(path));
    if (face === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = (await json(request)) as Record<string, unknown>;
    const isStream = face.isStream(body, path);
    const read = face.read(body);
    const isDown = script.isDown?.(face.vendor, read) === true;
    const refusal = face.refusalOf?.(body);
    asked.push({ ...read, vendor: face.vendor, path, isStream, isAnswered: !isDown && refusal === undefined });
    if (isDown) return refuse(response, 503, "Out of order.");
    if (refusal !== undefined) return refuse(response, 400, refusal);
    const turn = takeTurn(read, script);
    if (isStream) return replyStream(response, face, turn);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(face.whole(turn)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }));
}

function replyStream(response: ServerResponse, face: VendorInterface, turn: Turn): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of face.stream(turn)) {
    const name = "type" in event ? `event: ${event.type}\n` : "";
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(face.end);
}
