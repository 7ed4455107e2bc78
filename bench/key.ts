import type { Engine } from "../src/index.ts";

/** Makes a key with budgets on four levels, a window of requests and one of tokens, none of which a bench can use up. */
export async function makeKey(engine: Engine): Promise<string> {
  const budgets = [
    { max_limit: 1_000_000, reset_duration: "1M" as const, calendar_aligned: true, enforcement: "hard" as const },
  ];
  const rate_limits = [
    {
      request_max_limit: 1e12,
      request_reset_duration: "1m" as const,
      token_max_limit: 1e12,
      token_reset_duration: "1h" as const,
    },
  ];
  const customer = await engine.customers.create({ name: "bench", budgets });
  const project = await engine.projects.create({ name: "bench", customer_id: customer.id, budgets });
  const { value } = await engine.keys.create({
    name: "bench",
    project_id: project.id,
    budgets,
    rate_limits,
    provider_configs: ["bench", "openai"].map((provider) => ({ provider, allowed_models: ["*"], budgets })),
  });
  return value;
}
