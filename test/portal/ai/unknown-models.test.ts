import { describe, expect, it } from "vitest";
import { Budget } from "../../../src/engine/api/governance.ts";
import { callerAt, client, openOffice } from "../support/areas/ai/office.ts";
import { stores } from "../support/rig.ts";

const draft = { name: "crawler", description: "d", tier: "full", user_bound: false };
const note = "one/lagre matches no known model. Did you mean one/large?";
const budget = (models: string[]) => Budget.parse({ max_limit: 1, reset_duration: "1M", models });

describe.each(stores)("patterns that match no known model: %s", (_name, open) => {
  it("are told by the portal beside the answer", async () => {
    const { portal } = await openOffice(await open());
    const told: (readonly string[])[] = [];
    const { ai } = portal.as(callerAt(client), { onWarnings: (warnings) => told.push(warnings) });
    const { id } = await ai.createKey({ ...draft, llms: ["one/lagre", "two/*"] });
    await ai.changeKey({ key_id: id, llms: ["one/*", "two/free"] });
    await ai.changeKey({ key_id: id, budgets: [budget(["one/lagre"])] });
    const [project] = await ai.createProject({ name: "p", description: "d", tier: "full" });
    await ai.changeProject({ ai_project_id: project?.id ?? "", llms: ["noe/*"] });
    expect(told).toEqual([[note], [note], ["noe/* matches no known model. Did you mean one/*?"]]);
  });

  it("are told in the results of the engine's functions, and only for what is given", async () => {
    const { engine } = await openOffice(await open());
    const entry = { provider: "one", allowed_models: ["lagre"], budgets: [budget(["small"])] };
    const { key, warnings } = await engine.keys.create({ name: "k", provider_configs: [entry] });
    expect(warnings).toEqual([note]);
    expect(await engine.keys.update(key.id, { name: "other" })).not.toHaveProperty("warnings");
    expect(await engine.keys.get(key.id)).not.toHaveProperty("warnings");
    expect(await engine.projects.create({ name: "p", llms: ["one/lagre", "lab/any", "*"] })).toMatchObject({
      warnings: [note],
    });
    const right = [{ provider: "one", allowed_models: ["*"] }];
    expect(await engine.keys.update(key.id, { provider_configs: right })).not.toHaveProperty("warnings");
  });
});
