import type { Budget, RateLimit } from "../../engine/api/governance.ts";
import type { McpCeiling } from "../../engine/api/mcp/access.ts";
import { GatewayError } from "../../engine/errors.ts";
import { isWithinBudgets, isWithinRates } from "../../engine/policy/tighten.ts";
import { isMeant } from "../../engine/policy/tools/pattern.ts";
import { entryOf } from "../../engine/policy/tools/test-tools.ts";
import type { PortalCall } from "../call/call.ts";
import { depthOf } from "../tenancy/tenant-scope.ts";
import { isFixed } from "./ceilings.ts";

/** An entry of a key, or of a project, which has no limits of its own. */
type BoundEntry = McpCeiling & {
  readonly budgets?: readonly Budget[] | undefined;
  readonly rate_limits?: readonly RateLimit[] | undefined;
};

/** What a key or a project says of tool servers. */
interface ToolRecord {
  readonly metadata: Readonly<Record<string, string>>;
  readonly mcp_configs?: readonly BoundEntry[] | undefined;
}

/** Where tools are granted: a record as it is, and those above it that bound its tools. */
interface ToolBounds {
  readonly record: ToolRecord;
  readonly above: readonly (ToolRecord | undefined)[];
  readonly call: PortalCall;
}

/**
 * Returns the entries that a caller gives a key or a project. The provider grants what it wants. Tenants grant no tool by themselves: what
 * they give is within the entries of the project and the customer, or within those that are there; blocked tools stay blocked. Throws
 * `invalid_request` for what is beyond.
 */
export function boundTools<Asked extends BoundEntry>(asked: readonly Asked[], bounds: ToolBounds): Asked[] {
  const { record, above, call } = bounds;
  if (depthOf(call.caller.scope) === 0) return [...asked];
  const ceilings = above.flatMap((each) => (each?.mcp_configs ? [each.mcp_configs] : []));
  const isBoundByItself = ceilings.length === 0 || isFixed(record, "mcp_configs", call);
  const all = isBoundByItself ? [record.mcp_configs ?? [], ...ceilings] : ceilings;
  return all.reduce<Asked[]>((met, bound) => meetAll(met, bound), [...asked]);
}

function meetAll<Asked extends BoundEntry>(asked: readonly Asked[], bounds: readonly BoundEntry[]): Asked[] {
  const named = new Set(asked.map(({ server }) => server));
  return asked.map((entry, position) => {
    const own = entryOf(bounds, entry.server);
    // An entry for every server that has none of its own means those that the bound names, too.
    const others = entry.server === "*" ? bounds.filter(({ server }) => !named.has(server) && server !== "*") : [];
    return [own, ...others].reduce<Asked>((met, bound) => meet(met, bound, `mcp_configs.${position}`), entry);
  });
}

const patternLists = ["allowed_tools", "allowed_resources", "allowed_prompts"] as const;

function meet<Asked extends BoundEntry>(entry: Asked, bound: BoundEntry | undefined, path: string): Asked {
  for (const list of patternLists) {
    const beyond = (entry[list] ?? []).findIndex((pattern) => !covers(bound?.[list] ?? [], pattern));
    if (beyond >= 0) throw notGranted(`${path}.${list}.${beyond}`);
  }
  const { budgets = [], rate_limits = [] } = bound ?? {};
  if (!isWithinBudgets(entry.budgets ?? [], budgets)) throw notGranted(`${path}.budgets`);
  if (!isWithinRates(entry.rate_limits ?? [], rate_limits)) throw notGranted(`${path}.rate_limits`);
  return { ...entry, blocked_tools: [...new Set([...entry.blocked_tools, ...(bound?.blocked_tools ?? [])])] };
}

/** Whether all that a pattern means is meant by one of the others: a `*` of theirs stands for one in it. */
function covers(others: readonly string[], pattern: string): boolean {
  return others.some((other) => isMeant(other, pattern));
}

function notGranted(param: string): GatewayError {
  const message = `\`${param}\`: is more than a level above you grants. Tools are granted by the provider; you can grant less of them.`;
  return new GatewayError("invalid_request", message, { param });
}
