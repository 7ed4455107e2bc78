import { z } from "zod";

/** Query of `GET /v1/responses/{id}`; a response is read as a whole, `stream` and `starting_after` are refused. */
export const StoredResponseQuery = z.looseObject({
  include: z.array(z.string()).optional(),
  stream: z.enum(["true", "false"]).optional(),
  starting_after: z.string().optional(),
});

/** Query of `GET /v1/responses/{id}/input_items`. */
export const InputItemQuery = z.looseObject({
  include: z.array(z.string()).optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
  order: z.enum(["asc", "desc"]).optional(),
});

/** One page of the items that a response was made from. */
export const InputItemList = z.looseObject({
  object: z.literal("list"),
  data: z.array(z.looseObject({ type: z.string() })),
});

/** What is left of a response that was deleted. */
export const DeletedResponse = z.looseObject({ id: z.string(), object: z.string(), deleted: z.boolean() });
