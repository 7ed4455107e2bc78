import { z } from "zod";
import { ExtraFields } from "../common.ts";
import { Usage } from "../usage.ts";

/** A call of a tool: `name` is the one that the list of tools shows, `server__tool`. */
export const ToolCallRequest = z.strictObject({
  name: z.string().min(1).max(1_024),
  arguments: z.record(z.string(), z.unknown()).default(() => ({})),
});
export type ToolCallRequest = z.input<typeof ToolCallRequest>;

const ContentBlock = z.looseObject({ type: z.string() });

/** What a tool answered, in the protocol's own fields; `isError` is the tool's failure, which is an answer for the model to read. */
export const ToolCallResponse = z.looseObject({
  content: z.array(ContentBlock),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
  usage: Usage.optional(),
  extra_fields: ExtraFields.optional(),
});
export interface ToolCallResponse extends z.infer<typeof ToolCallResponse> {}
