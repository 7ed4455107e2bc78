import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** A tenant as the list has it. */
export type Tenant = AnswerOf<Areas["tenants"]["list"]>[number];

/** A line of the tree: a tenant and how deep it lies. */
export interface TenantLine {
  readonly tenant: Tenant;
  readonly depth: 0 | 1;
}

/** Resellers by name, each followed by its clients; a client whose reseller the caller does not see stands alone. */
export function treeOf(tenants: readonly Tenant[]): readonly TenantLine[] {
  const byName = (one: Tenant, other: Tenant) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id);
  const clients = tenants.filter(({ level }) => level === "client").sort(byName);
  const resellers = tenants.filter(({ level }) => level === "reseller").sort(byName);
  const known = new Set(resellers.map(({ reseller }) => reseller));
  return [
    ...resellers.flatMap((tenant): TenantLine[] => [
      { tenant, depth: 0 },
      ...clients
        .filter(({ reseller }) => reseller === tenant.reseller)
        .map((client) => ({ tenant: client, depth: 1 as const })),
    ]),
    ...clients.filter(({ reseller }) => !known.has(reseller)).map((tenant) => ({ tenant, depth: 0 as const })),
  ];
}

/** The lines that match, each with the reseller above it, so that a client is never seen without its place. */
export function findLines(lines: readonly TenantLine[], isWanted: (tenant: Tenant) => boolean): readonly TenantLine[] {
  const wanted = new Set(lines.filter(({ tenant }) => isWanted(tenant)).map(({ tenant }) => tenant.reseller));
  return lines.filter(({ tenant }) => isWanted(tenant) || (tenant.level === "reseller" && wanted.has(tenant.reseller)));
}
