import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cephPrincipal } from "../../../adapters/clouds/s3/index.ts";
import { isEmpty, readPolicy, withGrant, withoutGrants } from "../../../adapters/clouds/s3/policy.ts";
import { shareId, shareSeconds } from "../../../adapters/clouds/shared/objectstore/shares.ts";

const anyStatement = fc.record(
  {
    Sid: fc.stringMatching(/^theirs[a-z0-9]{0,6}$/),
    Effect: fc.constantFrom("Allow", "Deny"),
    Principal: fc.oneof(fc.constant("*"), fc.record({ AWS: fc.array(fc.string()) })),
    Action: fc.array(fc.string()),
    Resource: fc.array(fc.string()),
  },
  { requiredKeys: ["Effect"] },
);
const anyPolicy = fc.record({
  Version: fc.constantFrom("2012-10-17", "2008-10-17"),
  Statement: fc.array(anyStatement),
});
const grantOf = (project: string) => ({ id: shareId("b", project), bucket: "b", principal: cephPrincipal(project) });
const anyProject = fc.stringMatching(/^[0-9a-f]{32}$/);

describe("bucket policies", () => {
  it("a share keeps every statement of others, in order, and its end brings back what was there", () => {
    fc.assert(
      fc.property(anyPolicy, anyProject, (policy, project) => {
        const shared = withGrant(readPolicy(JSON.stringify(policy)), grantOf(project));
        expect(shared.Statement?.slice(0, -1)).toEqual(policy.Statement);
        expect(shared.Version).toBe(policy.Version);
        expect(withoutGrants(shared, [grantOf(project).id])).toEqual(policy);
      }),
    );
  });

  it("names the one project in the form that Ceph grants to, and lets it read and no more", () => {
    fc.assert(
      fc.property(anyProject, (project) => {
        const statement = withGrant({}, grantOf(project)).Statement?.[0] as Record<string, unknown>;
        expect(statement.Principal).toEqual({ AWS: [`arn:aws:iam::${project}:root`] });
        expect(statement.Effect).toBe("Allow");
        expect(statement.Action).toEqual(["s3:GetBucketLocation", "s3:ListBucket", "s3:GetObject"]);
        expect(statement.Resource).toEqual(["arn:aws:s3:::b", "arn:aws:s3:::b/*"]);
      }),
    );
  });

  it("sharing with the same project twice is one statement, and each share ends by itself", () => {
    fc.assert(
      fc.property(anyPolicy, fc.uniqueArray(anyProject, { minLength: 2, maxLength: 5 }), (policy, projects) => {
        const twice = [...projects, ...projects].reduce(
          (present, project) => withGrant(present, grantOf(project)),
          readPolicy(JSON.stringify(policy)),
        );
        expect(twice.Statement).toHaveLength(policy.Statement.length + projects.length);
        const [first = "", ...rest] = projects;
        const left = withoutGrants(twice, [grantOf(first).id]);
        expect(left.Statement?.slice(policy.Statement.length).map(({ Sid }) => Sid)).toEqual(
          rest.map((project) => grantOf(project).id),
        );
      }),
    );
  });

  it("a policy of one statement that is no list is read, and one that cannot be read is refused, not replaced", () => {
    expect(readPolicy('{"Statement":{"Effect":"Deny"}}')).toEqual({ Statement: [{ Effect: "Deny" }] });
    expect(isEmpty(readPolicy(undefined))).toBe(true);
    for (const text of ["{", "[]", '{"Statement":"all"}']) {
      expect(() => readPolicy(text)).toThrow(expect.objectContaining({ code: "conflict" }));
    }
  });
});

describe("how long an address is good", () => {
  const now = Date.UTC(2026, 10, 20);

  it("is what was asked for, as seconds or as an instant, and a week at most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 31_536_000 }), (seconds) => {
        const wanted = Math.min(seconds, 604_800);
        expect(shareSeconds(seconds, now)).toBe(wanted);
        expect(shareSeconds(new Date(now + seconds * 1000).toISOString(), now)).toBe(wanted);
      }),
    );
  });

  it("is never nothing: an end in the past is refused", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (ago) => {
        const end = new Date(now - ago).toISOString();
        expect(() => shareSeconds(end, now)).toThrow(
          expect.objectContaining({ code: "invalid_request", param: "expire" }),
        );
      }),
    );
  });
});
