import { randomUUID } from "node:crypto";
import type { LocalCloud } from "tollgate/backends/local";
import { isGatewayError } from "../../engine/errors.ts";
import type { Provider } from "../../engine/ports/provider.ts";
import type { Engine } from "../../http/create-engine.ts";
import { operator } from "../../portal/call/operator.ts";
import type { Portal } from "../../portal/portal.ts";
import type { Demo } from "./fill.ts";
import type { DemoProject } from "./infrastructure.ts";
import { goRound } from "./support.ts";
import type { DemoTenant } from "./tenants.ts";
import type { DemoKey } from "./usage.ts";

/** What the governed calls ask: two vendors' models at the prices of the catalogue, and the tokens that each answer is billed. */
const questions = [
  { model: "openai/gpt-5-mini", prompt_tokens: 90_000, completion_tokens: 6_000 },
  { model: "anthropic/claude-haiku-4-5", prompt_tokens: 60_000, completion_tokens: 3_000 },
] as const;

/** The budget of the first key of a client, in dollars a month, and the calls that use half of it. */
const websiteBudget = 1;
const websiteCalls = 10;

/** The second key's: so little that its third call is refused. */
const smallBudget = 0.08;
const mostSmallCalls = 5;

/** What the demo was filled into. */
interface DemoGateway {
  readonly engine: Engine;
  readonly portal: Portal;
  readonly cloud: LocalCloud;
}

/** The client with a backup that fails. */
const failing = "vets";

/** Adds what has to be governed: budgets half spent, a key that is refused, a backup that failed. Returns the number of requests. */
export async function governDemo({ tenants, projects, keys }: Demo, gateway: DemoGateway): Promise<number> {
  const tenant = tenants.find(({ client_id }) => client_id === failing);
  const project = projects[failing];
  if (tenant && project) await failBackup(gateway, tenant, project);
  return spendBudgets(gateway, keys);
}

/**
 * Gives the keys budgets and makes calls with them: half of the first is spent, the second refuses. The calls go through the engine and are
 * billed and counted as any others; only the vendors are scripted. Returns how many there were.
 */
async function spendBudgets({ engine, portal }: DemoGateway, keys: readonly DemoKey[]): Promise<number> {
  engine.reconfigure({ providers: scriptedVendors() }); // of this process, which ends after the demo is made
  let calls = 0;
  for (const [at, { id, value }] of keys.entries()) {
    const isWebsite = at % 2 === 0;
    const max_limit = isWebsite ? websiteBudget : smallBudget;
    const reset_duration = isWebsite ? ("1M" as const) : ("1d" as const);
    const reset = {
      reset_at: new Date(engine.clock.now()).toISOString(),
      reset_reason: "The budget begins with the calls of today.",
    };
    const budget = { max_limit, reset_duration, calendar_aligned: true, enforcement: "hard" as const, ...reset };
    await engine.keys.update(id, { budgets: [budget] });
    const most = isWebsite ? websiteCalls : mostSmallCalls;
    for (let turn = 0; turn < most; turn++, calls++) if (!(await ask(engine, value, turn))) break;
  }
  await goRound(portal);
  return calls;
}

/** Asks once; false when the key's budget refuses it. */
async function ask(engine: Engine, key: string, turn: number): Promise<boolean> {
  const { model } = questions[turn % questions.length] ?? questions[0];
  const messages = [{ role: "user" as const, content: "What has changed since yesterday?" }];
  try {
    await engine.chat({ model, messages, max_completion_tokens: 8_000 }, { key });
    return true;
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "budget_exceeded") return false;
    throw thrown;
  }
}

/** Vendors that answer at once, with the usage of a long conversation. */
function scriptedVendors(): Provider[] {
  return questions.map(({ model, prompt_tokens, completion_tokens }) => ({
    name: model.slice(0, model.indexOf("/")),
    async chat(_request, call) {
      const message = { role: "assistant" as const, content: "Two orders came in, and nothing else.", refusal: null };
      return {
        id: call.id,
        object: "chat.completion",
        created: Math.floor(call.startedAt / 1_000),
        model: call.model,
        choices: [{ index: 0, finish_reason: "stop", logprobs: null, message }],
        usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
      };
    },
  }));
}

/** A volume whose data is gone, and its backup, which fails with that cause. */
async function failBackup({ portal, cloud }: DemoGateway, tenant: DemoTenant, project: DemoProject): Promise<void> {
  const { calls, client_id = "" } = tenant;
  const resource_id = randomUUID();
  const volume = { name: `${client_id}-archive`, size: 1, status: "available", volume_type: "standard" };
  await cloud.inventory.put("volumes", resource_id, {
    ...{ id: resource_id, created_at: new Date().toISOString(), ...volume, attachments: [] },
    ...{ bootable: "false", encrypted: false, "os-vol-tenant-attr:tenant_id": project.project_id },
  });
  const { id: policy_id } = await portal.as(operator).backups.createPolicy({
    ...{ name: "Archive", description: "Once a month, tried once", schedule: "0 3 1 * *", timezone: "UTC" },
    ...{ backup_window: 24, retention_primary: 90, increment_policy: 0, retry: 0 },
  });
  await calls.backups.create({ policy_id, resource_id, resource_type: "volume", starting_hour: 3 });
  await goRound(portal);
  const made = await calls.backups.ofResource({ resource_id });
  const scheduled = made.find(({ state }) => state === "scheduled");
  if (scheduled !== undefined) await calls.backups.forceStart({ backup_id: scheduled.id });
  await goRound(portal);
}
