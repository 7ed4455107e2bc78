import { expect, it } from "vitest";
import { pgvectorIndex } from "../../../../adapters/vectors/pgvector/index.ts";

const pool = { connect() {}, on() {}, removeListener() {}, options: { max: 1 } };

it.each<[string, unknown, RegExp]>([
  ["no options", undefined, /`pool` of pgvectorIndex is required \(a `Pool` of pg\)\.$/],
  ["a URL for a pool", { pool: "postgres://user:secret@host/db" }, /^`pool` of pgvectorIndex must be a `Pool` of pg/],
  ["a schema in capitals", { pool, schema: "Vectors" }, /^`schema` of pgvectorIndex must be 1 to 40 small/],
  ["no time", { pool, ttl: 0 }, /^`ttl` of pgvectorIndex must be a number of milliseconds above 0/],
  ["an option that is none", { pool, table: "x" }, /^Unknown option `table` of pgvectorIndex/],
])("pgvectorIndex says what is wrong with %s", (_what, options, problem) => {
  expect(() => pgvectorIndex(options as never)).toThrow(problem);
});

it("connects when it is first used, and not before; a pool of one is enough", () => {
  expect(() => pgvectorIndex({ pool: pool as never })).not.toThrow();
});
