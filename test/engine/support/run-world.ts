import { afterEach } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { createEngine, type Engine, isGatewayError } from "../../../src/index.ts";
import { scriptedWorld } from "../../../src/testing/index.ts";
import { callingModel, fakeToolServer, type ModelStep } from "../../fixtures/mcp/calling-model.ts";

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close({ graceMs: 0 });
});

const hang = (_provided: object, signal: AbortSignal) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** A model with these steps, and a server `calc` whose calls cost a cent, with a key that may call all of it but `delete_*`. */
export async function open(steps: Parameters<typeof callingModel>[0], options: { budgets?: object[] } = {}) {
  const model = callingModel(steps);
  const calc = fakeToolServer(
    {
      add: ({ a, b }) => Number(a) + Number(b),
      delete_all: () => "gone",
      fail: () => Promise.reject(new TypeError("a defect of the server")),
      hang,
    },
    { priceOf: () => 0.01 },
  );
  const engine = createEngine({
    ...scriptedWorld(),
    providers: [model.provider],
    store: memoryStore(),
    mcp: { servers: { calc: calc.server } },
  });
  engines.push(engine);
  const { value: key, key: record } = await engine.keys.create({
    name: "k",
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
    mcp_configs: [{ server: "calc", allowed_tools: ["*"], blocked_tools: ["delete_*"] }],
    ...options,
  } as never);
  return { engine, model, calc, key, keyId: record.id };
}

const question = { role: "user" as const, content: "What is 2 + 3?" };
/** Asks with all tools of the server. */
export const request = { model: "m/caller", messages: [question], mcp: ["calc__*"] };
export const call = (name: string, provided: object = {}): ModelStep => ({ calls: [[name, provided]] });
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "served",
    (thrown) => (isGatewayError(thrown) ? thrown.code : String(thrown)),
  );
