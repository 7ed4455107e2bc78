import { describe } from "vitest";
import { startRedis } from "../../adapters/conformance/counters/redis-server.ts";
import { postgresSuite } from "../../adapters/conformance/stores/postgres-suite.ts";
import { endTwoWorkers, startTwoWorkers, tellStoryOfTwoWorkers } from "../../e2e/workers-story.ts";

const postgres = postgresSuite();
const workers = startTwoWorkers(async () => {
  const redis = await startRedis();
  return {
    lines: `store: env:DATABASE\ncounters: redis://127.0.0.1:${redis.port}/1\n`,
    env: {
      DATABASE: `postgres://tollgate@/postgres?host=${postgres.server.folder}&schema=${postgres.newSchema()}`,
    },
    stop: () => redis.stop(),
  };
});

describe("a gateway of two workers over one database and one Redis server", () => {
  tellStoryOfTwoWorkers(workers);
  endTwoWorkers(workers);
});
