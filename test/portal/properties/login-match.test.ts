import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { StoredUser } from "../../../src/operations/records/users.ts";
import { hashUsername } from "../../../src/portal/identity/user-scope.ts";
import { findUser } from "../../../src/portal/sessions/logins/match.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

const anyAddress = fc.constantFrom(
  "ann@example.com",
  "ANN@example.com",
  "ann@example.co",
  "joann@example.com",
  "bob@example.com",
);
const anyName = fc.constantFrom("ann", "Ann", "bob", "ann@example.com");
const anyTenant = fc.constantFrom("acme", "acme/shop", "other", "other/shop");
const anyUser = fc.record({
  username: fc.string({ minLength: 3, maxLength: 8, unit: fc.constantFrom("a", "n", "b", "o") }),
  email: fc.option(anyAddress, { nil: undefined }),
  tenant: anyTenant,
  enabled: fc.boolean(),
});
const anyClaims = fc.record({
  subject: fc.constant("s"),
  email: fc.option(anyAddress, { nil: undefined }),
  isEmailVerified: fc.boolean(),
  username: fc.option(
    fc.oneof(
      anyName,
      anyUser.map(({ username }) => username),
    ),
    { nil: undefined },
  ),
});

const scopeOf = (tenant: string) => {
  const [reseller = null, client_id = null] = tenant.split("/");
  return { reseller, client_id };
};

describe("the user whom a login at a provider means", () => {
  it("is enabled, of the provider's tenant, and the only one with the verified address or the name", async () => {
    const users = fc.uniqueArray(anyUser, { maxLength: 6, selector: ({ username }) => username.toLowerCase() });
    const provider = fc.record({
      match: fc.constantFrom("email" as const, "username" as const),
      tenant: fc.option(anyTenant, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(users, provider, anyClaims, async (made, { match, tenant }, claims) => {
        const { records } = withPortalKinds(memoryStore());
        for (const [at, { tenant: own, ...user }] of made.entries()) {
          const id = `usr_${at}`;
          const fixed = { id, user_id: id, level: "client", roles: [], created_at: new Date(at).toISOString() };
          const record = {
            ...fixed,
            ...scopeOf(own),
            ...user,
            hash: hashUsername(user.username),
          } as never as StoredUser;
          await records.put("user", record, 0);
        }
        const found = await findUser(records, { match, tenant }, claims);
        const isMeant = (user: (typeof made)[number]) => {
          const isOf = tenant === undefined || user.tenant === tenant || user.tenant.startsWith(`${tenant}/`);
          const isNamed =
            match === "username"
              ? user.username.toLowerCase() === claims.username?.toLowerCase()
              : claims.isEmailVerified &&
                user.email !== undefined &&
                user.email.toLowerCase() === claims.email?.toLowerCase();
          return user.enabled && isOf && isNamed;
        };
        const meant = made.filter(isMeant);
        expect(found?.username).toBe(meant.length === 1 ? meant[0]?.username : undefined);
      }),
    );
  });
});
