import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { callerAt, client, openOffice } from "../../portal/support/areas/ai/office.ts";

/** One move; numbers pick among the keys and projects that were made. */
const anyMove = fc.record({
  name: fc.constantFrom(
    ...(["createKey", "createProject", "deleteKey", "switchKey", "moveKey", "takeOut"] as const),
    ...(["toggleProject", "deleteProject", "switchUser"] as const),
  ),
  key: fc.nat(9),
  project: fc.nat(9),
  flag: fc.boolean(),
  isBound: fc.boolean(),
});
type Move = typeof anyMove extends fc.Arbitrary<infer M> ? M : never;

/** What is known of a key and of a project by their moves alone. */
interface Key {
  readonly value: string;
  active: boolean;
  readonly isBound: boolean;
  project: string | undefined;
}

interface Model {
  readonly keys: Map<string, Key>;
  readonly projects: Map<string, { disabled: boolean }>;
  readonly gone: string[];
  isUserEnabled: boolean;
}

function isBlocked({ projects, isUserEnabled }: Model, { active, isBound, project }: Key): boolean {
  return !active || (isBound && !isUserEnabled) || (project !== undefined && projects.get(project)?.disabled === true);
}

const opened: readonly [string, number, () => Promise<Store> | Store][] = [
  ["memory", 40, () => memoryStore()],
  ["sqlite", 10, () => sqliteStore(":memory:")],
];

it.each(opened)(
  "keys and projects move as they are told, a project with keys stays, and calls see every move at once: %s",
  async (_name, numRuns, open) => {
    const story = async (moves: readonly Move[]) => {
      const office = await openOffice(await open(), { tiers: { t: { llms: ["*"] } } });
      await office.addUser("usr_p", client);
      const { ai, users } = office.portal.as(callerAt(client));
      const model: Model = { keys: new Map(), projects: new Map(), gone: [], isUserEnabled: true };
      const codeOf = (asked: Promise<unknown>) =>
        asked.then(
          () => "ok",
          (thrown) => thrown.code,
        );
      let names = 0;
      for (const move of moves) await expectMove(move);
      await office.engine.close();

      async function expectMove({ name, key: k, project: p, flag, isBound }: Move): Promise<void> {
        const { keys, projects } = model;
        const [key_id = "none", key] = [...keys][k % Math.max(1, keys.size)] ?? [];
        const [ai_project_id = "none", project] = [...projects][p % Math.max(1, projects.size)] ?? [];
        const known = (record: unknown) => (record ? "ok" : "not_found");
        if (name === "createProject") {
          const [made] = await ai.createProject({ name: `p${++names}`, description: "", tier: "t" });
          if (made) projects.set(made.id, { disabled: false });
        } else if (name === "createKey") {
          const draft = { name: `k${++names}`, description: "", tier: "t", user_bound: isBound, user: "usr_p" };
          const given = flag && project ? { project_id: ai_project_id } : {};
          const { id, value } = await ai.createKey({ ...draft, ...given });
          keys.set(id, { value, active: true, isBound, project: given.project_id });
        } else if (name === "switchUser") {
          await (flag ? users.enable({ user_id: "usr_p" }) : users.disable({ user_id: "usr_p" }));
          model.isUserEnabled = flag;
        } else if (name === "deleteKey") {
          expect(await codeOf(ai.deleteKey({ key_id }))).toBe(known(key));
          if (key) model.gone.push(key.value);
          keys.delete(key_id);
        } else if (name === "switchKey") {
          expect(await codeOf(ai.changeKey({ key_id, active: flag }))).toBe(known(key));
          if (key) key.active = flag;
        } else if (name === "moveKey") {
          expect(await codeOf(ai.assignKey({ key_id, project_id: ai_project_id }))).toBe(known(key && project));
          if (key && project) key.project = ai_project_id;
        } else if (name === "takeOut") {
          const isIn = key?.project === ai_project_id && project;
          expect(await codeOf(ai.changeProject({ ai_project_id, remove: [key_id] }))).toBe(known(isIn));
          if (key && isIn) key.project = undefined;
        } else if (name === "toggleProject") {
          expect(await codeOf(ai.toggleProject({ ai_project_id }))).toBe(known(project));
          if (project) project.disabled = !project.disabled;
        } else {
          const isNeeded = [...keys.values()].some((one) => one.project === ai_project_id);
          expect(await codeOf(ai.deleteProject({ ai_project_id }))).toBe(isNeeded ? "conflict" : known(project));
          if (!isNeeded) projects.delete(ai_project_id);
        }
        await expectModel();
      }

      async function expectModel(): Promise<void> {
        const shown = await ai.keys({});
        expect(shown.map(({ id, project_id, is_active }) => [id, project_id, is_active]).sort()).toEqual(
          [...model.keys]
            .map(([id, key]) => [id, key.project, key.active && !(key.isBound && !model.isUserEnabled)])
            .sort(),
        );
        expect((await ai.projects({})).map(({ id, disabled }) => [id, disabled]).sort()).toEqual(
          [...model.projects].map(([id, { disabled }]) => [id, disabled]).sort(),
        );
        for (const key of model.keys.values())
          expect(await office.chat(key.value)).toBe(isBlocked(model, key) ? "virtual_key_blocked" : "ok");
        for (const value of model.gone) expect(await office.chat(value)).toBe("virtual_key_not_found");
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(anyMove, { minLength: 5, maxLength: 25 }), story), { numRuns });
  },
);
