import { allowKey } from "../records/allow.ts";
import { createKey } from "../records/create-key.ts";
import { rotateKey } from "../records/dates.ts";
import { recordGroup } from "../records/group.ts";

/** `tollgate key …`. */
export const key = recordGroup("key", {
  about:
    "Manages virtual keys. A key gives access to the providers and models that it allows, within its own limits and those of its\n" +
    "project and customer. The commands work on the store, also while a gateway serves from it.",
  create: createKey,
  more: { allow: allowKey, rotate: rotateKey },
});
