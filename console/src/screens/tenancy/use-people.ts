import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api, rowOf } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";
import { namesOf, originsOf } from "./permissions.ts";

/** A user as the list has it. */
export type User = AnswerOf<Areas["users"]["list"]>[number];

/** The users that the caller sees. */
export function useUsers() {
  const isEnabled = isPermitted(rowOf("users.list")[2]);
  return useQuery({ key: ["users.list"], read: (signal) => api.users.list({}, signal), isEnabled });
}

/** The roles that the caller sees; nothing is asked for without the permission. */
export function useRoles() {
  const isEnabled = isPermitted(rowOf("users.roles")[2]);
  return useQuery({ key: ["users.roles"], read: (signal) => api.users.roles({}, signal), isEnabled });
}

/** Every permission with the operation that asks for it. */
export function usePermissions() {
  return useQuery({
    key: ["users.permissions"],
    read: (signal) => api.users.permissions({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isPermitted(rowOf("users.permissions")[2]),
  });
}

/** What a user's roles grant, and which role grants it. Profiles may grant more: the gateway has the last word. */
export function useGrants(user: Pick<User, "roles">) {
  const roles = useRoles();
  const permissions = usePermissions();
  const all = permissions.value ?? [];
  const own = (roles.value ?? []).filter(({ id }) => user.roles.includes(id));
  return {
    all,
    origins: originsOf(own, all),
    granted: namesOf(
      own.flatMap((role) => role.permissions),
      all,
    ),
    isLoading: roles.isLoading || permissions.isLoading,
    error: roles.error ?? permissions.error,
  };
}
