import { isDeepStrictEqual } from "node:util";
import type { CheckedOptions, ReconfigurableOptions } from "../../options.ts";
import type { ToolServers } from "../../ports/tools/tool-server.ts";
import type { OpenToolServer } from "../../ports/tools/tool-settings.ts";
import type { CircuitRules } from "../../routing/circuit.ts";
import { openAnswerCache } from "../cache/open.ts";
import { createHealth, type Health } from "../runtime/health.ts";
import { createModelKnowledge } from "../runtime/model-knowledge.ts";
import type { Ports } from "../runtime/ports.ts";
import { openTools } from "../tools/open-tools.ts";

/** What all calls of an engine's life share, whatever it is configured to. */
export type SharedPorts = Pick<
  Ports,
  | "events"
  | "clock"
  | "random"
  | "ids"
  | "accounting"
  | "decisions"
  | "awaited"
  | "calls"
  | "isDraining"
  | "toolRecords"
>;

/** Options that were checked, and what stays whatever they are. */
interface ConfigurationInput {
  readonly checked: CheckedOptions;
  readonly shared: SharedPorts;
  /** The circuits before; they stay where their rules do. */
  readonly former?:
    | { readonly health: Health; readonly circuit: CircuitRules; readonly tools: ToolServers }
    | undefined;
  readonly openToolServer: OpenToolServer;
}

/** The ports of these options; throws `invalid_configuration` where the cache has no provider that embeds. */
export function configurePorts(
  options: ReconfigurableOptions,
  { checked, shared, former, openToolServer }: ConfigurationInput,
): Ports {
  const { providers, timeouts, retry, circuit } = checked;
  const { rules = [], transport, unpriced } = options;
  const { clock, ids, accounting } = shared;
  return Object.freeze({
    ...shared,
    providers,
    tools: openTools(options.mcp?.servers ?? {}, {
      open: openToolServer,
      clock,
      transport,
      former: former?.tools,
      hasStore: shared.toolRecords !== undefined,
    }),
    isToolSearch: options.mcp?.search === true,
    transport,
    setupHint: options.setupHint,
    timeouts,
    limitsFirstContent: options.timeouts?.firstContent !== undefined,
    retry,
    gatherMs: checked.gatherMs,
    health: former && isDeepStrictEqual(former.circuit, circuit) ? former.health : createHealth(shared.events, circuit),
    ...createModelKnowledge({ clock, ids, timeouts, transport }),
    unpriced: typeof unpriced === "object" ? undefined : unpriced,
    unpricedRates: typeof unpriced === "object" ? unpriced : undefined,
    accounting,
    routing: Object.freeze({
      rules,
      order: options.order ?? "weight",
      isTimed: options.order === "latency" || rules.some(({ use }) => use.order === "latency"),
      asksBudget: rules.some(({ when }) => when?.budgetLeft !== undefined),
      recovery: options.recovery,
      hedge: checked.hedge,
      hasStablePrompts: options.stablePrompts === true,
    }),
    cache: openAnswerCache(options.cache, providers),
    middleware: options.middleware?.length ? [...options.middleware] : undefined,
  });
}
