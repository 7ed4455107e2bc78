import type { ServerResponse } from "node:http";

/** Streams of a vendor that say half of an answer, and the rest once they are released. */
export interface HeldStreams {
  answer(response: ServerResponse): void;
  release(): void;
}

/** One event of a stream. */
function event(delta: object, finish: string | null, usage?: object): string {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_763_600_000, model: "m" };
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...head, choices, ...(usage && { usage }) })}\n\n`;
}

export function holdStreams(): HeldStreams {
  let held: ServerResponse[] = [];
  return {
    answer(response) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(event({ role: "assistant", content: "Half" }, null));
      held.push(response);
    },
    release() {
      const usage = { prompt_tokens: 10, completion_tokens: 30, total_tokens: 40 };
      for (const response of held)
        response.end(`${event({ content: " of an answer" }, null)}${event({}, "stop", usage)}data: [DONE]\n\n`);
      held = [];
    },
  };
}
