import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, createListener, defineProvider } from "tollgate";
import { scriptedPrices, scriptedProviders } from "tollgate/testing";

/** A vendor of both dialects, whose models say a sentence, or call the tool `answer` where they must. */
export interface DocsVendor {
  /** What the environment of a reader would have. */
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  close(): Promise<void>;
}

/** A price list as an address has it. */
const prices = { "openai/gpt-5": { input_cost_per_token: 0.000_001, output_cost_per_token: 0.000_01 } };

/** Starts it on a free port. */
export async function startDocsVendor(): Promise<DocsVendor> {
  const engine = createEngine({ providers: ["openai", "anthropic"].map(speaking), prices: scriptedPrices() });
  const listener = createListener({ engine });
  const server = createServer((request, response) => {
    if (request.url !== "/models.json") return listener(request, response);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(prices));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    OPENAI_API_KEY: "sk-docs",
    OPENAI_BASE_URL: `${url}/openai/v1`,
    ANTHROPIC_API_KEY: "sk-docs",
    ANTHROPIC_BASE_URL: `${url}/anthropic`,
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await engine.close();
  };
  return { env, url, close };
}

/** A provider whose every model speaks, and decides by tool. */
function speaking(name: string) {
  const text = "Because of how air scatters light.";
  const model = `${name}/m`;
  const calls = [{ name: "answer", arguments: { A: 0.8, B: 0.2 } }];
  const [speaker] = scriptedProviders({ [model]: [{ kind: "answer", text }] }).providers;
  const [caller] = scriptedProviders({ [model]: [{ kind: "answer", calls }] }).providers;
  return defineProvider({
    name,
    chat: async (request, call) =>
      (await (request.tool_choice ? caller : speaker)?.chat?.(request, { ...call, model: "m" })) as never,
    streamChat: (request, call) => speaker?.streamChat?.(request, { ...call, model: "m" }) as never,
    listModels: async () => [{ id: "gpt-5", object: "model", created: 1, owned_by: name }],
  });
}
