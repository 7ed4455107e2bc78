import { anthropic } from "../../adapters/providers/anthropic/index.ts";
import { gemini } from "../../adapters/providers/gemini/index.ts";
import { openai } from "../../adapters/providers/openai.ts";
import { createEngine, type Engine, type Provider } from "../../src/index.ts";
import { type Aimock, startAimock } from "./aimock.ts";
import { inProcess, mount, type Way } from "./gateway.ts";

/** A gateway whose providers talk to an independent mock of the vendors in a process of its own, and the ways to it. */
export interface Vendors {
  readonly engine: Engine;
  readonly ways: Readonly<Record<WayName, Way>>;
  /** True when the picture was in what reached the mock last; of some dialects it keeps the size only. */
  hasSeenPixel(): Promise<boolean>;
  stop(): Promise<void>;
}

type WayName = "listener" | "engine.fetch";

export const wayNames: readonly WayName[] = ["listener", "engine.fetch"];

/** An image of one pixel. */
export const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The schema of the mock's structured answer. */
export const citySchema = {
  type: "object" as const,
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};

/** The schema of the mock's tool. */
export const weatherSchema = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
};

/** The models that a vendor's SDK is tried with: those of the others. */
export function modelsOfOthers(vendor: "openai" | "anthropic" | "gemini" | "cohere"): string[] {
  const models = ["openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"];
  return models.filter((model) => !model.startsWith(`${vendor}/`));
}

/** What the mock keeps of a request. */
interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts the mock, an engine over it (and what else is given), and both ways to the engine. */
export async function startVendors(others: readonly Provider[] = []): Promise<Vendors> {
  const mock = await startAimock("families");
  const engine = engineOver(mock, others);
  const socket = await mount(engine);
  return {
    engine,
    ways: { listener: socket, "engine.fetch": inProcess(engine) },
    async hasSeenPixel() {
      const journal = (await (await fetch(`${mock.url}/__aimock/journal`)).json()) as Asked[];
      const { body, headers } = journal.at(-1) ?? {};
      return JSON.stringify(body).includes(pixel) || Number(headers?.["content-length"]) > pixel.length + 100;
    },
    async stop() {
      await socket.stop();
      await engine.close();
      await mock.stop();
    },
  };
}

function engineOver({ url }: Aimock, others: readonly Provider[]): Engine {
  return createEngine({
    providers: [
      openai({ apiKey: "sk-test", baseUrl: `${url}/v1` }),
      anthropic({ apiKey: "sk-test", baseUrl: url }),
      gemini({ apiKey: "test", baseUrl: url }),
      ...others,
    ],
    retry: { retries: 0 },
  });
}
