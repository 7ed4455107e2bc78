import { GatewayError } from "../../../engine/errors.ts";
import type { PortalCall } from "../../call/call.ts";
import { notFoundAs } from "../find.ts";

/** Whose limits are meant. */
export interface LimitedRecord {
  readonly kind: "key" | "project" | "customer";
  readonly id: string;
}

/** The fields that name it: one of them. */
type LimitedIds = { readonly [Field in keyof typeof kinds]?: string | undefined };

const kinds = { key_id: "key", project_id: "project", customer_id: "customer" } as const;

/** Returns the one record that is named. Throws `invalid_request` unless it is one, and `not_found` where the caller does not see it. */
export async function findLimited(input: LimitedIds, call: PortalCall): Promise<LimitedRecord> {
  const named = (Object.keys(kinds) as (keyof typeof kinds)[]).filter((field) => input[field] !== undefined);
  const [field] = named;
  if (field === undefined || named.length > 1)
    throw new GatewayError("invalid_request", "Name one of `key_id`, `project_id` and `customer_id`.", {
      param: named[1] ?? "key_id",
    });
  const [kind, id] = [kinds[field], input[field] ?? ""];
  if (!(await call.records.get(kind, id))) throw notFoundAs(kind, { id, param: field });
  return { kind, id };
}
