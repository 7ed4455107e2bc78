import { z } from "zod";
import { ErrorBody } from "../../../engine/api/error.ts";

const id = z.union([z.string(), z.int()]);

/** One message of JSON-RPC 2.0, as the Model Context Protocol sends it. */
export const McpMessage = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: id.optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

const failure = z.looseObject({ code: z.int(), message: z.string() });

/** Errors of the protocol have its own shape; errors before the protocol begins have ours. */
export const McpFailure = z.union([
  z.looseObject({ jsonrpc: z.literal("2.0"), id: id.nullable(), error: failure }),
  ErrorBody,
]);

/** The answer to one message; a notification has none. */
export const McpAnswer = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: id.nullish(),
  result: z.looseObject({}).optional(),
  error: failure.optional(),
});

/** A message that expects no answer. */
export const McpNotification = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
