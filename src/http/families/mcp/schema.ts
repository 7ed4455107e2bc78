import { z } from "zod";

const id = z.union([z.string(), z.int()]);

/** One message of JSON-RPC 2.0, as the Model Context Protocol sends it. */
export const McpMessage = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: id.optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

/** The answer to one message; a notification has none. */
export const McpAnswer = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: id.nullish(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});
