import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import type { StoredTask } from "../../../src/operations/records/tasks.ts";
import type { PortalDeps } from "../../../src/portal/area.ts";
import { createSecrets } from "../../../src/portal/call/secrets.ts";
import { tasksArea } from "../../../src/portal/tasks/area.ts";
import { leaseMs } from "../../../src/portal/tasks/state.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { callAt, stores } from "../support/rig.ts";

/** Paths of real operations; those that end in `fail` are refused by the portal of this test. */
const paths = ["/context", "/themefail", "/theme"] as const;

const anyMove = fc.record({
  name: fc.constantFrom(
    ...(["create", "setStep", "setStep", "setStep", "replaceStep", "run", "markRead", "die", "wait"] as const),
  ),
  task: fc.nat(3),
  step: fc.integer({ min: 1, max: 4 }),
  path: fc.constantFrom(...paths),
});
type Move = typeof anyMove extends fc.Arbitrary<infer M> ? M : never;

interface Model {
  state: StoredTask["state"];
  steps: string[];
  isRead: boolean;
  leaseUntil: number;
}

/** The area over a portal that answers every call; a process that dies at a step is never heard of again. */
function openArea(records: Records, deaths: { left: number }) {
  const clock = fakeClock();
  const calls: string[] = [];
  const told: string[] = [];
  let made = 0;
  const tools = {
    clock,
    newId: (prefix: string) => `${prefix}_${String(++made).padStart(3, "0")}`,
    secrets: createSecrets("a secret of the test", randomBytes),
    async notify({ subject }: { subject: string }) {
      if (!told.includes(subject)) told.push(subject);
    },
    async call({ path, input }: { path: string; input?: { fail?: boolean } }) {
      calls.push(path);
      if (deaths.left > 0) {
        deaths.left -= 1;
        return new Promise(() => {}); // the process is gone: nothing is ever heard of it again
      }
      if (input?.fail) throw new GatewayError("not_found", "There is nothing.");
      return { path };
    },
  } as unknown as PortalDeps;
  const area = tasksArea(tools) as Required<ReturnType<typeof tasksArea>>;
  const call = () => callAt(records, { reseller: "acme", client_id: "c-1" }, { now: clock.now() });
  return { area, call, clock, calls, told };
}

const codeOf = async (asked: () => unknown) => {
  try {
    await asked();
    return "ok";
  } catch (thrown) {
    return (thrown as GatewayError).code ?? String(thrown);
  }
};

it.each(stores)(
  "tasks move draft → running → done or failed, every other move is a conflict and changes nothing: %s",
  async (name, open) => {
    const story = async (moves: readonly Move[]) => {
      const deaths = { left: 0 };
      const { records } = await open();
      const { area, call, clock, calls, told } = openArea(records, deaths);
      const ids: string[] = [];
      const models: Model[] = [];
      const settle = (model: Model) => {
        if (model.state === "running" && model.leaseUntil < clock.now()) model.state = "failed";
      };
      for (const { name: move, task, step, path } of moves) {
        const [id, model] = [ids[task % Math.max(1, ids.length)], models[task % Math.max(1, ids.length)]];
        const isFailing = path === "/themefail";
        const input = {
          ...{ description: "d", method: "GET" as const, step_path: isFailing ? "/theme" : path },
          params: isFailing ? { fail: true } : "{}",
        };
        if (move === "wait") await clock.advance(leaseMs + 1);
        else if (move === "create") {
          ids.push((await area.create({ name: "t" }, call())).id);
          models.push({ state: "draft", steps: [], isRead: false, leaseUntil: 0 });
        } else if (id === undefined || model === undefined) continue;
        else if (move === "markRead") {
          await area.markRead({ task_id: id }, call());
          model.isRead = true;
        } else if (move === "setStep" || move === "replaceStep") {
          const step_id = move === "setStep" ? undefined : step;
          const expected =
            model.state !== "draft" ? "conflict" : step_id && step_id > model.steps.length ? "not_found" : "ok";
          expect(
            await codeOf(() => area.setStep({ task_id: id, ...input, ...(step_id ? { step_id } : {}) }, call())),
          ).toBe(expected);
          if (expected === "ok" && step_id === undefined) model.steps.push(path);
          if (expected === "ok" && step_id !== undefined) model.steps[step_id - 1] = path;
        } else if (move === "run") {
          settle(model);
          const before = calls.length;
          const expected = model.state === "draft" ? "ok" : "conflict";
          expect(await codeOf(() => area.run({ task_id: id }, call()))).toBe(expected);
          if (expected === "conflict") expect(calls.length).toBe(before);
          else {
            const failsAt = model.steps.indexOf("/themefail");
            const made = failsAt === -1 ? model.steps.length : failsAt + 1;
            expect(calls.length - before).toBe(made);
            model.state = failsAt === -1 ? "done" : "failed";
            expect(told).toContain(id);
            const steps = await area.steps({ task_id: id }, call());
            expect(steps.map(({ start_at }) => start_at !== null)).toEqual(model.steps.map((_path, at) => at < made));
            expect(steps.map(({ id: own }) => own)).toEqual(model.steps.map((_path, at) => at + 1));
          }
        } else if (move === "die" && model.state === "draft" && model.steps.length > 0) {
          deaths.left = 1;
          void area.run({ task_id: id }, call());
          await new Promise((resolve) => setImmediate(resolve));
          while (deaths.left > 0) await new Promise((resolve) => setImmediate(resolve));
          model.state = "running";
          model.leaseUntil = clock.now() + leaseMs;
        }
        for (const each of models) settle(each);
        const shown = await area.list({}, call());
        expect(shown.map(({ state }) => state)).toEqual(models.map(({ state }) => state));
        expect(shown.map(({ read_at }) => read_at !== null)).toEqual(models.map(({ isRead }) => isRead));
        const unread = await area.list({ unread: true }, call());
        expect(unread.map((each) => each.id)).toEqual(ids.filter((_id, at) => !models[at]?.isRead));
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(anyMove, { minLength: 10, maxLength: 60, size: "max" }), story), {
      numRuns: name === "memory" ? 150 : 30,
    });
  },
  60_000,
);
