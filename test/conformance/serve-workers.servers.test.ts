import { describe } from "vitest";
import { endTwoWorkers, startTwoWorkers, tellStoryOfTwoWorkers } from "../e2e/workers-story.ts";
import { postgresSuite } from "./postgres-suite.ts";
import { startRedis } from "./redis-server.ts";

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
