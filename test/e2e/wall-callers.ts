import { anthropic } from "../../adapters/providers/anthropic/index.ts";
import { openai } from "../../adapters/providers/openai.ts";
import type { Provider, ProviderCall } from "../../src/ports.ts";

/** Names of the providers that lead to the wall, by what they speak. */
export const providers = { openai: "wall-openai", anthropic: "wall-anthropic" } as const;

/** How the providers that lead to a wall are made. */
export interface WallProviderOptions {
  /** Credentials of each; 1 unless given. */
  readonly credentials?: number;
  /** Whether they continue a text when they are asked to. */
  readonly continues?: boolean;
}

/** A provider of each dialect whose every call goes to the wall. */
export function wallProviders(url: string, options: WallProviderOptions = {}): Provider[] {
  const makers = {
    openai: (apiKey: string) => openai({ apiKey, baseUrl: `${url}/v1`, name: providers.openai }),
    anthropic: (apiKey: string) => anthropic({ apiKey, baseUrl: url, name: providers.anthropic }),
  };
  return Object.values(makers).map((make) => withCredentials(make, options));
}

function withCredentials(make: (apiKey: string) => Provider, options: WallProviderOptions): Provider {
  const { credentials = 1, continues = false } = options;
  const members = new Map(
    Array.from({ length: credentials }, (_, n) => [`key-${n}`, make(`sk-wall-${n}000${n}`) as Required<Provider>]),
  );
  const memberFor = ({ credential }: ProviderCall) => members.get(credential as string) as Required<Provider>;
  const [first] = members.values();
  return {
    name: (first as Provider).name,
    credentials: [...members.keys()].map((id) => ({ id })),
    chat: (request, call) => memberFor(call).chat(request, call),
    streamChat: (request, call) => memberFor(call).streamChat(request, call),
    ...(continues ? { continueChat: (request, call) => memberFor(call).streamChat(request, call) } : {}),
    close: async () => {
      for (const member of members.values()) await member.close();
    },
  };
}
