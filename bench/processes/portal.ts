import { createServer } from "node:http";
import { catalogue } from "../../adapters/prices/catalogue/index.ts";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { createEngine, createListener } from "../../src/index.ts";
import { createPortal } from "../../src/portal/index.ts";
import { makeKey } from "../key.ts";

/** What `governed.ts` serves, and the portal beside it; its token is the provider's administrator's. */
const [, , upstream, file] = process.argv as [string, string, string, string];
const store = sqliteStore(file);
const engine = createEngine({
  providers: [custom("bench", { baseUrl: `${upstream}/v1` })],
  prices: catalogue({ overrides: { "bench/*": { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 } } }),
  store,
});
const portal = createPortal({ engine, store, regions: { "eu-1": {} } });
const first = await portal.startFirst();
const key = await makeKey(engine);
const server = createServer(createListener({ engine, portal }));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) process.send?.({ port: address.port, key, token: first?.token });
});
process.on("disconnect", () => process.exit(0));
