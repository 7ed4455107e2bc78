import { expect, test } from "vitest";
import { memoryStore } from "../../../../../../adapters/stores/memory/index.ts";
import { ErrorBody } from "../../../../../../src/engine/api/error.ts";
import { openLocal } from "../../../../../clouds/support/local.ts";
import { collectIds, type ReadDocument, soundRequests } from "../../../../../portal/support/fuzz.ts";
import { openGateway } from "../../../../../portal/support/gateway.ts";
import { isDeep, sampledBy, sampleSeed } from "../../../../../tiers/depth.ts";

/** Requests of each operation. */
const each = isDeep ? 30 : 3;

/** Refused for what the gateway is configured with, which no document can know. */
const ofConfiguration: ReadonlySet<string> = new Set(["ai.syncPrices prices"]);

test("what the document calls a sound request is refused only for what the document tells", async () => {
  const store = memoryStore();
  const gateway = await openGateway(store, { "eu-1": await openLocal({ records: store.records }) });
  const document = (await gateway.ask({ method: "GET", path: "/openapi.json" })).body as ReadDocument;
  const seen: string[] = [];
  const hidden = new Map<string, string>();
  for (const request of soundRequests(document, { seed: isDeep ? 1 : 1 + sampleSeed, each })) {
    const asked = request.made(seen);
    const answer = await gateway.ask(asked);
    collectIds(answer.body, seen);
    if (answer.status !== 400) continue;
    const { code, message, param } = ErrorBody.parse(answer.body).error;
    const field = (param ?? "").split(".").findLast((part) => !/^\d+$/.test(part)) ?? "";
    const rule = `${asked.operationId} ${param}`;
    if (code !== "invalid_request" || ofConfiguration.has(rule) || request.tells(field)) continue;
    hidden.set(rule, `${message} ${JSON.stringify(asked.body).slice(0, 300)}`);
  }
  expect([...hidden].map(([rule, why]) => `${rule}: ${why}`).join("\n"), sampledBy).toBe("");
}, 240_000);
