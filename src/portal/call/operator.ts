import type { StoredGiver } from "../../operations/records/users.ts";
import { allPermissions, everyPermission } from "../permissions.ts";
import type { Caller } from "./call.ts";

/** The caller for someone with access to the store itself: it has every permission. The audit log shows it as `operator`. */
export const operator: Caller = Object.freeze({
  user: { id: "operator", username: "operator" },
  scope: {},
  permissions: allPermissions,
  token_id: null,
});

/** The operator as a giver: it bounds nothing. */
export const storeGiver: StoredGiver = Object.freeze({
  user_id: operator.user.id,
  token_id: null,
  users: [],
  permissions: [everyPermission],
});
