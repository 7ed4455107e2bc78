import { z } from "zod";

/** A picture as a data URL or a public address. */
const InputImage = z.looseObject({
  type: z.literal("input_image"),
  image_url: z.string(),
  detail: z.string().nullish(),
});
const InputText = z.looseObject({ type: z.literal("input_text"), text: z.string() });

const InputPart = z.discriminatedUnion("type", [
  InputText,
  InputImage,
  z.looseObject({ type: z.literal("input_json"), data: z.unknown() }),
  z.looseObject({ type: z.literal("output_text"), text: z.string() }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
]);
export type InputPart = z.infer<typeof InputPart>;

const InputMessage = z.looseObject({
  type: z.literal("message").optional(),
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: z.union([z.string(), z.array(InputPart)]),
});

const callId = z.string();
const output = z.union([z.string(), z.array(InputPart)]);

/** A step of the conversation that a list form is about: a message, or a tool's call or output. */
export const DecisionInput = z.union([
  InputMessage,
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("function_call"), call_id: callId, name: z.string(), arguments: z.string() }),
    z.looseObject({ type: z.literal("function_call_output"), call_id: callId, output }),
    z.looseObject({ type: z.literal("custom_tool_call"), call_id: callId, name: z.string(), input: z.string() }),
    z.looseObject({ type: z.literal("custom_tool_call_output"), call_id: callId, output }),
  ]),
]);
export type DecisionInput = z.infer<typeof DecisionInput>;
