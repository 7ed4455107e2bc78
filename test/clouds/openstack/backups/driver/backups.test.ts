import { describe, expect, it } from "vitest";
import { backupsOf } from "../../../../../adapters/clouds/openstack/backups/driver.ts";
import { openstack } from "../../../../../adapters/clouds/openstack/index.ts";
import type { WireRequest } from "../../../../../src/engine/ports/transport.ts";
import { fakeClock } from "../../../../../src/testing/clock.ts";
import { patient, type Said, scripted } from "../../../support/openstack/scripted.ts";

const call = { ...patient, now: 0 };
const backup = { id: "b1", status: "available", size: 1, "os-backup-project-attr:project_id": "p-own" };
const target = { kind: "volume", name: "new", availability_zone: "nova", volume_type: "fast" } as const;

/** Answers by method and path behind the version; `states` are the volume's, one per look, the last until it is deleted. */
function cinder(
  states: readonly object[],
  more: Readonly<Record<string, Said | ((request: WireRequest) => Said)>> = {},
) {
  let looks = 0;
  let made: object | undefined;
  const answers: Readonly<Record<string, (request: WireRequest) => Said>> = {
    "GET /backups/b1": () => ({ body: { backup } }),
    "POST /volumes": ({ body }) => {
      made = { id: "v1", metadata: JSON.parse(String(body)).volume.metadata };
      return { status: 202, body: { volume: { id: "v1", status: "creating" } } };
    },
    "GET /volumes/detail": () => ({ body: { volumes: made === undefined ? [] : [made] } }),
    "GET /v2/images": () => ({ body: { images: [] } }),
    "GET /volumes/v1": () => {
      const state = states[Math.min(looks++, states.length - 1)];
      return made === undefined ? { status: 404 } : { body: { volume: { id: "v1", ...state } } };
    },
    "DELETE /volumes/v1": () => {
      made = undefined;
      return { status: 202 };
    },
  };
  const open = scripted(
    (request) => {
      const { method, url } = request;
      const line = `${method} ${new URL(url).pathname.replace("/v3/p-own", "")}`;
      const said = more[line];
      if (typeof said === "function") return said(request);
      return said ?? answers[line]?.(request) ?? { status: 500 };
    },
    { backupTimes: { poll: 1_000, whole: 60_000 }, clock: fakeClock({ runsByItself: true }) },
  );
  return { ...open, driver: backupsOf(open.site) };
}

const lines = ({ requests }: { requests: readonly { method: string; url: string }[] }) =>
  requests.map(({ method, url }) => `${method} ${new URL(url).pathname.replace("/v3/p-own", "")}`);

describe("a new volume from a backup", () => {
  it("is asked for by the backup's id, with the size of the backup", async () => {
    const open = cinder([{ status: "creating" }, { status: "available", metadata: { src_backup_id: "b1" } }]);
    await open.driver.restore("b1", target, call);
    const posted = open.requests.find(({ method }) => method === "POST");
    const wish = { size: 1, name: "new", backup_id: "b1", availability_zone: "nova", volume_type: "fast" };
    expect(JSON.parse(String(posted?.body))).toMatchObject({ volume: wish });
    expect(posted?.headers["openstack-api-version"]).toBe("volume 3.64");
  });

  it("that was seen being restored needs no other proof", async () => {
    const open = cinder([{ status: "restoring-backup" }, { status: "available", metadata: {} }]);
    await open.driver.restore("b1", target, call);
    expect(lines(open)).not.toContain("DELETE /volumes/v1");
  });

  it("that is empty, because Cinder ignored the backup's id, is an error and does not stay", async () => {
    const open = cinder([{ status: "creating" }, { status: "available", metadata: {} }]);
    await expect(open.driver.restore("b1", target, call)).rejects.toThrow("empty volume");
    expect(lines(open)).toContain("DELETE /volumes/v1");
  });

  it("that fails does not stay either; where it cannot be deleted the error says so", async () => {
    const failed = cinder([{ status: "error" }]);
    await expect(failed.driver.restore("b1", target, call)).rejects.toMatchObject({ code: "backend_error" });
    expect(lines(failed)).toContain("DELETE /volumes/v1");
    const stuck = cinder([{ status: "error" }], { "DELETE /volumes/v1": { status: 500 } });
    await expect(stuck.driver.restore("b1", target, call)).rejects.toThrow(
      /What was made for it could not all be deleted/,
    );
  });

  it("whose making was not answered is found by its mark, and waited for", async () => {
    let mark = {};
    const open = cinder([], {
      "POST /volumes": ({ body }) => {
        mark = JSON.parse(String(body)).volume.metadata;
        return { status: 504 };
      },
      "GET /volumes/detail": () => {
        const elder = { id: "elder", name: "new", metadata: {} };
        return { body: { volumes: [elder, { id: "v1", name: "new", metadata: mark }] } };
      },
      "GET /volumes/v1": { body: { volume: { id: "v1", status: "available", metadata: { src_backup_id: "b1" } } } },
    });
    await open.driver.restore("b1", target, call);
    expect(lines(open).filter((line) => line.startsWith("POST"))).toEqual(["POST /volumes"]);
  });

  it("microversions below what it needs are refused when the cloud is opened", () => {
    const credentials = { username: "a", password: "b" };
    const open = (microversions: object) =>
      openstack({ authUrl: "http://identity.test/v3", credentials, microversions });
    for (const volume of ["3.46", "3.0", "2.99", "newest"]) {
      expect(() => open({ volume })).toThrow(expect.objectContaining({ param: "microversions.volume" }));
    }
    for (const volume of ["3.47", "3.70"]) expect(() => open({ volume })).not.toThrow();
    expect(() => open({ compute: "2.46" })).toThrow(expect.objectContaining({ param: "microversions.compute" }));
  });
});

describe("a backup", () => {
  it("whose beginning was not answered is found by its mark and removed", async () => {
    const volume = { id: "v9", "os-vol-tenant-attr:tenant_id": "p-own" };
    let looks = 0;
    const open = cinder([], {
      "GET /volumes/v9": { body: { volume } },
      "GET /backups/detail": () => {
        const begun = { id: "b9", status: "creating", metadata: { tollgate_backup: "bkp_1" } };
        const other = { id: "b8", status: "creating", metadata: { tollgate_backup: "bkp_2" } };
        return { body: { backups: looks++ === 0 ? [other] : [other, begun] } };
      },
      "POST /backups": { status: 504 },
      "POST /backups/b9/action": { status: 202 },
    });
    const job = { backup_id: "bkp_1", resource_id: "v9", resource_type: "volume", is_full: true };
    await expect(open.driver.create(job, call)).rejects.toMatchObject({ code: "backend_error" });
    expect(lines(open).slice(-2)).toEqual(["GET /backups/detail", "POST /backups/b9/action"]);
  });

  it("that takes longer than it may is removed, and its end is a deadline's", async () => {
    const volume = { id: "v9", "os-vol-tenant-attr:tenant_id": "p-own" };
    const open = cinder([], {
      "GET /volumes/v9": { body: { volume } },
      "GET /backups/detail": { body: { backups: [] } },
      "POST /backups": { status: 202, body: { backup: { id: "b9" } } },
      "GET /backups/b9": { body: { backup: { id: "b9", status: "creating" } } },
      "POST /backups/b9/action": { status: 202 },
    });
    const job = { backup_id: "bkp_1", resource_id: "v9", resource_type: "volume", is_full: true };
    await expect(open.driver.create(job, call)).rejects.toMatchObject({ code: "backend_timeout" });
    expect(lines(open).at(-1)).toBe("POST /backups/b9/action");
  });
});

describe("a new image from a backup", () => {
  const ready = { status: "available", metadata: { src_backup_id: "b1" } };
  /** Glance tells these statuses, one per look. */
  function glance(statuses: readonly string[]) {
    let looks = 0;
    return cinder([{ status: "creating" }, ready, ready], {
      "POST /volumes/v1/action": { body: { "os-volume_upload_image": { image_id: "i1" } } },
      "GET /v2/images/i1": () => {
        const status = statuses[looks++];
        return status === undefined ? { status: 404 } : { body: { id: "i1", status } };
      },
    });
  }
  const restore = ({ driver }: ReturnType<typeof glance>) => driver.restore("b1", { kind: "image", name: "new" }, call);

  it("is waited for until it is there, and the volume that it is made of goes again", async () => {
    const open = glance(["queued", "saving", "importing", "active"]);
    await restore(open);
    expect(lines(open).filter((line) => line.includes("/images/"))).toHaveLength(4);
    expect(lines(open)).toContain("DELETE /volumes/v1");
  });

  it.each([["killed"], [undefined]])("that is %s after its upload is an error, and no volume stays", async (status) => {
    const open = glance(["saving", ...(status === undefined ? [] : [status])]);
    await expect(restore(open)).rejects.toThrow(`the image is ${status ?? "gone"}, its upload failed`);
    expect(lines(open)).toContain("DELETE /volumes/v1");
  });
});
