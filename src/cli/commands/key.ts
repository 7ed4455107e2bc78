import { allowKey } from "../records/allow.ts";
import { createKey } from "../records/create-key.ts";
import { recordGroup } from "../records/group.ts";

/** `tollgate key …`. */
export const key = recordGroup("key", {
  about:
    "Virtual keys: whoever has one may ask the providers that it allows, within its budgets and rate limits and those of its\n" +
    "project and customer. Works on the store file, also while a gateway serves from it.",
  create: createKey,
  more: { allow: allowKey },
});
