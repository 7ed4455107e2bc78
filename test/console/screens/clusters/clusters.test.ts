import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkShootName } from "../../../../adapters/clouds/shared/clusters/names.ts";
import {
  clustersOf,
  compareVersions,
  healthOf,
  isClusterName,
  isOffered,
  roomForName,
  type ShootObject,
  upgradesOf,
} from "../../../../console/src/screens/clusters/cluster.ts";

const version = fc.tuple(fc.nat(3), fc.nat(40), fc.nat(20)).map((numbers) => numbers.join("."));

describe("upgrades of a cluster", () => {
  const offered = fc.array(fc.record({ version, classification: fc.constantFrom("supported", "preview", "expired") }));

  it("are newer, of the same minor version or the next, not expired, and the newest comes first", () => {
    fc.assert(
      fc.property(version, offered, (current, all) => {
        const found = upgradesOf(current, all);
        const [major = 0, minor = 0] = current.split(".").map(Number);
        for (const one of found) {
          const [toMajor, toMinor = 0] = one.version.split(".").map(Number);
          expect(compareVersions(one.version, current)).toBeGreaterThan(0);
          expect([toMajor, toMinor - minor === 0 || toMinor - minor === 1]).toEqual([major, true]);
          expect(one.classification).not.toBe("expired");
        }
        const sorted = [...found].sort((one, other) => compareVersions(other.version, one.version));
        expect(found.map((one) => one.version)).toEqual(sorted.map((one) => one.version));
      }),
    );
  });

  it("leave nothing out that fits", () => {
    const all = ["1.31.4", "1.31.5", "1.32.0", "1.33.0", "2.31.9", "1.31.3", "1.32.10"].map((one) => ({
      version: one,
    }));
    expect(upgradesOf("1.31.4", all).map((one) => one.version)).toEqual(["1.32.10", "1.32.0", "1.31.5"]);
  });

  it("are compared by number, not by letter", () => {
    fc.assert(
      fc.property(version, version, (one, other) => {
        expect(Math.sign(compareVersions(one, other))).toBe(-Math.sign(compareVersions(other, one)) + 0);
        expect(compareVersions(one, one)).toBe(0);
      }),
    );
    expect(compareVersions("1.9.0", "1.10.0")).toBeLessThan(0);
  });
});

describe("the name of a cluster", () => {
  const project = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
  const name = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9-]{0,24}$/), fc.string({ maxLength: 24 }));

  it("is judged as the gateway judges it", () => {
    fc.assert(
      fc.property(name, project, (typed, own) => {
        const isTaken = (() => {
          try {
            checkShootName(typed, own);
            return true;
          } catch {
            return false;
          }
        })();
        expect(isClusterName(typed, own)).toBe(isTaken);
      }),
    );
  });

  it("has what the project's name leaves of 21 characters", () => {
    expect(roomForName("norjqz91")).toBe(13);
    expect(isClusterName("abcdefghijklm", "norjqz91")).toBe(true);
    expect(isClusterName("abcdefghijklmn", "norjqz91")).toBe(false);
  });
});

describe("the state of a cluster", () => {
  const object = (status: ShootObject["status"] & object): ShootObject => ({ metadata: { name: "shop" }, status });

  it.each([
    [{ lastOperation: { state: "Succeeded" } }, "good"],
    [{ lastOperation: { state: "Succeeded" }, conditions: [{ type: "APIServerAvailable", status: "False" }] }, "bad"],
    [{ lastOperation: { state: "Processing" }, conditions: [{ type: "EveryNodeReady", status: "False" }] }, "working"],
    [{ lastOperation: { state: "Failed" } }, "bad"],
    [{ lastOperation: { state: "Succeeded" }, hibernated: true }, "asleep"],
    [{}, "unknown"],
  ])("%j is %s", (status, health) => {
    expect(healthOf(object(status))).toBe(health);
  });
});

it("clusters of all projects come with their namespace and project, by name", () => {
  const project = (name: string, shoots: object[] | undefined) => ({
    kubernetes_cluster_project: { metadata: { name }, spec: { namespace: `garden-${name}` }, shoots },
    iaas_project_name: `${name} project`,
  });
  const shoot = (name: string) => ({ metadata: { name } });
  const found = clustersOf([project("b", [shoot("shop"), shoot("api")]), project("a", undefined), project("c", [])]);
  expect(found.map(({ name, namespace, project: of }) => [name, namespace, of])).toEqual([
    ["api", "garden-b", "b project"],
    ["shop", "garden-b", "b project"],
  ]);
});

it("a version that is past its end, deprecated or expired is not offered", () => {
  const at = Date.UTC(2026, 10, 1);
  expect(isOffered({ version: "1.31.4" }, at)).toBe(true);
  expect(isOffered({ version: "1.31.4", classification: "preview" }, at)).toBe(true);
  expect(isOffered({ version: "1.31.4", expirationDate: "2026-11-01T00:00:00Z" }, at)).toBe(false);
  expect(isOffered({ version: "1.31.4", classification: "deprecated" }, at)).toBe(false);
});
