import { describe, expect, it } from "vitest";
import { openLocal } from "../../../../contract/local.ts";
import { callAt, stores } from "../../../portal/rig.ts";

describe.each(stores)("deleting a project of the embedded cloud: %s", (_name, open) => {
  it("is refused while a cluster project stands for it, and as ever for who does not see it", async () => {
    const { records } = await open();
    const { iaas, clusters } = await openLocal({ records });
    const call = callAt(records, { reseller: "acme" });
    const { project } = await iaas.createProject({ name: "shop", quota_profile: "default" }, call);
    const other = await iaas.createProject({ name: "other", quota_profile: "default" }, call);
    const project_id = String(project.id);
    const made = await clusters.createProject?.({ project_id, purpose: "testing" }, call);
    const project_name = String(made?.metadata?.name);
    const refused = { code: "conflict", message: expect.stringContaining(`cluster project \`${project_name}\``) };
    await expect(iaas.deleteProject({ project_id }, call)).rejects.toMatchObject(refused);
    const stranger = callAt(records, { reseller: "northwind" });
    await expect(iaas.deleteProject({ project_id }, stranger)).rejects.toMatchObject({ code: "not_found" });
    expect(await iaas.projects({}, call)).toMatchObject([{ enabled: true }, { enabled: true }]);
    await iaas.deleteProject({ project_id: String(other.project.id) }, call);
    await clusters.deleteProject?.({ project_name, force: true }, call);
    await iaas.deleteProject({ project_id }, call);
    expect(await iaas.projects({}, call)).toEqual([]);
  });

  it("that is there no more is not found, whatever cluster project had stood for it", async () => {
    const { records } = await open();
    const { iaas, clusters } = await openLocal({ records });
    const call = callAt(records, {});
    await clusters.createProject?.({ project_id: "gone", purpose: "testing" }, call);
    await expect(iaas.deleteProject({ project_id: "gone" }, call)).rejects.toMatchObject({ code: "not_found" });
  });
});
