import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../../../../src/engine/api/chat.ts";
import type { Provider } from "../../../../../../src/engine/ports/provider.ts";
import { near } from "../../../../support/case.ts";
import { ask, type Listed, listing, refusing, yesNo } from "../../../../support/deciding.ts";
import { always, byToken, byTool } from "../../../../support/judges.ts";
import { engineOver } from "../../../../support/support.ts";

describe("the share of the labels", () => {
  const thinking: Listed = [
    ["<think>", 0.999],
    ["A", 0.0001],
    ["The", 0.00005],
  ]; // prettier-ignore

  it("is on the answer beside the way", async () => {
    const { q } = await ask(
      listing([
        ["A", 0.5],
        ["Yes", 0.2],
        ["B", 0.05],
      ]),
    ); // prettier-ignore
    expect(q).toMatchObject({ method: "tokens", mass: near(0.55), value: near(10 / 11) });
  });

  it("below a half is no answer: the tool is asked, and without one the next candidate", async () => {
    const stated = byTool("a", (_question, option) => (option === "yes" ? 0.7 : 0.3)) as Required<Provider>;
    const { chat } = listing(thinking) as Required<Provider>;
    const both: Provider = {
      name: "a",
      chat: (each, call) => (each.tools ? stated.chat(each, call) : chat(each, call)),
    };
    expect((await ask(both)).q).toMatchObject({ method: "tool", value: near(0.7) });
    const { engine } = engineOver([listing(thinking), byToken("b", (_q, option) => (option === "yes" ? 0.9 : 0.1))]);
    const decided = await engine.decide({ ...yesNo, fallbacks: ["b/m"] });
    expect(decided.extra_fields?.provider).toBe("b");
  });

  it("may be less where the request says so, or allows no other way: a warning says that then", async () => {
    expect((await ask(listing(thinking), { min_mass: 0.00001 })).q).toMatchObject({ mass: near(0.0001) });
    const { q, warnings } = await ask(listing(thinking), { method: "tokens" });
    expect(q).toMatchObject({ method: "tokens", mass: near(0.0001) });
    expect(warnings).toEqual(["the options of `q` had 0.010 % of the first token: its probabilities say little"]);
  });

  it("leaves a label that is not listed the bound of the least one that is, and never nothing", async () => {
    const { q } = await ask(
      listing([
        ["A", 0.9],
        ["The", 0.06],
        ["I", 0.03],
      ]),
    ); // prettier-ignore
    expect(q).toMatchObject({ value: near(0.9 / 0.93) });
    const certain = await ask(
      listing([
        ["A", 1],
        ["I", 0],
      ]),
    ); // prettier-ignore
    expect(certain.q?.value).toBeLessThan(1);
  });
});

describe("the alternatives of a token", () => {
  it.each([
    ["top_logprobs must be less than or equal to 5", 5],
    ["Invalid value for 'top_logprobs': expected a number between 0 and 8, but got 20", 8],
    ["Requested sample logprobs of 20, which is greater than max allowed: 10", 10],
    ["`logprobs` is too large", 5],
  ])("are twenty, and fewer where the vendor says so: %s", async (message, most) => {
    const asked: ChatRequest[] = [];
    const judge = byToken("a", (_question, option) => (option === "yes" ? 0.8 : 0.2), asked);
    const provider = refusing(judge, ({ top_logprobs: count = 0 }) => (count > most ? message : undefined));
    const { engine } = engineOver([provider], { retry: { retries: 0 } });
    const decided = await engine.decide(yesNo);
    await engine.decide(yesNo);
    expect(decided.answers).toMatchObject({ q: { method: "tokens", value: near(0.8) } });
    expect(asked.map(({ top_logprobs }) => top_logprobs)).toEqual([most, most]);
  });
});

describe("several orders of the options", () => {
  /** Believes in an option, and in the first place of the list. */
  const biased = (option: string, request: ChatRequest) => {
    const isFirst = /^A: (\w+)/m.exec(String(request.messages.at(-1)?.content))?.[1] === option;
    return (option === "yes" ? 0.4 : 0.2) + (isFirst ? 0.3 : 0);
  };

  it("are averaged, so that the place of an option does not count", async () => {
    const asked: ChatRequest[] = [];
    const judge = byToken("a", (_question, option, each) => biased(option, each) / 0.9, asked);
    const one = await ask(judge);
    expect(one.q).toMatchObject({ value: near(7 / 9) });
    const { q } = await ask(judge, { permutations: 2 });
    expect(q).toMatchObject({ value: near((7 / 9 + 4 / 9) / 2), orders: 2 });
    expect(asked).toHaveLength(3);
  });

  it("are no more than the reading needs", async () => {
    const asked: ChatRequest[] = [];
    const criteria = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, null]));
    const sure = byToken("a", (_question, option) => (option === "a" ? 0.8 : 0.05), asked);
    const questions = { q: { kind: "choice" as const, criteria } };
    expect((await ask(sure, { questions, permutations: 10 })).q).toMatchObject({ orders: 2, value: "a" });
    expect(asked).toHaveLength(2);
  });
});

it("a prior divides by what is answered about an empty state, which is asked for once", async () => {
  const asked: ChatRequest[] = [];
  const judge = byToken(
    "a",
    (_question, option, { messages }) => {
      const isEmpty = String(messages.at(-1)?.content).includes("N/A");
      if (isEmpty) return option === "yes" ? 0.8 : 0.2;
      return 0.5;
    },
    asked,
  );
  const { engine } = engineOver([judge]);
  const decided = await engine.decide({ ...yesNo, prior: true });
  expect(decided.answers).toMatchObject({ q: { value: near(0.2) } });
  await engine.decide({ ...yesNo, state: "another", prior: true });
  expect(asked).toHaveLength(3);
});

it("a model's refusal is the answer to that question alone", async () => {
  const judge = byToken("a", () => 0.5) as Required<Provider>;
  const declining = always("a", {
    message: { role: "assistant", content: null, refusal: "I won't." },
  }) as Required<Provider>;
  const provider: Provider = {
    name: "a",
    chat: (each, call) => (JSON.stringify(each).includes("`bad`") ? declining : judge).chat(each, call),
  };
  const { engine } = engineOver([provider]);
  const questions = { bad: { kind: "noul" as const }, good: { kind: "noul" as const } };
  const decided = await engine.decide({ ...yesNo, questions });
  expect(decided.answers).toMatchObject({ bad: { kind: "refusal" }, good: { value: near(0.5) } });
});

it("a model is asked by token again after ten minutes, or while answers without probabilities are single", async () => {
  const asked: ChatRequest[] = [];
  const { engine, clock } = engineOver([byTool("a", () => 0.5, asked)]);
  const ways = async () => {
    asked.length = 0;
    await engine.decide(yesNo);
    return asked.map(({ tools }) => (tools ? "tool" : "token")).join();
  };
  expect([await ways(), await ways(), await ways(), await ways()]).toEqual([
    ...["token,tool", "token,tool", "token,tool"],
    "tool",
  ]);
  await clock.advance(600_001);
  expect(await ways()).toBe("token,tool");
});

it("a question of the kind `box` is refused before any call where the model does not decide natively", async () => {
  const asked: ChatRequest[] = [];
  const failed = ask(
    byToken("a", () => 0.5, asked),
    { questions: { q: { kind: "box" } } },
  );
  await expect(failed).rejects.toMatchObject({ code: "unsupported_operation", status: 400 });
  expect(asked).toEqual([]);
});
