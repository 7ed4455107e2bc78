import { createServer, type ServerResponse } from "node:http";

/** A vendor of streams: each gets `events` events, one every `paceMs`; the streams are spread over the pace, so that no two ticks coincide. */
const [, , paceMs, events] = process.argv.map(Number) as [number, number, number, number];
const slots = 10;

const piece = (content: string, finish: string | null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-bench-0123456789abcdef0123456789abcdef",
    object: "chat.completion.chunk",
    created: 1_767_225_600,
    model: "bench-model-2026-01-01",
    service_tier: "default",
    system_fingerprint: "fp_0123456789",
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: finish }],
  })}\n\n`;
const event = Buffer.from(piece(" and some more words for the reader", null));
const end = `${piece("", "stop")}data: [DONE]\n\n`;

/** A stream under way. */
interface PacedStream {
  readonly response: ServerResponse;
  sent: number;
}

const running: Set<PacedStream>[] = Array.from({ length: slots }, () => new Set());
let nextSlot = 0;
let opened = 0;

setInterval(() => {
  const slot = running[nextSlot] as Set<PacedStream>;
  nextSlot = (nextSlot + 1) % slots;
  for (const stream of slot) {
    if (stream.sent++ < events) stream.response.write(event);
    else {
      slot.delete(stream);
      stream.response.end(end);
    }
  }
}, paceMs / slots);

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(event);
    const slot = running[opened++ % slots] as Set<PacedStream>;
    const stream = { response, sent: 1 };
    slot.add(stream);
    response.on("close", () => slot.delete(stream));
  });
});
server.keepAliveTimeout = 60_000;
server.listen({ port: 0, host: "127.0.0.1", backlog: 4_096 }, () => {
  const address = server.address();
  if (typeof address === "object" && address) process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit(0));
