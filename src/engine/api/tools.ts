import { z } from "zod";
import { CacheControl } from "./common.ts";

/** JSON Schema of a function's arguments: any object is one, e.g. what `z.toJSONSchema` returns or an MCP server lists. */
export const FunctionParameters = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
  additionalProperties: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
});

export const FunctionDefinition = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: FunctionParameters.optional(),
  strict: z.boolean().nullish(),
});
export type FunctionDefinition = z.infer<typeof FunctionDefinition>;

export const CustomTool = z.looseObject({
  format: z
    .looseObject({
      type: z.string(),
      grammar: z.looseObject({ definition: z.string(), syntax: z.enum(["lark", "regex"]) }).optional(),
    })
    .optional(),
});

/** A tool that the model may call. */
export const Tool = z
  .looseObject({
    type: z.enum(["function", "custom"]),
    function: FunctionDefinition.optional(),
    custom: CustomTool.optional(),
    cache_control: CacheControl.optional(),
  })
  .refine((tool) => tool.type !== "function" || tool.function !== undefined, {
    path: ["function"],
    message: "a tool of type `function` needs `function`",
  });
export type Tool = z.infer<typeof Tool>;

const NamedFunction = z.looseObject({ name: z.string() });

export const ToolChoiceObject = z.looseObject({
  type: z.enum(["none", "any", "required", "function", "allowed_tools", "custom"]),
  function: NamedFunction.optional(),
  allowed_tools: z
    .looseObject({
      mode: z.enum(["auto", "required"]).optional(),
      tools: z.array(z.looseObject({ type: z.string(), function: NamedFunction.optional() })).optional(),
    })
    .optional(),
});

/** Which tool the model must, may or must not call. */
export const ToolChoice = z.union([z.enum(["none", "auto", "required"]), ToolChoiceObject]);
export type ToolChoice = z.infer<typeof ToolChoice>;
