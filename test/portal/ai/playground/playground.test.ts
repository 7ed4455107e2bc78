import { beforeEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { defineProvider } from "../../../../src/engine/ports/provider.ts";
import { createHandler } from "../../../../src/http/server/handler.ts";
import { createEngine } from "../../../../src/index.ts";
import { operator } from "../../../../src/portal/call/operator.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { answerCost, officePrices, usage } from "../../support/areas/ai/office.ts";
import { makePlaces } from "../../support/places.ts";
import { noon } from "../../support/rig.ts";

const messages = [{ role: "user", content: "hello" }];

const provider = defineProvider({
  name: "one",
  async *streamChat(_request, { id, model }) {
    const chunk = { id, object: "chat.completion.chunk" as const, created: 1, model };
    yield { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: "yes" }, finish_reason: null }] };
    yield { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage };
  },
});

interface PlaygroundEvent {
  readonly type: string;
  readonly event_id: string;
  readonly chunk?: { readonly usage?: { readonly cost?: { readonly total_cost: number } } };
  readonly error?: { readonly code: string };
}

async function open() {
  const clock = fakeClock({ startAt: noon });
  const store = memoryStore();
  const engine = createEngine({ providers: [provider], store, clock, prices: officePrices() });
  const portal = createPortal({ engine, store, regions: { "eu-1": {} } });
  await portal.startFirst(); // makes the role of administrators
  const at = portal.as(operator);
  const tokenOf = async (client_id: string, permissions = ["*"]) => {
    const place = { reseller: "acme", client_id, level: "client" as const };
    const username = `${client_id}-${permissions.length}`;
    await makePlaces(portal, place);
    const user = await at.users.create({ username, ...place, roles: ["role_administrator"] });
    return (await at.users.createToken({ user_id: user.id, name: "t", permissions })).value;
  };
  const token = await tokenOf("c-1");
  const calls = portal.as({ ...operator, scope: { reseller: "acme", client_id: "c-1" } });
  const [project] = await calls.ai.createProject({ name: "lab", description: "", tier: "standard" });
  const handle = createHandler({ engine, portal });
  const chat = async (body: object, as = token) => {
    const bytes = Buffer.from(JSON.stringify({ model: "one/large", messages, ...body }));
    const response = await handle({
      method: "POST",
      path: "/ai/playground/chat",
      ...{ query: "", prefix: "", isShared: false, signal: new AbortController().signal },
      headers: { "auth-token": as, region: "eu-1", "content-type": "application/json" },
      read: async () => ({ kind: "bytes", bytes, encoding: undefined }),
    });
    const { status, body: answer } = response;
    if (typeof answer === "string" || answer instanceof Uint8Array)
      return { status, error: JSON.parse(String(answer)).error };
    const events: PlaygroundEvent[] = [];
    for await (const frame of answer) events.push(JSON.parse(String(frame).split("data: ")[1] ?? ""));
    return { status, events };
  };
  return { engine, calls, tokenOf, chat, project_id: project?.id ?? "" };
}

let rig: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  rig = await open();
});

describe("a chat in the console", () => {
  it("is streamed with its cost, billed to the project, and found in the list of requests under its caller", async () => {
    const { chat, calls, project_id } = rig;
    const { status, events = [] } = await chat({ project_id });
    expect(status).toBe(200);
    expect(events.at(-1)?.type).toBe("done");
    const cost = events.flatMap(({ chunk }) => chunk?.usage?.cost ?? []).at(-1);
    expect(cost?.total_cost).toBeCloseTo(answerCost);
    const [row] = await calls.ai.requests({});
    expect(row).toMatchObject({ event_id: events[0]?.event_id, status: 200, user: "c-1-1", cost: answerCost });
    expect([row?.project?.id, row?.key?.name]).toEqual([project_id, "Playground"]);
  });

  it("makes one key for a project, however many chats begin at once", async () => {
    const { chat, calls, project_id } = rig;
    await Promise.all([chat({ project_id }), chat({ project_id })]);
    await chat({ project_id });
    expect((await calls.ai.keys({ ai_project_id: project_id })).map(({ name }) => name)).toEqual(["Playground"]);
  });

  it("is refused like any call of the key that pays", async () => {
    const { chat, calls } = rig;
    const { id: key_id } = await calls.ai.createKey({
      name: "k",
      description: "",
      tier: "standard",
      user_bound: false,
    });
    expect((await chat({ key_id })).status).toBe(200);
    await calls.ai.changeKey({ key_id, active: false });
    expect((await chat({ key_id })).error?.code).toBe("virtual_key_blocked");
  });

  it("needs exactly one account of the caller's own tenant", async () => {
    const { calls, chat, tokenOf, project_id } = rig;
    const { id: key_id } = await calls.ai.createKey({
      name: "k",
      description: "",
      tier: "standard",
      user_bound: false,
    });
    expect((await chat({})).error).toMatchObject({ code: "invalid_request", param: "project_id" });
    expect((await chat({ project_id, key_id: "vk_1" })).error).toMatchObject({
      code: "invalid_request",
      param: "key_id",
    });
    expect((await chat({ key_id: "vk_1" })).error).toMatchObject({ code: "not_found", param: "key_id" });
    const other = await tokenOf("c-2");
    expect((await chat({ project_id }, other)).error).toMatchObject({ code: "not_found", param: "project_id" });
    expect((await chat({ key_id }, other)).error).toMatchObject({ code: "not_found", param: "key_id" });
  });

  it("needs its own permission", async () => {
    const { chat, tokenOf, project_id } = rig;
    const weak = await tokenOf("c-1", ["ai-get", "context-get"]);
    expect((await chat({ project_id }, weak)).error).toMatchObject({ param: "ai_playground-post" });
  });
});
