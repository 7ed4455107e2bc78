import { createServer } from "node:http";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { createEngine, createListener } from "../../src/index.ts";

/** The listener over an engine with one provider, as a service mounts it. */
const engine = createEngine({ providers: [custom("bench", { baseUrl: `${process.argv[2]}/v1` })] });
const server = createServer(createListener({ engine }));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit(0));
