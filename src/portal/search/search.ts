import type { RecordKind, RecordKinds } from "../../engine/ports/records.ts";
import type { SearchResult } from "../../operations/portal/console/context.ts";
import type { PortalCall } from "../call/call.ts";

/** A kind of record that is searched by those who may list it. */
interface SearchedKind<Kind extends RecordKind> {
  readonly kind: Kind;
  /** The dashboard that shows it. */
  readonly area: string;
  /** The permission of the list. */
  readonly permission: string;
  /** The path of the operation that reads one, or lists them. */
  readonly path: (id: string) => string;
  readonly describe: (record: RecordKinds[Kind]) => { readonly name: string; readonly hint?: string | undefined };
}

function searched<Kind extends RecordKind>(row: SearchedKind<Kind>): SearchedKind<RecordKind> {
  return row as unknown as SearchedKind<RecordKind>; // seam: the records of a kind are listed by that kind only
}

const named = ({ name, description }: { readonly name: string; readonly description?: string | undefined }) => ({
  name,
  hint: description,
});

/** The kinds in the order of the results. A kind is a row here. */
const searchedKinds = [
  searched({
    kind: "key",
    area: "ai-keys",
    permission: "ai-get",
    path: (id) => `/ai/keys/${id}`,
    describe: ({ name, last4 }) => ({ name, hint: `…${last4}` }),
  }),
  searched({
    kind: "project",
    area: "ai-projects",
    permission: "ai_teams_management-get",
    path: (id) => `/ai/project/${id}`,
    describe: named,
  }),
  searched({
    kind: "customer",
    area: "ai-models",
    permission: "ai_customer-get",
    path: () => "/ai/customer",
    describe: named,
  }),
  searched({
    kind: "tenant",
    area: "tenants",
    permission: "tenants-get",
    path: (id) => `/tenants/${id}`,
    describe: ({ name, reseller, client_id }) => ({
      name,
      hint: client_id === null ? reseller : `${reseller} / ${client_id}`,
    }),
  }),
  searched({
    kind: "user",
    area: "users",
    permission: "users-get",
    path: (id) => `/users/${id}`,
    describe: ({ username, email }) => ({ name: username, hint: email }),
  }),
  searched({ kind: "role", area: "roles", permission: "roles-get", path: () => "/roles", describe: named }),
];

/** What is searched for, and how many results are wanted of each kind. */
export interface SearchQuestion {
  readonly q: string;
  readonly limit: number;
}

/** Returns the records whose id, name or hint contains a text, in any letter case, of the kinds that the caller may list; the newest first. */
export async function searchRecords(call: PortalCall, question: SearchQuestion): Promise<SearchResult[]> {
  const found: SearchResult[] = [];
  for (const row of searchedKinds)
    if (call.caller.permissions.has(row.permission)) found.push(...(await searchKind(call, row, question)));
  return found;
}

async function searchKind(
  { records }: PortalCall,
  { kind, area, path, describe }: SearchedKind<RecordKind>,
  { q, limit }: SearchQuestion,
): Promise<SearchResult[]> {
  const page = await records.list(kind, { search: q, limit, order: "newest" });
  return page.records.map(({ record }) => {
    const { name, hint = "" } = describe(record);
    return { area, id: record.id, name, ...(hint === "" ? {} : { hint }), path: path(record.id) };
  });
}
