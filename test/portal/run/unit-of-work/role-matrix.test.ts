import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { createEngine, createFetch } from "../../../../src/index.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { openUnit } from "../../../../src/portal/run/unit-of-work.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { openLocal } from "../../../clouds/support/local.ts";
import { isDeep, sample, sampledBy } from "../../../tiers/depth.ts";
import { bodies, endpoint } from "../../support/demo-bodies.ts";
import { type DemoWorld, demoTools, openDemo, region, rows, rowsOfBakery } from "../../support/demo-world.ts";
import { webhooks } from "../../support/gateway.ts";
import { noon } from "../../support/rig.ts";

/**
 * Makes a call upon the demo as it is when it begins: the call's own writes are laid over the store, and dropped with it. Returns `ok`,
 * with the number of elements of a list, or the status and the code of the refusal.
 */
async function outcomeOf(world: DemoWorld, { id, operation }: (typeof rows)[number], token: string): Promise<string> {
  const store = { ...world.store, records: openUnit(world.store.records).records };
  // Backups are jobs, which do not run while the clock stands still: only deletions of objects change the folder.
  const cloud = await openLocal({ records: store.records, endpoint, folder: world.folder });
  const clock = fakeClock({ startAt: noon });
  const cache = { answers: await world.openCache() };
  const engine = createEngine({ providers: [local()], store, clock, cache, mcp: demoTools });
  const secret = "a secret of the tests";
  const portal = createPortal({
    engine,
    store,
    regions: { [region]: cloud },
    clock,
    entropy: randomBytes,
    secret,
    webhooks,
  });
  const fetch = createFetch(engine, { portal });
  const { method, path } = operation;
  const hasBody = id in bodies;
  const fields = Object.entries(world.bodyOf(id)).map(([name, value]): [string, string] => [name, String(value)]);
  const query = hasBody && method === "GET" ? `?${new URLSearchParams(fields)}` : "";
  const request = new Request(`http://gateway${world.pathOf(id, path)}${query}`, {
    method,
    headers: {
      "auth-token": token,
      region,
      ...(hasBody && query === "" ? { "content-type": "application/json" } : {}),
    },
    ...(hasBody && query === "" ? { body: JSON.stringify(world.bodyOf(id)) } : {}),
  });
  const response = await fetch(request);
  if (operation.stream && response.ok) await response.body?.cancel();
  const text = operation.stream && response.ok ? "" : await response.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  if (response.ok) return Array.isArray(body) ? `ok ${body.length > 99 ? "many" : body.length}` : "ok";
  return `${response.status} ${(body as { error: { code: string } }).error.code}`;
}

/** Makes a call of the provider's that stays. */
async function prepare({ gateway, pathOf, bodyOf }: DemoWorld, id: string): Promise<void> {
  const operation = rows.find((row) => row.id === id)?.operation;
  const path = pathOf(id, operation?.path ?? "");
  expect((await gateway.ask({ method: operation?.method ?? "", path, body: bodyOf(id) })).status).toBeLessThan(300);
}

/** The table as people read it: a row for each operation, a column for each user. */
function writeMatrix(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

const matrixPath = "../../../fixtures/portal/role-matrix.txt";

it("each user of the demo may do to the bakery's things what the role matrix says", { timeout: 120_000 }, async () => {
  const world = await openDemo();
  for (const id of ["users.assignRole", "profiles.assign", "ai.addUsers", "properties.set"]) await prepare(world, id); // so that there is one to take away
  const users = [
    ["admin", world.gateway.token] as const,
    ...world.demo.tenants.map(({ username, token }) => [username, token] as const),
  ];
  expect(users.map(([name]) => name)).toEqual(["admin", "nora", "ben", "vera"]);
  const table: string[][] = [["operation", "request", ...users.map(([name]) => name)]];
  const chosen = sample(
    rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    12,
  );
  for (const row of chosen) {
    const outcomes: string[] = [];
    for (const [, token] of users) outcomes.push(await outcomeOf(world, row, token));
    table.push([row.id, `${row.operation.method} ${row.operation.path}`, ...outcomes]);
  }
  // Rules that hold whatever the matrix says: the provider lacks no permission, and of the bakery another client reaches nothing.
  const cellsOf = (id: string) => table.find(([name]) => name === id) ?? [];
  const isChosen = ({ id }: (typeof rows)[number]) => chosen.some((row) => row.id === id);
  expect(chosen.map(({ id }) => [id, cellsOf(id)[2]]).filter(([, admin]) => /^40[34]/.test(admin ?? ""))).toEqual([]);
  expect(
    rowsOfBakery
      .filter(isChosen)
      .map(({ id }) => [id, cellsOf(id)[5]])
      .filter(([, vera]) => !/^40[34] /.test(vera ?? "")),
  ).toEqual([]);
  if (isDeep) return expect(writeMatrix(table)).toMatchFileSnapshot(matrixPath);
  const lines = readFileSync(new URL(matrixPath, import.meta.url), "utf8").split("\n");
  const written = new Map(lines.map((line) => line.split(/ {2,}/)).map((cells) => [cells[0], cells]));
  for (const cells of table.slice(1)) expect(cells, sampledBy).toEqual(written.get(cells[0] ?? ""));
});
