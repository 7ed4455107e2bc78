import { Pool } from "pg";
import { postgresStore } from "../../../../adapters/stores/postgres/index.ts";
import { day, entry, midnight } from "../../../../src/testing/conformance/ledger/entries.ts";

/** Appends with 200 in flight until it is killed, and tells the id of each entry that was confirmed. */
const [, , host = "", schema = ""] = process.argv;
const store = postgresStore({ pool: new Pool({ host, user: "tollgate", database: "postgres", max: 4 }), schema });
await store.ledger.recover(midnight);
const standing = { counter: "c", start: midnight, end: midnight + day, used: 0 };
let number = 0;
const lane = async () => {
  for (;;) {
    const id = `evt_${number++}`;
    standing.used++;
    await store.ledger.append([entry({ id })], [standing]);
    process.stdout.write(`${id}\n`);
  }
};
await Promise.all(Array.from({ length: 200 }, lane));
