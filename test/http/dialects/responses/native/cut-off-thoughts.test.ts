import { expect, it } from "vitest";
import { nativeOf } from "../../../../../src/http/dialects/responses/native.ts";
import { ResponseRequest } from "../../../../../src/http/dialects/responses/schema.ts";

const user = { role: "user", content: "go" };
const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "SEALED" };
const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "look", arguments: "{}" };
const output = { type: "function_call_output", call_id: "c1", output: "rain" };
const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "It rains." }] };

it.each([
  [[user, thought, user], false],
  [[user, thought], false],
  [[user, thought, thought, user], false],
  [[user, thought, call, output], true],
  [[user, thought, thought, said, user], true],
  [[user, call, output, thought, said], true],
  [[user, call, output, thought, user], false],
])(
  "a sealed thought needs the vendor's own interface where something of the model follows it: %j",
  (input, isRicher) => {
    const parsed = ResponseRequest.parse({ model: "openai/gpt-5", input });
    expect(nativeOf(parsed, { refusal: undefined, hasLoss: false }).isRicher).toBe(isRicher);
  },
);
