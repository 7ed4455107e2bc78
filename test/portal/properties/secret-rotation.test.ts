import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import type { RecordKinds, Records } from "../../../src/engine/ports/records.ts";
import { keyPairPlace, localPlace, stepPlace } from "../../../src/portal/call/sealed-places.ts";
import { createSecrets, type Secrets } from "../../../src/portal/call/secrets.ts";
import { resealStore } from "../../../src/portal/reseal.ts";
import { rotateSecret } from "../../../src/server/portal/rotate-secret.ts";
import { readSecrets } from "../../../src/server/portal/secret.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";
import { makeFolder } from "../../clouds/support/local.ts";
import { sealFirst } from "../../fixtures/first-seal.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { stores } from "../support/rig.ts";

const [before, today] = ["the secret of before", "the secret of today!"];
const old = createSecrets(before, randomBytes);
const both = createSecrets(today, randomBytes, [before]);
const fresh = createSecrets(today, randomBytes);

/** How a value is sealed when the rotation begins. */
const forms = {
  first: (plain: string) => sealFirst(plain, before),
  "under the old secret": (plain: string, place: string) => old.seal(plain, place),
  "under the new secret": (plain: string, place: string) => both.seal(plain, place),
} as const satisfies Record<string, (plain: string, place: string) => string>;

const value = fc.record({
  form: fc.constantFrom(...(Object.keys(forms) as (keyof typeof forms)[])),
  plain: fc.string(),
});
type Value = typeof value extends fc.Arbitrary<infer Made> ? Made : never;

const sealed = ({ form, plain }: Value, place: string) => forms[form](plain, place);
const common = { created_at: "2026-11-20T00:00:00.000Z", reseller: null, client_id: null };

/** The records of a store; each value is one sealed field. */
const content = fc.record({
  pairs: fc.array(value, { maxLength: 4 }),
  tasks: fc.array(fc.array(fc.record({ params: value, response: fc.option(value) }), { maxLength: 3 }), {
    maxLength: 3,
  }),
  things: fc.array(fc.record({ blob: fc.option(value), data: fc.option(value) }), { maxLength: 3 }),
});
type Content = typeof content extends fc.Arbitrary<infer Made> ? Made : never;

type SealedRecords = { readonly [Kind in "keypair" | "task" | "local_thing"]: RecordKinds[Kind][] };

function recordsOf({ pairs, tasks, things }: Content): SealedRecords {
  return {
    keypair: pairs.map((pair, n) => {
      const id = `p-${n}`;
      return { id, ...common, access_key: "AK", sealed_secret_key: sealed(pair, keyPairPlace(id)) };
    }),
    task: tasks.map((steps, n) => {
      const id = `t-${n}`;
      return {
        ...{ id, ...common, name: id, owner: "usr_admin", state: "draft" as const, start_at: null, ended_at: null },
        ...{ read_at: null, lease_until: null },
        steps: steps.map(({ params, response }, at) => ({
          ...{ id: at + 1, description: "", method: "GET" as const, path: "/ai/keys", start_at: null, ended_at: null },
          sealed_params: sealed(params, stepPlace(id, at + 1, "params")),
          sealed_response: response && sealed(response, stepPlace(id, at + 1, "response")),
        })),
      };
    }),
    local_thing: things.map(({ blob, data }, n) => {
      const id = `eu-1/credentials/c-${n}`;
      const fields = {
        ...(blob && { blob: sealed(blob, localPlace(id, "blob")) }),
        ...(data && { data: sealed(data, localPlace(id, "data")) }),
      };
      return { id, ...common, collection: "eu-1/credentials", body: { name: "v1.29.0", ...fields } };
    }),
  };
}

/** Every sealed value of a store, opened. */
async function openAll(records: Records, secrets: Secrets): Promise<string[]> {
  const all = { limit: 100 };
  const pairs = (await records.list("keypair", all)).records.map(({ record: { id, sealed_secret_key } }) =>
    secrets.open(sealed_secret_key, keyPairPlace(id)),
  );
  const steps = (await records.list("task", all)).records.flatMap(({ record }) =>
    record.steps.flatMap(({ id, sealed_params, sealed_response }) => [
      secrets.open(sealed_params, stepPlace(record.id, id, "params")),
      ...(sealed_response === null ? [] : [secrets.open(sealed_response, stepPlace(record.id, id, "response"))]),
    ]),
  );
  const things = (await records.list("local_thing", all)).records.flatMap(({ record: { id, body } }) =>
    (["blob", "data"] as const).flatMap((field) => {
      const text = body[field];
      return typeof text === "string" ? [secrets.open(text, localPlace(id, field))] : [];
    }),
  );
  return [...pairs, ...steps, ...things];
}

async function fill(records: Records, made: Content): Promise<void> {
  for (const [kind, list] of Object.entries(recordsOf(made)) as [keyof SealedRecords, never[]][]) {
    for (const record of list) await records.put(kind, record, 0);
  }
}

/** The store for a process that dies: after so many calls nothing is heard of it, the last of them may have been done. */
function dying(records: Records, life: number, isDone: boolean): Records {
  let left = life;
  const limited =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (left-- > 0) return call(...args);
      if (left === -1 && isDone) call(...args);
      throw new Error("the process died");
    };
  return { ...records, get: limited(records.get), put: limited(records.put), list: limited(records.list) };
}

describe.each(stores)("a rotation over %s", (_name, open) => {
  it("that dies anywhere, any number of times, loses no value and is complete when it is run to its end", () =>
    fc.assert(
      fc.asyncProperty(
        content,
        fc.array(fc.record({ life: fc.nat(30), isDone: fc.boolean() }), { maxLength: 4 }),
        async (made, deaths) => {
          const { records } = await open();
          for (const kind of ["keypair", "task", "local_thing"] as const) await clear(records, kind);
          await fill(records, made);
          const plain = await openAll(records, both);
          for (const { life, isDone } of deaths) {
            await resealStore(dying(records, life, isDone), both).catch(() => {});
            expect(await openAll(records, both)).toEqual(plain);
          }
          expect((await resealStore(records, both)).unreadable).toBe(0);
          expect(await openAll(records, fresh)).toEqual(plain);
          expect(await resealStore(records, fresh)).toEqual({ sealed: 0, current: plain.length, unreadable: 0 });
        },
      ),
      { numRuns: 100 },
    ));

  it("leaves what no secret opens as it is, and counts it", async () => {
    const { records } = await open();
    for (const kind of ["keypair", "task", "local_thing"] as const) await clear(records, kind);
    const foreign = createSecrets("a secret of nobody here", randomBytes).seal("hush", keyPairPlace("p-1"));
    await records.put("keypair", { id: "p-1", ...common, access_key: "AK", sealed_secret_key: foreign }, 0);
    expect(await resealStore(records, both)).toEqual({ sealed: 0, current: 0, unreadable: 1 });
    expect((await records.get("keypair", "p-1"))?.record.sealed_secret_key).toBe(foreign);
  });

  it("does not undo what a gateway changes meanwhile", async () => {
    const { records } = await open();
    for (const kind of ["keypair", "task", "local_thing"] as const) await clear(records, kind);
    const pair = (text: string) => ({ id: "p-1", ...common, access_key: "AK", sealed_secret_key: text });
    await records.put("keypair", pair(old.seal("hush", keyPairPlace("p-1"))), 0);
    let isChanged = false;
    const busy: Records = {
      ...records,
      async put(kind, record, expected) {
        if (!isChanged) await records.put("keypair", pair(old.seal("louder", keyPairPlace("p-1"))), 1);
        isChanged = true;
        return records.put(kind, record, expected);
      },
    };
    await resealStore(busy, both);
    expect(await openAll(records, fresh)).toEqual(["louder"]);
  });
});

async function clear(records: Records, kind: keyof SealedRecords): Promise<void> {
  for (const { record } of (await records.list(kind, { limit: 100 })).records) await records.remove(kind, record.id);
}

describe("tollgate secret rotate", () => {
  it("over a store file keeps both secrets until --finish, however often it is run", async () => {
    const folder = await makeFolder();
    const terminal = fakeTerminal({ folder });
    const place = keyPairPlace("p-1");
    const store = withPortalKinds(sqliteStore(join(folder, "tollgate.db")));
    const { secret: first } = readSecrets(terminal, "tollgate.db");
    const sealedFirst = createSecrets(first, randomBytes).seal("hush", place);
    await store.records.put("keypair", { id: "p-1", ...common, access_key: "AK", sealed_secret_key: sealedFirst }, 0);
    const lines = () => readFileSync(join(folder, "tollgate.db.secret"), "utf8").trim().split("\n");
    const opened = async ({ secret, previousSecrets }: ReturnType<typeof readSecrets>) => {
      const text = (await store.records.get("keypair", "p-1"))?.record.sealed_secret_key ?? "";
      return createSecrets(secret, randomBytes, previousSecrets).open(text, place);
    };
    for (const again of [1, 2]) {
      expect(await rotateSecret(terminal, {})).toBe(0);
      expect(lines()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), first]);
      expect(terminal.written.out).toContain(again === 1 ? "1 encrypted anew, 0 already were" : "0 encrypted anew, 1");
    }
    expect(await opened(readSecrets(terminal, "tollgate.db"))).toBe("hush");
    expect(await rotateSecret(terminal, { finish: true })).toBe(0);
    expect(lines()).toHaveLength(1);
    expect(await opened(readSecrets(terminal, "tollgate.db"))).toBe("hush");
    await store.close();
  });

  it("with secrets of the environment reads with both and writes with the new one", async () => {
    const folder = await makeFolder();
    const store = withPortalKinds(sqliteStore(join(folder, "tollgate.db")));
    await fill(store.records, { pairs: [{ form: "first", plain: "hush" }], tasks: [], things: [] });
    const env = { TOLLGATE_SECRET: today, TOLLGATE_SECRET_PREVIOUS: before };
    const blind = fakeTerminal({ folder, env: { TOLLGATE_SECRET: today } });
    expect(await rotateSecret(blind, {})).toBe(1);
    expect(blind.written.out).toContain("1 cannot be read");
    expect(await rotateSecret(fakeTerminal({ folder, env }), {})).toBe(0);
    expect(await openAll(store.records, fresh)).toEqual(["hush"]);
    await store.close();
  });
});
