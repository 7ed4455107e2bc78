import fc from "fast-check";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../../src/engine/api/message.ts";

/** Texts that people write, and those that break tokenizers. */
const realistic = fc.oneof(
  fc.lorem({ maxCount: 60, mode: "sentences" }),
  fc.json({ maxDepth: 4 }),
  fc.webUrl(),
  fc.constantFrom(
    "Straße über Ærø",
    "東京は夜の七時",
    "Привет, мир!",
    "שלום עולם",
    "ประเทศไทย",
    "if (a<b) { return a[b++]; }\n\t",
    "1,234,567.89",
  ),
);
const adversarial = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 100 }),
  fc.string({
    unit: fc.constantFrom("\ud800", "\udfff", "\u0000", "\uffff", "👩‍👩‍👧‍👦", "\u0301", "ﷺ", "𒐫", "꧅", " ", "\n"),
    maxLength: 80,
  }),
  fc.string({ unit: fc.constantFrom("z", "q", "x", "j", "Ж", "漢"), maxLength: 120 }),
);
export const anyText = fc.oneof(
  realistic,
  adversarial,
  fc.array(fc.oneof(realistic, adversarial), { maxLength: 5 }).map((all) => all.join("")),
);

const tool = fc.record({
  type: fc.constant("function" as const),
  function: fc.record({
    name: fc.stringMatching(/^[a-z_]{1,20}$/),
    description: anyText,
    parameters: fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(
        fc.stringMatching(/^[a-z]{1,10}$/),
        fc.record({
          type: fc.constantFrom("string", "number"),
          description: anyText,
          enum: fc.array(fc.string(), { maxLength: 4 }),
        }),
        { maxKeys: 5 },
      ),
    }),
  }),
});
const anyMessage: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom("system" as const, "user" as const), content: anyText }),
  fc.record({
    role: fc.constant("user" as const),
    name: fc.string(),
    content: fc.array(
      anyText.map((text) => ({ type: "text" as const, text })),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    role: fc.constant("assistant" as const),
    content: fc.constant(null),
    tool_calls: fc.array(
      fc.record({
        id: fc.string(),
        type: fc.constant("function"),
        function: fc.record({ name: fc.string(), arguments: anyText }),
      }),
      { maxLength: 3 },
    ),
  }),
);
export const anyChat: fc.Arbitrary<ChatRequest> = fc.record(
  {
    model: fc.constant("openai/gpt-4o"),
    messages: fc.array(anyMessage, { maxLength: 6 }),
    tools: fc.array(tool, { maxLength: 3 }),
    max_completion_tokens: fc.integer({ min: 1, max: 10_000 }),
  },
  { requiredKeys: ["model", "messages"] },
);
