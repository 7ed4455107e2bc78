import { describe, expect, it } from "vitest";
import { callAt, noon, stores } from "../../../portal/support/rig.ts";
import { openLocal } from "../../support/local.ts";

const client = { reseller: "acme", client_id: "c-1" };
const stranger = { reseller: "acme", client_id: "c-2" };

describe.each(stores)("load balancers of the embedded cloud: %s", (_name, open) => {
  async function rig() {
    const { records } = await open();
    let now = noon;
    const clock = { now: () => now, after: () => () => {} };
    const cloud = await openLocal({ records, clock, quotaProfiles: { tiny: { load_balancer: 1 } } });
    const [owner, other] = [callAt(records, client), callAt(records, stranger)];
    const project_id = String(
      (await cloud.iaas.createProject({ name: "shop", quota_profile: "tiny" }, owner)).project.id,
    );
    await cloud.inventory.put("networks", "net-1", { id: "net-1", name: "shop-net", project_id, shared: false });
    await cloud.inventory.put("networks", "net-2", { id: "net-2", name: "theirs", project_id: "p-2", shared: false });
    const pass = (seconds: number) => {
      now += seconds * 1_000;
    };
    const balancers = async () =>
      (await cloud.iaas.loadBalancers({}, owner)).loadbalancers as Readonly<Record<string, unknown>>[];
    return { cloud, owner, other, project_id, pass, balancers };
  }
  const asked = { name: "web", network_id: "net-1" };

  it("one is built, serves, and is deleted with its parts, each after its time", async () => {
    const { cloud, owner, project_id, pass, balancers } = await rig();
    const { id, status } = await cloud.iaas.createLoadBalancer({ project_id, ...asked }, owner);
    expect(status).toBe("PENDING_CREATE");
    expect(await balancers()).toMatchObject([
      { id, name: "web", provisioning_status: "PENDING_CREATE", operating_status: "OFFLINE", vip_network_id: "net-1" },
    ]);
    await expect(cloud.iaas.deleteLoadBalancer({ loadbalancer_id: id }, owner)).rejects.toMatchObject({
      code: "conflict",
    });
    pass(15);
    const [built] = await balancers();
    expect(built).toMatchObject({ provisioning_status: "ACTIVE", operating_status: "ONLINE" });
    expect(Object.keys(built ?? {})).not.toContain("status");
    await cloud.inventory.put("listeners", "l-1", { id: "l-1", name: "http", project_id, loadbalancer_id: id });
    await cloud.iaas.deleteLoadBalancer({ loadbalancer_id: id }, owner);
    expect(await balancers()).toMatchObject([{ provisioning_status: "PENDING_DELETE" }]);
    expect((await cloud.iaas.loadBalancers({}, owner)).listeners).toEqual([]);
    pass(5);
    expect(await balancers()).toEqual([]);
  });

  it("what is not the project's, over its quota or another's is refused", async () => {
    const { cloud, owner, other, project_id, pass } = await rig();
    const { iaas } = cloud;
    const elsewhere = iaas.createLoadBalancer({ project_id, name: "web", network_id: "net-2" }, owner);
    await expect(elsewhere).rejects.toMatchObject({ code: "invalid_request", param: "network_id" });
    await expect(iaas.createLoadBalancer({ project_id, ...asked }, other)).rejects.toMatchObject({ code: "not_found" });
    const { id } = await iaas.createLoadBalancer({ project_id, ...asked }, owner);
    await expect(iaas.createLoadBalancer({ project_id, ...asked }, owner)).rejects.toMatchObject({
      code: "quota_exceeded",
    });
    pass(15);
    await expect(iaas.deleteLoadBalancer({ loadbalancer_id: id }, other)).rejects.toMatchObject({ code: "not_found" });
  });

  it("some fail where that was planned, and stay in `ERROR`", async () => {
    const { cloud, owner, project_id, pass, balancers } = await rig();
    await cloud.planFaults({ seed: "a seed", one_in: 2 });
    const ends = new Set<unknown>();
    for (let turn = 0; turn < 12 && ends.size < 2; turn++) {
      const { id } = await cloud.iaas.createLoadBalancer({ project_id, ...asked }, owner);
      pass(15);
      const [made] = await balancers();
      ends.add(`${made?.provisioning_status} ${made?.operating_status}`);
      await cloud.iaas.deleteLoadBalancer({ loadbalancer_id: id }, owner);
      pass(5);
    }
    expect([...ends].sort()).toEqual(["ACTIVE ONLINE", "ERROR OFFLINE"]);
  });
});
