import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reviewShoot } from "../../../../adapters/clouds/local/kubernetes/admission.ts";
import type { StoredKubeObject } from "../../../../adapters/clouds/local/kubernetes/kube-objects.ts";
import { noon } from "../../../portal/support/rig.ts";
import { cloudProfileSpec } from "../../contract/clusters.ts";

const thing = (kind: string, spec: Record<string, unknown>): StoredKubeObject => {
  return { apiVersion: "v1", kind, metadata: { name: "x" }, spec };
};
const profile = thing("CloudProfile", cloudProfileSpec);

interface Wish {
  readonly version: string;
  readonly purpose: string;
  readonly region: string;
  readonly type: string;
  readonly image: string;
  readonly imageVersion: string;
  readonly zone: string;
}

const good: Wish = {
  version: "1.27.5",
  purpose: "testing",
  region: "r1",
  type: "m1.large",
  image: "ubuntu",
  imageVersion: "22.4.0",
  zone: "z1",
};

function shootOf({ version, purpose, region, type, image, imageVersion, zone }: Wish): StoredKubeObject {
  const machine = { type, image: { name: image, version: imageVersion } };
  const workers = [{ name: "default", machine, zones: [zone], minimum: 1, maximum: 2 }];
  return thing("Shoot", { region, purpose, kubernetes: { version }, provider: { type: "openstack", workers } });
}

const review = (wish: Partial<Wish>, former?: Wish) =>
  reviewShoot({ shoot: shootOf({ ...good, ...wish }), former: former && shootOf(former), profile, now: noon });

describe("what the cloud profile knows of a cluster", () => {
  it("is let in", () => {
    expect(review({})).toBeUndefined();
    expect(review({ version: "1.28.1", type: "m1.small", zone: "z2", imageVersion: "22.4.1" })).toBeUndefined();
  });

  it.each(Object.keys(good) as (keyof Wish)[])("is all that is let in: %s", (field) => {
    const known = new Set([...Object.values(good), "1.28.1", "m1.small", "z2", "22.4.1"]);
    const purposes = new Set(["evaluation", "development", "production"]);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        fc.pre(!known.has(value) && !purposes.has(value));
        const refusal = review({ [field]: value });
        expect(refusal?.code).toBe(field === "purpose" ? 422 : 403);
        expect(refusal?.message).toContain("supported values: ");
      }),
    );
  });

  it("no version that has expired, except for a cluster that has it", () => {
    expect(review({ version: "1.26.4" })?.code).toBe(403);
    expect(review({ version: "1.26.4", purpose: "production" }, { ...good, version: "1.26.4" })).toBeUndefined();
  });

  it("no way back to an older version", () => {
    expect(review({ version: "1.27.5" }, { ...good, version: "1.28.1" })).toMatchObject({ code: 422 });
  });

  it("no cluster without a cloud profile or without workers", () => {
    const shoot = shootOf(good);
    expect(reviewShoot({ shoot, profile: undefined, now: noon })?.code).toBe(403);
    const bare = { ...shoot, spec: { ...shoot.spec, provider: { workers: [] } } };
    expect(reviewShoot({ shoot: bare, profile, now: noon })?.code).toBe(403);
  });
});
