import { allPermissions } from "../operations/permissions.ts";
import type { Caller } from "./call.ts";

/** Whoever has the store file: it may do everything, as it could with the file itself. Stands as `operator` in the audit log. */
export const operator: Caller = Object.freeze({
  user: { id: "operator", username: "operator" },
  place: {},
  permissions: allPermissions,
  token_id: null,
});
