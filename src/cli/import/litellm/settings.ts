import {
  below,
  type FieldsByName,
  fieldsOf,
  numberIn,
  type Reasons,
  type Remark,
  referenceIn,
  remarkOthers,
  textIn,
} from "./remarks.ts";

/** Settings of the gateway. */
export interface GatewaySettings {
  readonly config: FieldsByName;
  readonly remarks: readonly Remark[];
}

const orders: Readonly<Record<string, string>> = {
  "simple-shuffle": "weight",
  "latency-based-routing": "latency",
  "cost-based-routing": "price",
};

const handled: ReadonlySet<string> = new Set([
  ...[
    "fallbacks",
    "default_fallbacks",
    "model_group_alias",
    "num_retries",
    "timeout",
    "request_timeout",
    "stream_timeout",
  ],
  ...["cooldown_time", "routing_strategy", "redis_url", "drop_params", "cache", "cache_params"],
]);

const anyFailure =
  "fallbacks of one kind of failure: here `fallbacks` are for all that another target may mend (docs/routing.md)";
const telemetry = "tollgate has OpenTelemetry, Prometheus and logs of its own (docs/telemetry.md)";
const password = "may hold a secret: name the server as `counters: env:REDIS_URL`";
const owned = "keys, teams and what was spent stay in LiteLLM's database: make them with `tollgate key create`";
const reasons: Reasons = {
  context_window_fallbacks: anyFailure,
  content_policy_fallbacks: anyFailure,
  allowed_fails: "LiteLLM counts failures of a minute, tollgate failures in a row: see `circuit`",
  retry_policy: "tollgate decides by the kind of failure (docs/routing.md)",
  callbacks: telemetry,
  success_callback: telemetry,
  failure_callback: telemetry,
  redis_host: password,
  redis_port: password,
  redis_password: password,
  max_budget: "budgets stand on keys: `tollgate key limit <key> --budget <amount>/<window>`",
  budget_duration: "see max_budget; a month is `1M`",
  default_key_generate_params: "budgets and limits are named with each key: `tollgate key create --help`",
  default_internal_user_params: "users of the portal have quotas (docs/portal.md)",
  default_team_settings: "projects have budgets: `tollgate project create --help`",
  master_key: "`tollgate serve` makes a first key, and a first token of the portal",
  database_url: owned,
  store_model_in_db: owned,
};

/** Converts `router_settings`, `litellm_settings` and `general_settings`; the first one wins where two say the same. */
export function convertSettings(document: FieldsByName): GatewaySettings {
  const [router, litellm, general] = ["router_settings", "litellm_settings", "general_settings"].map((name) =>
    fieldsOf(document[name]),
  );
  const remarks = [
    ...below(["router_settings"], remarkOthers(router ?? {}, handled, reasons)),
    ...below(["litellm_settings"], remarkOthers(litellm ?? {}, handled, reasons)),
    ...below(["general_settings"], remarkOthers(general ?? {}, new Set(), reasons)),
    ...remarkOthers(document, sections, { environment_variables: "set these in the environment of the gateway" }),
  ];
  const both = { ...litellm, ...router };
  const settings = [
    convertTimes(both),
    convertOrder(router ?? {}),
    convertCache(litellm ?? {}),
    convertCounters(router ?? {}),
  ];
  return {
    config: Object.assign({}, ...settings.map(({ config }) => config)),
    remarks: [...remarks, ...settings.flatMap((each) => each.remarks)],
  };
}

const sections: ReadonlySet<string> = new Set([
  "model_list",
  "router_settings",
  "litellm_settings",
  "general_settings",
]);

/** LiteLLM counts in seconds, tollgate in milliseconds. */
function convertTimes(both: FieldsByName): GatewaySettings {
  const ms = (value: unknown): number | undefined => {
    const seconds = numberIn(value);
    return seconds === undefined || seconds === 0 ? undefined : Math.min(Math.round(seconds * 1000), 86_400_000);
  };
  const timeouts = { whole: ms(both.timeout ?? both.request_timeout), firstContent: ms(both.stream_timeout) };
  const retries = numberIn(both.num_retries);
  const openMs = ms(both.cooldown_time);
  const config = {
    ...(timeouts.whole === undefined && timeouts.firstContent === undefined ? {} : { timeouts: present(timeouts) }),
    ...(retries === undefined ? {} : { retry: { retries: Math.min(Math.round(retries), 10) } }),
    ...(openMs === undefined ? {} : { circuit: { openMs, maxOpenMs: openMs } }),
  };
  return { config, remarks: [] };
}

function convertOrder({ routing_strategy: strategy }: FieldsByName): GatewaySettings {
  const name = textIn(strategy);
  if (name === undefined) return { config: {}, remarks: [] };
  const order = Object.hasOwn(orders, name) ? orders[name] : undefined;
  if (order !== undefined) return { config: { order }, remarks: [] };
  const problem = `no order of tollgate's: it has ${Object.keys(orders).join(", ")} as weight, latency, price`;
  return { config: {}, remarks: [{ path: ["router_settings", "routing_strategy"], problem }] };
}

function convertCache({ cache, cache_params: provided }: FieldsByName): GatewaySettings {
  if (cache !== true) return { config: {}, remarks: [] };
  const parameters = fieldsOf(provided);
  const type = textIn(parameters.type) ?? "local";
  const ttl = numberIn(parameters.ttl);
  const path = ["litellm_settings", "cache_params"];
  const remarks = below(
    path,
    remarkOthers(parameters, new Set(["type", "ttl", "url"]), { host: password, password, port: password }),
  );
  if (type !== "local" && type !== "redis") {
    return {
      config: {},
      remarks: [{ path: [...path, "type"], problem: "tollgate keeps answers in memory or in Redis (docs/caching.md)" }],
    };
  }
  const answers = type === "redis" ? (referenceIn(parameters.url) ?? "env:REDIS_URL") : undefined;
  if (answers === "env:REDIS_URL")
    remarks.push({
      path,
      problem: "put the address of the server, `redis://…`, into the environment variable REDIS_URL",
    });
  return { config: { cache: present({ ttl: ttl === 0 ? undefined : ttl, answers }) }, remarks };
}

function convertCounters({ redis_url: address }: FieldsByName): GatewaySettings {
  const reference = referenceIn(address);
  if (reference !== undefined) return { config: { counters: reference }, remarks: [] };
  if (textIn(address) === undefined) return { config: {}, remarks: [] };
  return { config: {}, remarks: [{ path: ["router_settings", "redis_url"], problem: password }] };
}

function present(fields: FieldsByName): FieldsByName {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
