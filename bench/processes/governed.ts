import { createServer } from "node:http";
import { catalogue } from "../../adapters/prices/catalogue/index.ts";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { createEngine, createListener } from "../../src/index.ts";
import { makeKey } from "../key.ts";

/** The listener with everything that money needs: a key with budgets on four levels and two windows, a price, and the ledger in a file. */
const [, , upstream, file] = process.argv as [string, string, string, string];
const engine = createEngine({
  providers: [custom("bench", { baseUrl: `${upstream}/v1` })],
  prices: catalogue({ overrides: { "bench/*": { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 } } }),
  store: sqliteStore(file),
});
const key = await makeKey(engine);
const server = createServer(createListener({ engine }));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) process.send?.({ port: address.port, key });
});
process.on("disconnect", () => process.exit(0));
