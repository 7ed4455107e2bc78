import type { Customer, KeyTimeouts, Project, ProviderConfig, VirtualKey } from "../api/governance.ts";
import type { McpConfig } from "../api/mcp/access.ts";
import type { Timeouts } from "../ports/provider.ts";
import type { SlotLimit } from "../ports/slots.ts";
import { isToolProvider, toolProvider } from "../ports/tools/tool-server.ts";
import { type Identify, identifyByName } from "../routing/model-identity.ts";
import { type Limit, type LimitedOwner, listLimits } from "./limit.ts";
import { type ModelTest, testModels, testNames } from "./model-pattern.ts";
import { blockedBy, type TenantState } from "./refusal.ts";
import { anyToolServer, type ContentAccess, testContents, testTools } from "./tools/test-tools.ts";

/** A key with all that stands above it. */
export interface KeyRecords {
  readonly key: VirtualKey;
  readonly project?: Project | undefined;
  /** The project's customer, or the key's own. */
  readonly customer?: Customer | undefined;
  /** The portal's user that a key with `user_bound` is bound to. */
  readonly user?: { readonly enabled: boolean } | undefined;
  /** The key's reseller and client, as far as they are records. */
  readonly tenants?: readonly TenantState[] | undefined;
}

/** What a key may do with one provider. */
export interface AccessEntry {
  /** As configured: a provider's name or `*`. */
  readonly provider: string;
  readonly weight: number;
  readonly allows: ModelTest;
  /** Whether the entry names the model, so that its provider is known to have it. A bare name in a `*` entry names no provider. */
  readonly names: ModelTest;
  /** Whether a credential of the provider, by its name, may be used. */
  readonly allowsCredential: (name: string) => boolean;
  /** Of the entry, the key, the project and the customer, in the order of checks. */
  readonly limits: readonly Limit[];
}

/** Everything that decides about the calls of one key, ready for the hot path. Made once per version of its records. */
export interface KeyPermissions {
  readonly keyId: string;
  readonly projectId: string | undefined;
  readonly customerId: string | undefined;
  /** Why no call is allowed at all: the key, its project or its customer is switched off. */
  readonly blocked: string | undefined;
  /** Milliseconds since the epoch; `opensAt` is allowed, `closesAt` is not. */
  readonly opensAt: number;
  readonly closesAt: number;
  readonly entries: readonly AccessEntry[];
  /** What the key may do with tool servers, whose names stand behind `mcp.`; no server without an entry. */
  readonly tools: readonly (AccessEntry & ContentAccess)[];
  /** The limits for every target: of key, project and customer. */
  readonly limits: readonly Limit[];
  /** Bounds of calls under way: of key, project and customer; absent where there are none. */
  readonly inFlight: readonly SlotLimit[] | undefined;
  /** Deadlines of the key's calls, in milliseconds. */
  readonly timeouts: Partial<Timeouts> | undefined;
}

/** Prepares the records of a key for `decide`. */
export function compileAccess(records: KeyRecords, identify: Identify = identifyByName): KeyPermissions {
  const { key, project, customer } = records;
  const owners = ownersAbove(records);
  return {
    keyId: key.id,
    projectId: project?.id,
    customerId: customer?.id,
    blocked: blockOf(records),
    opensAt: key.starts_at === undefined ? -Infinity : Date.parse(key.starts_at),
    closesAt: key.expires_at === undefined ? Infinity : Date.parse(key.expires_at),
    entries: key.provider_configs.map((config) => compileEntry(records, config, { above: owners, identify })),
    tools: (key.mcp_configs ?? []).map((config) => compileTools(records, config, { above: owners, identify })),
    limits: listLimits(owners, identify),
    inFlight: inFlightOf(records),
    timeouts: key.timeouts && timeoutsOf(key.timeouts),
  };
}

function timeoutsOf({ connect, first_content: firstContent, gap, whole }: KeyTimeouts): Partial<Timeouts> {
  const provided = Object.entries({ connect, firstContent, gap, whole }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(provided);
}

function inFlightOf({ key, project, customer }: KeyRecords): readonly SlotLimit[] | undefined {
  const limits = Object.entries({ key, project, customer }).flatMap(([level, owner]) =>
    owner?.max_in_flight === undefined
      ? []
      : [{ counter: `${level}/${owner.id}/in_flight`, limit: owner.max_in_flight }],
  );
  return limits.length === 0 ? undefined : limits;
}

/** The limits of a key, its project and its customer, which hold for every target. */
export function limitsAbove(records: KeyRecords): readonly Limit[] {
  return listLimits(ownersAbove(records));
}

/** The limits of each of a key's entries, without those above. */
export function limitsOfEntries({ id, provider_configs }: VirtualKey): readonly (readonly Limit[])[] {
  return provider_configs.map((config) => listLimits([entryOwner(id, config)]));
}

/** The entry for a provider or a tool server: its own, else that of `*`; an entry for every provider means no tool server. */
export function entryFor({ entries, tools }: KeyPermissions, provider: string): AccessEntry | undefined {
  const isTool = isToolProvider(provider);
  const everyName = isTool ? anyToolServer : "*";
  let general: AccessEntry | undefined;
  for (const entry of isTool ? tools : entries) {
    if (entry.provider === provider) return entry;
    if (entry.provider === everyName) general = entry;
  }
  return general;
}

/** Under which name a provider counts as asked: that of its entry, which those under `*` share; without an entry, its own. */
export function entryName(access: KeyPermissions | undefined, provider: string): string {
  return (access && entryFor(access, provider)?.provider) ?? provider;
}

/** What an entry is compiled with. */
interface EntryContext {
  readonly above: readonly LimitedOwner[];
  readonly identify: Identify;
}

function compileEntry(records: KeyRecords, config: ProviderConfig, { above, identify }: EntryContext): AccessEntry {
  const { provider, weight, allowed_models, blocked_models, key_ids } = config;
  const credentials = new Set(key_ids);
  return {
    provider,
    weight,
    names: testNames(provider === "*" ? allowed_models.filter((name) => name.includes("/")) : allowed_models, identify),
    allows: narrow(testModels(allowed_models, blocked_models, identify), records, identify),
    allowsCredential: credentials.has("*") ? () => true : (name) => credentials.has(name),
    limits: listLimits([entryOwner(records.key.id, config), ...above], identify),
  };
}

function compileTools(
  records: KeyRecords,
  config: McpConfig,
  { above, identify }: EntryContext,
): AccessEntry & ContentAccess {
  const { budgets, rate_limits } = config;
  const provider = toolProvider(config.server);
  return {
    provider,
    weight: 0,
    names: () => false,
    allows: testTools(config, records),
    ...testContents(config, records),
    allowsCredential: () => true,
    limits: listLimits([entryOwner(records.key.id, { provider, budgets, rate_limits }), ...above], identify),
  };
}

function entryOwner(
  keyId: string,
  { provider, budgets, rate_limits }: Pick<ProviderConfig, "provider" | "budgets" | "rate_limits">,
): LimitedOwner {
  return { level: "entry", owner: `${keyId}/${provider}`, budgets, rate_limits };
}

/** An entry allows no more than what the project and the customer of its key do. */
function narrow(allows: ModelTest, { project, customer }: KeyRecords, identify: Identify): ModelTest {
  const ceilings = [project?.llms, customer?.llms].flatMap((llms) =>
    llms === undefined ? [] : [testModels(llms, [], identify)],
  );
  return ceilings.length === 0 ? allows : (name) => allows(name) && ceilings.every((isAllowed) => isAllowed(name));
}

function ownersAbove({ key, project, customer }: KeyRecords): LimitedOwner[] {
  return [
    { level: "key", owner: key.id, ...limitsOf(key) },
    ...(project ? [{ level: "project" as const, owner: project.id, ...limitsOf(project) }] : []),
    ...(customer ? [{ level: "customer" as const, owner: customer.id, ...limitsOf(customer) }] : []),
  ];
}

function limitsOf({ budgets, rate_limits }: Pick<LimitedOwner, "budgets" | "rate_limits">) {
  return { budgets, rate_limits };
}

function blockOf({ key, project, customer, user, tenants = [] }: KeyRecords): string | undefined {
  if (!key.active) return "The virtual key is switched off.";
  if (key.user_bound && !user?.enabled) return "The user whom the virtual key is bound to is disabled or not there.";
  if (key.project_id !== undefined && !project) return "The project of the virtual key is not there.";
  if ((project?.customer_id ?? key.customer_id) !== undefined && !customer)
    return "The customer of the virtual key is not there.";
  if (project && !project.active) return "The project of the virtual key is switched off.";
  if (customer && !customer.active) return "The customer of the virtual key is switched off.";
  return blockedBy(tenants, "virtual key");
}
