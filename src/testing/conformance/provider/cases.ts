import type { ConformanceCase } from "../case.ts";
import { chatCases, modelsCases } from "./chat.ts";
import { faultCases, hardshipCases } from "./faults.ts";
import type { ProviderFixture, ProviderMaker, QuestionFixture } from "./fixture.ts";
import { type Cuts, streamCases } from "./stream.ts";
import { embeddingCases, rerankCases } from "./vectors.ts";

/**
 * The rules that every provider keeps, played by its fixtures against a real server on the loopback interface and, for cuts of bytes,
 * through an injected fetch. For whatever runs tests: `for (const { title, run } of providerCases(fixtures)) it(title, () => run(make))`.
 * `cuts` is for providers that share their code with one that is cut everywhere. Needs at least one fixture that asks a model something, a chat where the provider has it; rules of streams are checked for fixtures that have one.
 */
export function providerCases(
  fixtures: readonly ProviderFixture[],
  cuts?: Cuts,
): readonly ConformanceCase<ProviderMaker>[] {
  const questions = fixtures.filter((fixture) => fixture.kind !== "models" && fixture.kind !== "fault");
  const chats = questions.filter((fixture) => fixture.kind === "chat");
  const any = chats.find(({ stream }) => stream !== undefined) ?? chats[0] ?? questions[0];
  if (any === undefined) throw new TypeError("a provider's fixtures hold at least one question");
  return [
    ...fixtures.flatMap((fixture) =>
      fixture.kind === "chat" ? [...chatCases(fixture), ...streamCases(fixture, cuts)] : casesOf(fixture, any),
    ),
    ...hardshipCases(any),
  ];
}

function casesOf(
  fixture: Exclude<ProviderFixture, { readonly kind: "chat" }>,
  question: QuestionFixture,
): readonly ConformanceCase<ProviderMaker>[] {
  switch (fixture.kind) {
    case "embedding":
      return embeddingCases(fixture);
    case "rerank":
      return rerankCases(fixture);
    case "models":
      return modelsCases(fixture);
    case "fault":
      return faultCases(fixture, question);
  }
}
