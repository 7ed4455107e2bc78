import { createServer } from "node:http";

/** An upstream in the OpenAI dialect that costs as little as possible: fixed bytes, whole or as paced events. */
const words = "The quick brown fox jumps over the lazy dog. ".repeat(16);
const answer = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_767_225_600,
  model: "bench-model",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: words } }],
  usage: { prompt_tokens: 500, completion_tokens: 160, total_tokens: 660 },
});
const event = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-bench-0123456789abcdef0123456789abcdef",
    object: "chat.completion.chunk",
    created: 1_767_225_600,
    model: "bench-model-2026-01-01",
    service_tier: "default",
    system_fingerprint: "fp_0123456789",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`;
const piece = event({ content: " and some more words for the reader" }, null);
const end = `${event({}, "stop")}data: [DONE]\n\n`;
const paceMs = 5;
const events = 200;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const isStream = Buffer.concat(parts).includes('"stream":true');
    if (!isStream) {
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
      response.end(answer);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    let sent = 0;
    const timer = setInterval(() => {
      if (sent++ < events) response.write(piece);
      else {
        clearInterval(timer);
        response.end(end);
      }
    }, paceMs);
    response.on("close", () => clearInterval(timer));
  });
});
server.keepAliveTimeout = 60_000; // a process under valgrind may be silent for longer than the 5 s of the default
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit(0));
