import { type Grantor, roleGrants } from "./grants.ts";
import { profileGrants } from "./profiles/grants.ts";

/** What tells what a user may do: everything that any of them grants; a source of permissions is a line here. */
export const grantors: readonly Grantor[] = [roleGrants, profileGrants];
