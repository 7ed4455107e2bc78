import { expect, test } from "vitest";
import { GatewayError } from "../../src/engine/errors.ts";
import type { Provider } from "../../src/engine/ports/provider.ts";
import { createListener } from "../../src/http/server/node.ts";
import { createEngine } from "../../src/index.ts";
import { serve, stillClock } from "./support/server.ts";

test("GET /v1/models/{model} asks the provider of the name alone, and tells its failure", async () => {
  const asked: string[] = [];
  const provider = (name: string, ids: readonly string[]): Provider => ({
    name,
    async listModels() {
      asked.push(name);
      if (ids.length === 0)
        throw new GatewayError("upstream_error", "down", { upstream: { status: 503, message: "down" } });
      return ids.map((id) => ({ id }));
    },
  });
  const engine = createEngine({ providers: [provider("a", ["m"]), provider("b", []), provider("c", ["x"])] });
  await using server = await serve(createListener({ engine, clock: stillClock }));
  const read = async (name: string) => {
    const response = await fetch(`${server.url}/v1/models/${name}`);
    const { id, error } = (await response.json()) as { id?: string; error?: { message: string } };
    return [response.status, id ?? error?.message];
  };
  expect(await read("a/m")).toEqual([200, "a/m"]);
  expect(await read("b/m")).toEqual([503, expect.stringContaining("down")]);
  expect(await read("c/m")).toEqual([404, expect.not.stringContaining("c/m")]);
  expect(await read("d/m")).toEqual([404, expect.not.stringContaining("d/m")]);
  expect(asked).toEqual(["a", "b", "c"]);
  await engine.close();
});
