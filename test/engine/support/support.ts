import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import type { EventMap } from "../../../src/engine/events.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { createEngine, type Engine, type EngineOptions } from "../../../src/index.ts";
import { type FakeClock, fakeClock, type ScriptStep, scriptedWorld } from "../../../src/testing/index.ts";

export const messages = [{ role: "user" as const, content: "hi there" }];
/** A step that answers. */
export const answer = (text: string): ScriptStep => ({ kind: "answer", text });

/** All the text of a stream. */
export async function textOf(stream: AsyncIterable<ChatChunk>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  return text;
}

/** An engine over hand-made providers and a clock that stands still. */
export function engineOver(
  providers: readonly Provider[],
  options: Partial<EngineOptions> = {},
): { engine: Engine; clock: FakeClock } {
  const clock = fakeClock();
  return { engine: createEngine({ ...scriptedWorld(), providers, clock, ...options }), clock };
}

/** The events of a kind, as they come. */
export function record<Name extends keyof EventMap>(engine: Engine, name: Name): EventMap[Name][] {
  const events: EventMap[Name][] = [];
  engine.on(name, (event) => void events.push(event));
  return events;
}

/** A provider that streams `text` word by word and says when its stream was ended. */
export function wordByWord(text: string, ended: () => void = () => {}): Provider[] {
  const words = text.match(/\S+\s*/g) ?? [];
  return [
    {
      name: "a",
      async *streamChat(_request, { id, model }) {
        const chunk = { id, object: "chat.completion.chunk", created: 1, model };
        try {
          for (const content of words)
            yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content } }] };
          yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }] };
        } finally {
          ended();
        }
      },
    },
  ];
}

/** Lets a call that was just made get as far as it can before the clock moves. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
