import fc from "fast-check";
import { expect, it } from "vitest";
import { createRunQueue } from "../../../src/portal/backups/runs/run-queue.ts";
import { createPortal } from "../../../src/portal/index.ts";

const anyRun = fc.record({ region: fc.constantFrom("eu-1", "eu-2"), tenant: fc.constantFrom("a", "b", "c") });
const anyPlaces = fc.record({ region: fc.integer({ min: 1, max: 4 }), tenant: fc.integer({ min: 1, max: 4 }) });

it("no more backups run at a time than a region and a tenant have places, and each runs once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRun, { maxLength: 24 }),
      anyPlaces,
      fc.infiniteStream(fc.nat(23)),
      async (runs, places, picks) => {
        const queue = createRunQueue(places);
        const under = new Map<string, { readonly region: string; readonly tenant: string; end(): void }>();
        const begun: string[] = [];
        queue.add(
          runs.map(({ region, tenant }, at) => ({
            ...{ id: `${at}`, region, tenant },
            run: () =>
              new Promise<void>((resolve) => {
                begun.push(`${at}`);
                under.set(`${at}`, { region, tenant, end: resolve });
                const inRegion = [...under.values()].filter((one) => one.region === region);
                expect(inRegion.length).toBeLessThanOrEqual(places.region);
                expect(inRegion.filter((one) => one.tenant === tenant).length).toBeLessThanOrEqual(places.tenant);
              }),
          })),
        );
        while (under.size > 0) {
          const ids = [...under.keys()];
          const id = ids[(picks.next().value ?? 0) % ids.length] ?? "";
          under.get(id)?.end();
          under.delete(id);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await queue.close();
        expect(begun.toSorted()).toEqual(runs.map((_run, at) => `${at}`).toSorted());
      },
    ),
  );
});

it.each([{ region: 0 }, { tenant: 1.5 }, { zone: 3 }, 5])("places that are %j are refused by name", (backupPlaces) => {
  const refuse = () => createPortal({ backupPlaces } as never);
  expect(refuse).toThrow(/`backupPlaces` of .* must be an object with `region` and `tenant`/);
});
