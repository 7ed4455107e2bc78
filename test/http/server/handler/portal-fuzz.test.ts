import { expect, test } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { openLocal } from "../../../clouds/support/local.ts";
import { collectIds, createFuzzer, judge, type ReadDocument } from "../../../portal/support/fuzz.ts";
import { openGateway } from "../../../portal/support/gateway.ts";
import { isDeep } from "../../../tiers/depth.ts";

/** The whole run is test/e2e/portal-fuzz.test.ts. */
const requests = isDeep ? 1_000 : 150;

test("requests made from our own document, sound and broken: no failure of ours, no answer that breaks its schema", async () => {
  const store = memoryStore();
  const gateway = await openGateway(store, { "eu-1": await openLocal({ records: store.records }) });
  const document = (await gateway.ask({ method: "GET", path: "/openapi.json" })).body as ReadDocument;
  const fuzzers = ["", "/api"].map((mount) => createFuzzer(document, mount));
  const seen: string[] = [];
  const statuses = new Map<number, number>();
  for (let seed = 1; seed <= requests; seed++) {
    const request = fuzzers[seed % 2]?.(seed, seen);
    if (!request) continue;
    const answer = await gateway.ask(request);
    expect(judge(request, answer), `seed ${seed}: ${JSON.stringify(request).slice(0, 1_000)}`).toBeUndefined();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    collectIds(answer.body, seen);
  }
  for (const status of [200, 204, 400, 401, 404])
    expect(statuses.get(status), `${status}`).toBeGreaterThan(isDeep ? 10 : 0);
}, 240_000);
