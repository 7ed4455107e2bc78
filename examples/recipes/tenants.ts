import { type Engine, isGatewayError, textOf } from "tollgate";

/** Registers a tenant: a customer with a budget for all of its keys together, and a first key. The value is shown once. */
export async function addTenant(engine: Engine, name: string) {
  const customer = await engine.customers.create({
    name,
    budgets: [{ max_limit: 10, reset_duration: "1M", enforcement: "hard" }],
  });
  const { key, value } = await engine.keys.create({
    name: `${name} 1`,
    customer_id: customer.id,
    allow: ["openai/gpt-5-mini"],
    requests: "60/1m",
  });
  return { customerId: customer.id, keyId: key.id, value };
}

/** Asks on behalf of a tenant; what its key or its budget does not allow is a reason, not a failure. */
export async function askAs(engine: Engine, key: string, question: string) {
  try {
    const messages = [{ role: "user" as const, content: question }];
    return { text: textOf(await engine.chat({ model: "openai/gpt-5-mini", messages }, { key })) };
  } catch (error) {
    if (isGatewayError(error) && error.status < 500) return { refused: error.code };
    throw error;
  }
}

/** What each tenant cost in US dollars, from one instant to another, in milliseconds since the epoch. */
export async function bill(engine: Engine, from: number, to: number) {
  const rows = await engine.usage.query({ from, to, group_by: ["customer_id"] });
  return rows.map(({ group, cost, requests }) => ({ customer: group.customer_id, cost, requests }));
}
