import { expect, it } from "vitest";
import { postgresStore } from "../../../../adapters/stores/postgres/index.ts";

const pool = { connect() {}, on() {}, removeListener() {}, options: { max: 10 } };

it.each<[string, unknown, RegExp]>([
  ["no options", undefined, /`pool` of postgresStore is required/],
  ["no pool", {}, /`pool` of postgresStore is required/],
  ["a URL for a pool", { pool: "postgres://user:secret@host/db" }, /^`pool` of postgresStore must be a `Pool` of pg/],
  ["a client for a pool", { pool: { query() {} } }, /^`pool` of postgresStore must be a `Pool` of pg/],
  ["a pool of one", { pool: { ...pool, options: { max: 1 } } }, /that may have two connections or more/],
  ["a schema that is none", { pool, schema: 1 }, /^`schema` of postgresStore must be 1 to 40 small/],
  [
    "a schema in quotes",
    { pool, schema: 'a"; DROP SCHEMA public' },
    /^`schema` of postgresStore must be 1 to 40 small/,
  ],
  ["no schema", { pool, schema: "" }, /^`schema` of postgresStore must be 1 to 40 small/],
  ["an option that is none", { pool, url: 1 }, /^Unknown option `url` of postgresStore/],
])("postgresStore says what is wrong with %s", (_what, options, problem) => {
  expect(() => postgresStore(options as never)).toThrow(problem);
});

it("connects when it is first used, and not before", () => {
  expect(() => postgresStore({ pool: pool as never })).not.toThrow();
});
