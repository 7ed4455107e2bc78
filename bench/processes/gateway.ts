import { createServer } from "node:http";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { createEngine, createListener } from "../../src/index.ts";

/** The listener over an engine with one provider, as a service mounts it. */
const [, , upstream, gatherMs] = process.argv;
const engine = createEngine({
  providers: [custom("bench", { baseUrl: `${upstream}/v1` })],
  gatherMs: gatherMs === undefined ? undefined : Number(gatherMs),
});
const server = createServer(createListener({ engine }));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit(0));
