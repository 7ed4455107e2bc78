import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { StoredProfile } from "../../../src/operations/records/profiles.ts";
import type { StoredUser } from "../../../src/operations/records/users.ts";
import { permissionSources } from "../../../src/portal/areas/permission-sources.ts";
import { grantsOf, limitToOwner } from "../../../src/portal/identity/permission-sources.ts";
import { allPermissions } from "../../../src/portal/permissions.ts";
import { profilesArea } from "../../../src/portal/profiles/area.ts";
import { depthsOf, grantOf, holdingOf, namedBy } from "../../../src/portal/profiles/effective.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { callAt, forTurns, noon } from "../support/rig.ts";

const names = ["ai-get", "ai-post", "task-get", "quota-get"];

/** A profile over those made before it, as positions: such a graph has no cycle. */
const shape = (size: number) =>
  fc.record({
    inheritable: fc.boolean(),
    parents: fc.uniqueArray(fc.nat({ max: Math.max(0, size - 1) }), { maxLength: size === 0 ? 0 : 3 }),
    entries: fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), enabled: fc.boolean() }), {
      selector: ({ name }) => name,
    }),
  });

const graph = fc.integer({ min: 1, max: 8 }).chain((count) => {
  const shapes = Array.from({ length: count }, (_, position) => shape(position));
  return fc.tuple(...shapes);
});

type Shape = { inheritable: boolean; parents: number[]; entries: { name: string; enabled: boolean }[] };

function toBook(shapes: readonly Shape[]): Map<string, StoredProfile> {
  const common = { created_at: "", reseller: null, client_id: null, hash: "", type: "permission" } as const;
  return new Map(
    shapes.map(({ parents, ...rest }, position) => {
      const id = `p${position}`;
      return [id, { ...common, ...rest, id, name: id, parents: parents.map((parent) => `p${parent}`) }];
    }),
  );
}

test("a profile holds a name exactly if it has it itself or an inheritable parent holds it, and does not disable it", () => {
  fc.assert(
    fc.property(graph, (shapes) => {
      const book = toBook(shapes);
      const holds = (position: number, name: string): boolean => {
        const { entries, parents } = shapes[position] as Shape;
        const own = entries.find((entry) => entry.name === name);
        if (own) return own.enabled;
        return parents.some((parent) => (shapes[parent] as Shape).inheritable && holds(parent, name));
      };
      for (const position of shapes.keys()) {
        const wanted = names.filter((name) => holds(position, name));
        expect([...holdingOf(book, `p${position}`).keys()].sort()).toEqual(wanted.sort());
      }
    }),
  );
});

test("`*` holds every name that there is, and takes away every one", () => {
  fc.assert(
    fc.property(fc.subarray(names), (others) => {
      const entries = [{ name: "*", enabled: true }, ...others.map((name) => ({ name, enabled: false }))];
      const book = toBook([{ inheritable: true, parents: [], entries }]);
      const held = [...holdingOf(book, "p0", names).keys()];
      expect(held).toEqual(names.filter((name) => !others.includes(name)));
      const none = [{ name: "*", enabled: false }];
      const child = toBook([
        { inheritable: true, parents: [], entries },
        { inheritable: true, parents: [0], entries: none },
      ]);
      expect([...holdingOf(child, "p1", names).keys()]).toEqual([]);
    }),
  );
});

test("of a quota that several parents give, the largest counts, and its own limit wins over theirs", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), fc.option(fc.nat()), (limits, own) => {
      const type = "quota" as const;
      const parents = limits.map((limit, position): [string, StoredProfile] => {
        const entries = [{ name: "cores", enabled: true, limit }];
        return [`p${position}`, { ...quota, id: `p${position}`, entries, parents: [], type }];
      });
      const entries = own === null ? [] : [{ name: "cores", enabled: true, limit: own }];
      const child = { ...quota, id: "child", parents: parents.map(([id]) => id), entries, type };
      const book = new Map<string, StoredProfile>([...parents, ["child", child]]);
      expect(grantOf(book, "child", { type }).get("cores")).toBe(own ?? Math.max(...limits));
    }),
  );
});

const quota = { created_at: "", reseller: null, client_id: null, hash: "", name: "", inheritable: true };

/** Which profile is to inherit from which, by position; made in any order, so that cycles are asked for. */
const step = fc.record({ child: fc.nat({ max: 4 }), parents: fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 3 }) });

test("no sequence of changes makes a cycle: what would is refused, and everything else is done", async () => {
  const told = fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
    const { call, area } = await rig();
    const ids: string[] = [];
    for (let position = 0; position < 5; position++) {
      const made = await area.create?.({ name: `p${position}`, profile_type: "permission" }, call);
      ids.push(made?.id ?? "");
    }
    const parentsOf = new Map<number, readonly number[]>(ids.map((_, position) => [position, []]));
    const reaches = (from: number, to: number): boolean =>
      from === to || (parentsOf.get(from) ?? []).some((parent) => reaches(parent, to));
    for (const { child, parents } of steps) {
      const closes = parents.some((parent) => reaches(parent, child));
      const parents_ids = parents.map((parent) => ids[parent] ?? "");
      const outcome = await Promise.resolve(area.change?.({ profile_id: ids[child] ?? "", parents_ids }, call)).then(
        () => "changed",
        (thrown) => (thrown instanceof GatewayError ? thrown.code : "broken"),
      );
      expect(outcome).toBe(closes ? "conflict" : "changed");
      if (!closes) parentsOf.set(child, parents);
      const { records } = await call.records.list("profile", { limit: 100 });
      const book = new Map(records.map(({ record }) => [record.id, record]));
      expect([...depthsOf(book).values()].every(Number.isFinite)).toBe(true);
      expect(namedBy(book.get(ids[child] ?? "") as StoredProfile)).toEqual(
        (parentsOf.get(child) ?? []).map((parent) => ids[parent]),
      );
    }
  });
  await fc.assert(told, { numRuns: 100 });
});

test("what was stored with a cycle all the same is read to an end", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      const book = toBook(Array.from({ length: 5 }, () => ({ inheritable: true, parents: [], entries: [] })));
      for (const { child, parents } of steps) {
        const present = book.get(`p${child}`) as StoredProfile;
        book.set(`p${child}`, { ...present, parents: parents.map((parent) => `p${parent}`) });
      }
      for (const id of book.keys()) expect(holdingOf(book, id).size).toBe(0);
    }),
  );
});

test("a token can do what it and a profile or a role of its owner say, and nothing else, after any assignments", async () => {
  const some = fc.subarray(names);
  const told = fc.asyncProperty(
    fc.array(some, { minLength: 1, maxLength: 4 }),
    fc.array(fc.record({ profile: fc.nat({ max: 3 }), adds: fc.boolean() }), { maxLength: 8 }),
    fc.record({ ofToken: some, ofRole: some }),
    async (contents, changes, { ofToken, ofRole }) => {
      const { call, area, records } = await rig();
      const created_at = new Date(noon).toISOString();
      const common = { created_at, reseller: "acme", client_id: "c-1" };
      await records.put("role", { ...common, id: "rol_1", name: "r", permissions: ofRole }, 0);
      const user: StoredUser = { ...common, ...ann, roles: ["rol_1"] };
      await records.put("user", user, 0);
      const ids: string[] = [];
      for (const [position, content] of contents.entries()) {
        const entries = content.map((name) => ({ name, enabled: true }));
        const made = await area.create?.({ name: `p${position}`, profile_type: "permission", entries }, call);
        ids.push(made?.id ?? "");
      }
      const held = new Set<number>();
      for (const { profile, adds } of changes) {
        const position = profile % ids.length;
        const named = { entity: ann.id, client_id: "c-1", reseller_name: "acme", profile_type: "permission" } as const;
        const input = { ...named, profile_id: ids[position] ?? "" };
        if (adds) await area.assign?.(input, call);
        else if (held.has(position)) await area.unassign?.(input, call);
        if (adds) held.add(position);
        else held.delete(position);
      }
      const granted = await grantsOf(user, records, permissionSources);
      const wanted = new Set([...ofRole, ...[...held].flatMap((position) => contents[position] ?? [])]);
      expect([...granted].sort()).toEqual([...wanted].sort());
      expect([...limitToOwner(ofToken, granted)].sort()).toEqual(ofToken.filter((name) => wanted.has(name)).sort());
    },
  );
  await fc.assert(told, { numRuns: 50 });
});

const ann = { id: "usr_1", user_id: "usr_1", username: "ann", hash: "ann", level: "user", enabled: true } as const;

async function rig() {
  let count = 0;
  const { records } = withPortalKinds(memoryStore());
  const area = profilesArea({ ...forTurns(), newId: (prefix: string) => `${prefix}_${++count}` } as never); // it needs no other tool
  const scope = { reseller: "acme", client_id: "c-1" };
  const caller = { user: { id: "rig", username: "rig" }, scope, permissions: allPermissions, token_id: null };
  return { records, area, call: callAt(records, scope, { caller }) };
}

test("a chain of profiles is as many levels long as it has profiles", () => {
  const chain = fc.integer({ min: 1, max: 30 }).map((length) => {
    const shapes = Array.from({ length }, (_, at) => ({ inheritable: true, entries: [], parents: at ? [at - 1] : [] }));
    return toBook(shapes);
  });
  fc.assert(
    fc.property(chain, (book) => {
      expect([...depthsOf(book).values()]).toEqual(Array.from(book, (_, at) => at + 1));
    }),
  );
});
