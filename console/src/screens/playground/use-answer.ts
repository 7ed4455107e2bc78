import { useEffect, useRef, useState } from "preact/hooks";
import { rowOf } from "../../api/client.ts";
import { toApiError } from "../../api/errors.ts";
import { createEventParser } from "../../api/event-stream.ts";
import { openStream } from "../../api/request.ts";
import { type Answer, addEvent, type ChatEvent, type ChatInput, noAnswer } from "./answer.ts";

/** Asks for an answer and shows it as it comes. It ends with the component, or when somebody stops it. */
export function useAnswer() {
  const [answer, setAnswer] = useState<Answer>(noAnswer);
  const running = useRef<AbortController>(undefined);
  const stop = () => {
    running.current?.abort();
    setAnswer((known) => (known.isPending ? { ...known, isPending: false, isDone: known.text !== "" } : known));
  };
  useEffect(() => () => running.current?.abort(), []);
  const send = async (input: ChatInput): Promise<Answer> => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    let current: Answer = { ...noAnswer, isPending: true };
    const show = (next: Answer) => {
      current = next;
      if (!control.signal.aborted) setAnswer(next);
    };
    show(current);
    await read(input, control.signal, (event, elapsed) => show(addEvent(current, event, elapsed))).catch((thrown) =>
      show({ ...current, isPending: false, error: toApiError(thrown) }),
    );
    return current;
  };
  return { answer, send, stop };
}

async function read(input: ChatInput, signal: AbortSignal, onEvent: (event: ChatEvent, elapsed: number) => void) {
  const begun = performance.now();
  const [method, path] = rowOf("ai.playground");
  const body = await openStream({ method, path: path.slice(1), fields: input, signal });
  const parse = createEventParser();
  for await (const text of body.pipeThrough(new TextDecoderStream()))
    for (const { data } of parse(text)) onEvent(JSON.parse(data) as ChatEvent, performance.now() - begun);
}
