import { operator } from "../../portal/call/operator.ts";
import type { Portal, PortalCalls } from "../../portal/portal.ts";

/** A tenant of the demo: a person, the person's calls, and an access token. */
export interface DemoTenant {
  readonly username: string;
  readonly reseller: string;
  /** Absent for the reseller itself. */
  readonly client_id: string | undefined;
  readonly user_id: string;
  /** Shown once. */
  readonly token: string;
  readonly calls: PortalCalls;
}

/** The reseller of the demo's clients. */
export const demoReseller = "northwind";

const tenants = [
  { reseller: demoReseller, name: "Northwind", contact: "nora@example.com" },
  { reseller: demoReseller, client_id: "bakery", name: "Ben's bakery", contact: "ben@example.com" },
  { reseller: demoReseller, client_id: "vets", name: "Vera's veterinary practice", contact: "vera@example.com" },
] as const;

const people = [
  { username: "nora", first_name: "Nora", last_name: "Northwind", level: "reseller", reseller: demoReseller },
  {
    username: "ben",
    first_name: "Ben",
    last_name: "Baker",
    level: "client",
    reseller: demoReseller,
    client_id: "bakery",
  },
  {
    username: "vera",
    first_name: "Vera",
    last_name: "Vet",
    level: "client",
    reseller: demoReseller,
    client_id: "vets",
  },
] as const;

/** Creates a reseller and two clients below it, each with an administrator of its tenant scope. */
export async function makeTenants(portal: Portal, region: string): Promise<readonly DemoTenant[]> {
  const provider = portal.as(operator, { region });
  const [role] = (await provider.users.roles({})).map(({ id }) => id);
  for (const tenant of tenants) await provider.tenants.create(tenant);
  const created: DemoTenant[] = [];
  for (const person of people) {
    const { username, reseller } = person;
    const client_id = "client_id" in person ? person.client_id : undefined;
    const email = `${username}@example.com`;
    const { id } = await provider.users.create({ ...person, email, roles: role === undefined ? [] : [role] });
    const { value } = await provider.users.createToken({ user_id: id, name: "demo", permissions: ["*"] });
    const calls = portal.as(await portal.callerOf(id), { region });
    created.push({ username, reseller, client_id, user_id: id, token: value, calls });
  }
  return created;
}
