import { z } from "zod";
import { ErrorBody } from "../../../api/error.ts";

const id = z.union([z.string(), z.int()]);

/** One message of JSON-RPC 2.0, as the Model Context Protocol sends it. */
export const McpMessage = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: id.optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

const failure = z.looseObject({ code: z.int(), message: z.string() });

/** What is no message of the protocol is told in its own shape; all else, before the protocol begins, in ours. */
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
