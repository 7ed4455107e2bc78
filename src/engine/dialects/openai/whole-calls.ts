import type { ChatChunk } from "../../api/chat.ts";
import type { ToolCall } from "../../api/message.ts";

/**
 * The chunks of a stream with each call whole in one delta, behind the other content: Mistral streams calls so, and its clients take each
 * delta for a call of its own and refuse one without a name.
 */
export async function* wholeCalls(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ChatChunk> {
  const held = new Map<number, Map<number, ToolCall>>();
  for await (const chunk of chunks) {
    const choices = chunk.choices.map((choice) => {
      const { tool_calls: deltas = [], ...rest } = choice.delta;
      const calls = held.get(choice.index) ?? new Map<number, ToolCall>();
      held.set(choice.index, calls);
      for (const delta of deltas) calls.set(delta.index ?? 0, joined(calls.get(delta.index ?? 0), delta));
      if (choice.finish_reason === null || calls.size === 0)
        return deltas.length === 0 ? choice : { ...choice, delta: rest };
      held.delete(choice.index);
      return { ...choice, delta: { ...rest, tool_calls: [...calls.values()] } };
    });
    yield { ...chunk, choices };
  }
}

function joined(known: ToolCall | undefined, { function: called, ...delta }: ToolCall): ToolCall {
  const { name, arguments: text = "" } = called ?? {};
  const named = known?.function?.name ?? name;
  const whole = (known?.function?.arguments ?? "") + text;
  return { ...delta, ...known, function: { ...(named === undefined ? {} : { name: named }), arguments: whole } };
}
