import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { type SeenRequest, startUpstream, type Upstream } from "../../../src/testing/conformance/provider/upstream.ts";

/** The credential that programs send, which must be in nothing that they print. */
export const credential = "sk-of-the-runtimes-0123456789";

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const head = { id: "c1", created: 1_700_000_000, model: "gpt-4o-mini" };
const message = { role: "assistant", content: "hello you" };
const whole = JSON.stringify({
  ...{ ...head, object: "chat.completion", usage },
  choices: [{ index: 0, message, finish_reason: "stop" }],
});
const refusal = {
  error: { message: `no such key: ${credential}`, type: "authentication_error", code: "invalid_api_key" },
};

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices })}\n\n`;
}

const begins = chunk({ role: "assistant", content: "hello" });
const json = { "content-type": "application/json" };

/** Begins a stream; what follows comes when the first piece is on its way. */
function stream(response: ServerResponse, follow: () => void): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(begins, follow);
}

/** What each model does. */
const acts: Readonly<Record<string, (response: ServerResponse, isStream: boolean) => void>> = {
  "gpt-4o-mini": (response, isStream) => {
    if (!isStream) response.writeHead(200, json).end(whole);
    else stream(response, () => response.end(`${chunk({ content: " you" })}${chunk({}, "stop")}data: [DONE]\n\n`));
  },
  /** Ends as if it were complete. */
  ended: (response) => stream(response, () => response.end()),
  /** Until `/break` is asked for. */
  broken: (response) => stream(response, () => {}),
  short: (response) => {
    response.writeHead(200, { ...json, "content-length": whole.length }).write(whole.slice(0, 40), () => {
      response.socket?.destroy();
    });
  },
  zipped: (response) => response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(whole)),
  unreadable: (response) => response.writeHead(200, { ...json, "content-encoding": "gzip" }).end("no gzip at all"),
  refused: (response) => response.writeHead(401, json).end(JSON.stringify(refusal)),
  silent: () => {},
  endless: (response) => stream(response, () => {}),
  left: (response) => stream(response, () => {}),
};

/**
 * A scripted vendor in the dialect of OpenAI. `/hangups` lists the models whose callers left before their answers ended; `/break` closes
 * the connections of the streams of `broken`.
 */
export async function startVendor(): Promise<Upstream> {
  const hangups: string[] = [];
  const toBreak = new Set<ServerResponse>();
  return startUpstream((seen, response) => {
    if (seen.path === "/hangups") return void response.writeHead(200, json).end(JSON.stringify(hangups));
    if (seen.path === "/break") {
      for (const { socket } of toBreak) socket?.destroy();
      return void response.end();
    }
    const { model, stream: isStream = false } = seen.body as { readonly model: string; readonly stream?: boolean };
    if (model === "broken") toBreak.add(response);
    response.on("close", () => {
      if (!response.writableFinished) hangups.push(model);
    });
    act(seen, model)(response, isStream);
  });
}

function act({ path }: SeenRequest, model: string) {
  const found = acts[model];
  if (found === undefined || path !== "/v1/chat/completions") throw new Error(`the vendor has no ${model} at ${path}`);
  return found;
}
