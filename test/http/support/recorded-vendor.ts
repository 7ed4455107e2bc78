import type { ChatFixture, ProviderFixture } from "../../../src/testing/conformance/provider/fixture.ts";
import { bedrockExchanges } from "../../fixtures/bedrock.ts";
import { readExchanges } from "../../fixtures/exchanges.ts";

/** The recorded chat of that name in `test/fixtures/<vendor>/`; throws where there is none. */
export function recordedChat(vendor: string, name = "text"): ChatFixture {
  const exchanges: readonly ProviderFixture[] = vendor === "bedrock" ? bedrockExchanges() : readExchanges(vendor);
  const found = exchanges.find((exchange) => exchange.name === name);
  if (found?.kind !== "chat") throw new Error(`test/fixtures/${vendor} has no chat ${name}`);
  return found;
}

/** The vendor's answer to a request for that address, whole or streamed. */
export function replay({ answer, stream }: ChatFixture, url: unknown, isStream: boolean): Response {
  if (!isStream) return Response.json(answer);
  const type = String(url).includes("bedrock") ? "application/vnd.amazon.eventstream" : "text/event-stream";
  return new Response(stream?.bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } });
}
