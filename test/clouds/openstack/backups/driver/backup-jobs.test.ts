import { describe, expect, it } from "vitest";
import { backupsOf } from "../../../../../adapters/clouds/openstack/backups/driver.ts";
import type { WireRequest } from "../../../../../src/engine/ports/transport.ts";
import { fakeClock } from "../../../../../src/testing/clock.ts";
import { patient, type Said, scripted, tokenSaid } from "../../../support/openstack/scripted.ts";

const call = { ...patient, now: 0 };
const volume = { id: "v9", status: "available", "os-vol-tenant-attr:tenant_id": "p-own" };
const project = { "os-backup-project-attr:project_id": "p-own" };

/** A Cinder that answers by method and path behind the version. */
function cinder(answers: Readonly<Record<string, Said | ((request: WireRequest) => Said)>>, roles = ["admin"]) {
  const open = scripted(
    (request) => {
      const said = answers[`${request.method} ${new URL(request.url).pathname.replace("/v3/p-own", "")}`];
      return (typeof said === "function" ? said(request) : said) ?? { status: 500 };
    },
    {
      backupTimes: { poll: 1_000, whole: 60_000 },
      clock: fakeClock({ runsByItself: true }),
      onToken: () => {
        const said = tokenSaid("token-1");
        const { token } = said.body as { token: object };
        return { ...said, body: { token: { ...token, roles: roles.map((name) => ({ name })) } } };
      },
    },
  );
  return { ...open, driver: backupsOf(open.site) };
}

const bodies = ({ requests }: { requests: readonly WireRequest[] }, method: string) =>
  requests.filter((one) => one.method === method).map(({ body }) => JSON.parse(String(body ?? "{}")));

describe("an incremental backup", () => {
  const made = (id: string, data_timestamp: string) => ({ id, status: "available", volume_id: "v9", data_timestamp });
  async function incremental(present: readonly object[]) {
    const open = cinder({
      "GET /volumes/v9": { body: { volume } },
      "GET /backups/detail": { body: { backups: present } },
      "POST /backups": { status: 202, body: { backup: { id: "b9" } } },
      "GET /backups/b9": { body: { backup: { id: "b9", status: "available", size: 1, is_incremental: false } } },
    });
    const job = { backup_id: "bkp_1", resource_id: "v9", resource_type: "volume", is_full: false, parent: "b1" };
    const { is_full } = await open.driver.create(job, call);
    expect(is_full).toBe(true); // what Cinder says of it, whatever was asked for
    return bodies(open, "POST").map(({ backup }) => backup.incremental);
  }

  it("is asked for where the newest of the volume is its parent", async () => {
    expect(await incremental([made("b0", "2026-01-01T00:00:00.1"), made("b1", "2026-01-02T00:00:00.1")])).toEqual([
      true,
    ]);
  });

  it("is a full one where Cinder would build it on another: of another zone, or made by somebody else", async () => {
    expect(await incremental([made("b1", "2026-01-02T00:00:00.1"), made("b2", "2026-01-02T00:00:00.2")])).toEqual([
      false,
    ]);
    expect(await incremental([])).toEqual([false]);
  });
});

it("backups are not listed with a token to which Cinder would hide those of other projects", async () => {
  const own = { "GET /backups/detail": { body: { backups: [] } } };
  expect(await cinder(own).driver.list(call)).toEqual([]);
  await expect(cinder(own, ["member"]).driver.list(call)).rejects.toMatchObject({ code: "backend_error" });
});

describe("a restore whose process has died", () => {
  const target = { kind: "volume", name: "new", availability_zone: "nova", volume_type: "fast" } as const;

  it("goes on with the new volume that the job has begun, and makes no second one", async () => {
    const begun = { id: "v1", metadata: { tollgate_restore: "rst_1" } };
    let looks = 0;
    const open = cinder({
      "GET /backups/b1": { body: { backup: { id: "b1", status: "available", size: 1, ...project } } },
      "GET /volumes/detail": { body: { volumes: [{ id: "v0", metadata: { tollgate_restore: "rst_0" } }, begun] } },
      "GET /volumes/v1": () => ({
        body: { volume: { ...begun, status: ["restoring-backup", "available"][looks++] ?? "available" } },
      }),
    });
    await open.driver.restore("b1", target, { ...call, job: "rst_1" });
    expect(bodies(open, "POST")).toEqual([]);
  });

  it("marks the volume that it makes with its own id", async () => {
    const open = cinder({
      "GET /backups/b1": { body: { backup: { id: "b1", status: "available", size: 1, ...project } } },
      "GET /volumes/detail": { body: { volumes: [] } },
      "POST /volumes": { status: 202, body: { volume: { id: "v1" } } },
      "GET /volumes/v1": { body: { volume: { id: "v1", status: "available", metadata: { src_backup_id: "b1" } } } },
    });
    await open.driver.restore("b1", target, { ...call, job: "rst_1" });
    expect(bodies(open, "POST")[0].volume.metadata).toEqual({ tollgate_restore: "rst_1" });
  });

  it("over a volume waits for what Cinder still does before it begins anew", async () => {
    const states = ["restoring", "restoring", "available"];
    let looks = 0;
    const open = cinder({
      "GET /backups/b1": () => ({
        body: { backup: { id: "b1", status: states[looks++] ?? "available", size: 1, ...project } },
      }),
      "GET /volumes/v9": { body: { volume } },
      "POST /backups/b1/restore": { status: 202, body: {} },
    });
    await open.driver.restore("b1", { kind: "source", resource_id: "v9" }, { ...call, job: "rst_1" });
    expect(looks).toBeGreaterThan(3);
    expect(bodies(open, "POST")).toEqual([{ restore: { volume_id: "v9" } }]);
  });
});

it("what can be known before a restore is told without changing anything", async () => {
  const open = cinder({
    "GET /backups/b1": { body: { backup: { id: "b1", status: "available", ...project } } },
    "GET /volumes/v9": { body: { volume: { ...volume, status: "in-use" } } },
  });
  const over = { kind: "source", resource_id: "v9" } as const;
  await expect(open.driver.checkRestore?.("b1", over, call)).rejects.toMatchObject({ code: "conflict" });
  expect(open.requests.every(({ method }) => method === "GET")).toBe(true);
});
