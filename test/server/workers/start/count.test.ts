import { describe, expect, it } from "vitest";
import { readWorkers } from "../../../../src/server/workers/read-workers.ts";
import { countWorkers } from "../../../../src/server/workers/start.ts";

const database = "postgres://localhost/gateway";
const counters = { address: "redis://localhost" };

describe("the number of workers", () => {
  it("is 1, a number, or one a core", () => {
    expect([undefined, "1", "4", "256", "auto"].map(readWorkers)).toEqual([1, 1, 4, 256, "auto"]);
    for (const text of ["0", "-1", "257", "1.5", "many", "", "1e2"])
      expect(() => readWorkers(text)).toThrow(`--workers takes 1 to 256, or auto, not "${text}".`);
  });

  it("is several only where they count together", () => {
    const shared = { store: database, counters };
    expect(countWorkers({ asked: 4, store: undefined, config: shared, cores: 2 })).toBe(4);
    expect(countWorkers({ asked: "auto", store: undefined, config: shared, cores: 8 })).toBe(8);
    expect(countWorkers({ asked: "auto", store: undefined, config: {}, cores: 8 })).toBe(8);
    expect(countWorkers({ asked: "auto", store: undefined, config: { store: database }, cores: 8 })).toBe(1);
    expect(countWorkers({ asked: 4, store: false, config: {}, cores: 8 })).toBe(4);
    expect(countWorkers({ asked: 4, store: database, config: { store: false, counters }, cores: 8 })).toBe(4);
    const ask = (config: object) => () => countWorkers({ asked: 2, store: undefined, config, cores: 8 });
    expect([ask({})(), ask({ counters })(), ask({ store: "other.db" })()]).toEqual([2, 2, 2]);
    expect(ask({ store: database })).toThrow("needs `counters: redis://…`");
  });
});
