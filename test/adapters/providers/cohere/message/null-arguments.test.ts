import { expect, it } from "vitest";
import { readMessage } from "../../../../../adapters/providers/cohere/message.ts";
import { messageReader } from "../../../../../adapters/providers/cohere/stream-message.ts";
import { recordedCall } from "../../../../fixtures/native.ts";

const event = (type: string, text: string) =>
  ({
    type,
    index: 0,
    delta: { message: { tool_calls: { id: "c", function: { name: "f", arguments: text } } } },
  }) as never;

it("arguments that are null are an empty object, whole and streamed; null inside of some stays", () => {
  const wire = { tool_calls: [{ id: "c", function: { name: "f", arguments: "null" } }] } as never;
  const read = readMessage(wire, { provider: "cohere", call: recordedCall("m") });
  expect(read.tool_calls?.[0]?.function?.arguments).toBe("{}");
  const stream = (...texts: string[]) => {
    const reader = messageReader("a");
    const events = [event("tool-call-start", ""), ...texts.map((text) => event("tool-call-delta", text))];
    const deltas = events.flatMap((each) => reader.read(each));
    return deltas.map(({ tool_calls: calls }) => calls?.[0]?.function?.arguments).join("");
  };
  expect(stream("null")).toBe("{}");
  expect(stream('{"a":', "null", "}")).toBe('{"a":null}');
});
