import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ToolServer } from "../../../../src/engine/ports/tools/tool-server.ts";
import { createEngine } from "../../../../src/index.ts";
import { operator } from "../../../../src/portal/call/operator.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";
import { fakeToolServer } from "../../../fixtures/mcp/calling-model.ts";
import { type Gateway, openGateway } from "../../support/gateway.ts";

const region = "eu-1";
const inputSchema = { type: "object" };
const add = { name: "add", description: "Adds two numbers.", inputSchema };
const everyTool = [{ server: "calc", allowed_tools: ["*"], blocked_tools: [] as string[] }];
const entry = (allowed: string[], blocked: string[] = []) => ({
  ...{ server: "calc", allowed_tools: allowed, blocked_tools: blocked, budgets: [], rate_limits: [] },
});
const tenant = { ...operator, scope: { reseller: "northwind", client_id: "bakery" } };
const newKey = { name: "k", description: "", tier: "standard", user_bound: false };

const opened: Gateway[] = [];
afterEach(() => void opened.splice(0));

async function open(more: Partial<ToolServer> = {}) {
  const calc = fakeToolServer({ add: () => 5, drop: () => 0 }, { approval: "pinned", ...more });
  const hangs = fakeToolServer({}, { listTools: () => new Promise(() => {}) });
  const mcp = { servers: { calc: calc.server, hangs: hangs.server } };
  const store = memoryStore();
  const gateway = await openGateway(store, { [region]: {} }, { mcp });
  opened.push(gateway);
  const { ai } = gateway.portal.as(operator, { region });
  const { ai: below } = gateway.portal.as(tenant, { region });
  return { ...gateway, store, calc, ai, below };
}

/** Answers once the time that a server has for its list is over. */
async function late<Value>({ clock }: Gateway, answer: Promise<Value>): Promise<Value> {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
  await clock.advance(5_000);
  return answer;
}

describe("the tools of servers in the portal", () => {
  it("bound the keys of a customer, and of a project from its start; a tenant widens neither", async () => {
    const { ai, below, store } = await open();
    const engine = createEngine({ ...scriptedWorld(), providers: [{ name: "a" }], store });
    const draft = { name: "p", description: "", tier: "standard" };
    const [made] = await ai.createProject({ ...draft, mcp_configs: everyTool });
    expect((await ai.project({ ai_project_id: made?.id ?? "" }))[0]?.mcp_configs).toEqual(everyTool);
    await expect(below.createProject({ ...draft, mcp_configs: everyTool })).rejects.toMatchObject({
      ...{ code: "invalid_request", param: "mcp_configs.0.allowed_tools.0" },
    });
    const customer = await engine.customers.create({
      name: "c",
      metadata: { reseller: "northwind", client_id: "bakery" },
    });
    const customer_id = customer.id;
    await ai.changeCustomer({ customer_id, mcp_configs: everyTool });
    expect((await ai.customers({})).find(({ id }) => id === customer_id)?.mcp_configs).toEqual(everyTool);
    await expect(below.changeCustomer({ customer_id, mcp_configs: null })).rejects.toMatchObject({
      ...{ code: "permission_denied", param: "mcp_configs" },
    });
    const reseller = { ...operator, scope: { reseller: "northwind" } };
    const { ai: above } = (opened.at(-1) as Gateway).portal.as(reseller, { region });
    const fewer = [{ server: "calc", allowed_tools: ["add"], blocked_tools: [] }];
    await above.changeCustomer({ customer_id, mcp_configs: fewer });
    const beyond = { code: "invalid_request", param: "mcp_configs.0.allowed_tools.0" };
    await expect(above.changeCustomer({ customer_id, mcp_configs: everyTool })).rejects.toMatchObject(beyond);
    await expect(above.changeCustomer({ customer_id, mcp_configs: null })).rejects.toMatchObject(beyond);
    await ai.changeCustomer({ customer_id, mcp_configs: null });
    expect((await ai.customers({})).find(({ id }) => id === customer_id)?.mcp_configs).toBeUndefined();
  });

  it("says how each server is, whatever another does, and nothing of how it is reached", async () => {
    const world = await open();
    await world.ai.tools({ server: "calc" }); // loads what the list needs
    const servers = await late(world, world.ai.toolServers({}));
    expect(servers).toEqual([
      { name: "calc", transport: "own", approval: "pinned", state: "connected", tools: 2, held: 2, open_circuits: [] },
      {
        ...{ name: "hangs", transport: "own", state: "failing", open_circuits: [] },
        message: "The server did not answer within 5000 ms.",
      },
    ]);
  });

  it("shows what changed since it was approved, and approves it", async () => {
    const { ai, calc } = await open();
    calc.describe([add]);
    expect(await ai.approveTools({ server: "calc", tools: ["add"] })).toEqual([
      { tool: "add", was: "new", description: add.description },
    ]);
    expect(await ai.tools({ server: "calc" })).toMatchObject([{ name: "calc__add", approval: "approved", price: 0 }]);
    calc.describe([{ ...add, description: "Adds, and mails the sum." }]);
    expect(await ai.tools({ server: "calc" })).toMatchObject([
      {
        ...{ tool: "add", approval: "changed", description: "Adds, and mails the sum.", input_schema: inputSchema },
        approved: { description: add.description, input_schema: inputSchema },
      },
    ]);
    await ai.approveTools({ server: "calc", tools: ["*"] });
    const [tool] = await ai.tools({ server: "calc" });
    expect([tool?.approval, tool?.approved]).toEqual(["approved", undefined]);
  });

  it("refuses a server that is not there, and tells tenants of no server", async () => {
    const { ai, below } = await open();
    await expect(ai.tools({ server: "other" })).rejects.toMatchObject({ code: "not_found", param: "server" });
    await expect(ai.approveTools({ server: "other", tools: ["*"] })).rejects.toMatchObject({ code: "not_found" });
    expect([await below.toolServers({}), await below.tools({})]).toEqual([[], []]);
    await expect(below.approveTools({ server: "calc", tools: ["*"] })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });
});

describe("tools of keys and projects", () => {
  it("are given by the provider, and say who may call what", async () => {
    const { ai, calc } = await open({ approval: undefined });
    calc.describe([add, { ...add, name: "drop" }]);
    const key = await ai.createKey({ ...newKey, mcp_configs: [entry(["*"], ["drop"])] });
    expect(key.mcp_configs).toEqual([entry(["*"], ["drop"])]);
    expect((await ai.tools({ key_id: key.id })).map(({ tool }) => tool)).toEqual(["add"]);
    const who = async (tool: string) => (await ai.toolAccess({ server: "calc", tool })).map(({ id }) => id);
    expect([await who("add"), await who("drop")]).toEqual([[key.id], []]);
    await ai.changeKey({ key_id: key.id, mcp_configs: [] });
    expect([await ai.tools({ key_id: key.id }), await who("add")]).toEqual([[], []]);
  });

  it("are not granted by a tenant to itself", async () => {
    const { ai, below } = await open();
    const refused = { code: "invalid_request", param: "mcp_configs.0.allowed_tools.0" };
    await expect(below.createKey({ ...newKey, mcp_configs: [entry(["add"])] })).rejects.toMatchObject(refused);
    const { id: key_id } = await below.createKey(newKey);
    await expect(below.changeKey({ key_id, mcp_configs: [entry(["add"])] })).rejects.toMatchObject(refused);
    const [project] = await below.createProject({ name: "p", description: "", tier: "standard" });
    const ai_project_id = project?.id ?? "";
    await expect(below.changeProject({ ai_project_id, mcp_configs: everyTool })).rejects.toMatchObject(refused);
    // What the provider grants the project, the tenant gives its keys.
    await ai.changeProject({
      ai_project_id,
      mcp_configs: [{ server: "calc", allowed_tools: ["add*"], blocked_tools: ["add_all"] }],
    });
    await expect(
      below.createKey({ ...newKey, project_id: ai_project_id, mcp_configs: [entry(["*"])] }),
    ).rejects.toMatchObject(refused);
    const granted = await below.createKey({ ...newKey, project_id: ai_project_id, mcp_configs: [entry(["add"])] });
    expect(granted.mcp_configs).toEqual([entry(["add"], ["add_all"])]);
    await expect(below.changeProject({ ai_project_id, mcp_configs: null })).rejects.toMatchObject(refused);
  });

  it("that the provider gave a key are tightened by its tenant, not loosened", async () => {
    const { ai, below } = await open();
    const { id: key_id } = await below.createKey(newKey);
    const budgets = [{ max_limit: 1, reset_duration: "1d" }];
    await ai.changeKey({ key_id, mcp_configs: [{ ...entry(["*"], ["drop"]), budgets }] as never });
    await expect(below.changeKey({ key_id, mcp_configs: [entry(["add"])] })).rejects.toMatchObject({
      param: "mcp_configs.0.budgets",
    });
    const changed = await below.changeKey({ key_id, mcp_configs: [{ ...entry(["add"]), budgets }] as never });
    expect(changed.mcp_configs).toMatchObject([{ allowed_tools: ["add"], blocked_tools: ["drop"] }]);
    expect((await below.limits({ key_id })).find(({ level }) => level === "entry")).toMatchObject({
      ...{ owner: { id: `${key_id}/mcp.calc` }, unit: "cost", max: 1, left: 1 },
    });
    await expect(
      below.changeKey({ key_id, mcp_configs: [{ ...entry(["*"]), budgets }] as never }),
    ).rejects.toMatchObject({ param: "mcp_configs.0.allowed_tools.0" });
  });
});
