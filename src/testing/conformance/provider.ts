import type { ConformanceCase } from "./case.ts";
import { chatCases, embeddingCases, modelsCases } from "./provider-chat.ts";
import { faultCases, hardshipCases } from "./provider-faults.ts";
import type { ChatFixture, ProviderFixture, ProviderMaker } from "./provider-fixture.ts";
import { streamCases } from "./provider-stream.ts";

/**
 * The rules that every provider keeps, played by its fixtures against a real server on the loopback interface and, for cuts of bytes,
 * through an injected fetch. For whatever runs tests: `for (const { title, run } of providerCases(fixtures)) it(title, () => run(make))`.
 * Needs at least one chat fixture; rules of streams are checked for fixtures that have one.
 */
export function providerCases(fixtures: readonly ProviderFixture[]): readonly ConformanceCase<ProviderMaker>[] {
  const chat = fixtures.find(
    (fixture): fixture is ChatFixture => fixture.kind === "chat" && fixture.stream !== undefined,
  );
  const any = chat ?? fixtures.find((fixture): fixture is ChatFixture => fixture.kind === "chat");
  if (any === undefined) throw new TypeError("a provider's fixtures hold at least one chat");
  return [...fixtures.flatMap((fixture) => casesOf(fixture, any)), ...hardshipCases(any)];
}

function casesOf(fixture: ProviderFixture, chat: ChatFixture): readonly ConformanceCase<ProviderMaker>[] {
  switch (fixture.kind) {
    case "chat":
      return [...chatCases(fixture), ...streamCases(fixture)];
    case "embedding":
      return embeddingCases(fixture);
    case "models":
      return modelsCases(fixture);
    case "fault":
      return faultCases(fixture, chat);
  }
}
