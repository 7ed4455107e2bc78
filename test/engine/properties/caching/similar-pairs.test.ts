import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceFinder } from "../../../../src/engine/caching/difference.ts";
import { comparableChat } from "../../../../src/engine/caching/semantic.ts";

const find = differenceFinder([]);
const chatOf = (content: string) =>
  comparableChat({ model: "a/m", messages: [{ role: "user", content }] }, { target: "a/m", embed: "e/m" });
/** True where the guard keeps two questions apart, whatever their vectors are. */
const isKeptApart = (one: string, other: string) => {
  const [first, second] = [chatOf(one), chatOf(other)];
  return first?.space !== second?.space || find(first?.text ?? "", second?.text ?? "") !== undefined;
};

describe("the guard of similar questions", () => {
  it.each([
    ["Convert dollars to euros", "Convert euros to dollars"],
    ["Can a dog eat a cat's food?", "Can a cat eat a dog's food?"],
    ["How many ounces are in a cup?", "How many cups are in an ounce?"],
    ["Is it legal to park here?", "Is it illegal to park here?"],
    ["Show invoices before Easter.", "Show invoices after Easter."],
    ["Schedule the meeting for this Friday.", "Schedule the meeting for next Friday."],
    ["Enable the alarm.", "Disable the alarm."],
    ["Ist das Fenster zu öffnen?", "Ist das Fenster zu schließen?"],
    ["Faut-il acheter maintenant ?", "Faut-il vendre maintenant ?"],
    ["¿Cómo puedo activar el aviso?", "¿Cómo puedo desactivar el aviso?"],
    ["Is 38 celsius a fever?", "Is 38 fahrenheit a fever?"],
    ["Email the draft to Anna.", "Email the draft to Bob."],
    ["Explain: x = a + b", "Explain: x = a - b"],
    ["What does a && b mean?", "What does a || b mean?"],
    ["Explain: list.push(x)", "Explain: list.pop(x)"],
  ])("keeps apart: %s / %s", (one, other) => expect(isKeptApart(one, other)).toBe(true));

  it.each([
    ["What is the capital of Australia?", "Which city is the capital of Australia?"],
    ["Explain recursion.", "Can you please explain recursion?"],
    ["capital of Norway", "What is the capital of Norway?"],
    ["What's the tallest building in the world?", "What is the tallest building in the world?"],
    ["what is the great wall of china", "What is the Great Wall of China?"],
  ])("lets through: %s / %s", (one, other) => expect(isKeptApart(one, other)).toBe(false));

  it("keeps apart what an owner says, and nothing of that without", () => {
    const own = differenceFinder(["gold|silver|bronze"]);
    expect(own("the gold plan", "the silver plan")).toBe("opposites");
    expect(find("the gold plan", "the silver plan")).toBeUndefined();
  });

  it("finds no difference between a text and itself, and the same one whichever text comes first", () => {
    const word = fc.constantFrom(
      "open",
      "close",
      "Rome",
      "to",
      "from",
      "the",
      "x += 1",
      "file",
      "10",
      "kg",
      "not",
      "Anna",
    );
    const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(find(one, one)).toBeUndefined();
        expect(find(one, other)).toBe(find(other, one));
      }),
    );
  });

  it("never lets the same words in another order through", () => {
    const words = fc.uniqueArray(fc.constantFrom("cats", "eat", "mice", "birds", "see", "worms"), { minLength: 2 });
    fc.assert(
      fc.property(words, (order) => {
        expect(find(order.join(" "), order.toReversed().join(" "))).toBeDefined();
      }),
    );
  });

  it("takes time that grows with the texts alone", () => {
    const long = "a `b` c.d {x: 1} ".repeat(60);
    expect(find(long, `${long}!`)).toBeDefined();
  });
});

describe("the labelled pairs", () => {
  const lines = readFileSync(new URL("../../../fixtures/similar/pairs.txt", import.meta.url), "utf8").split("\n");
  const headings = lines.filter((line) => line.startsWith("# "));
  const pairs = lines.filter((line) => line !== "" && !line.startsWith("# "));

  it("are at least 300 of twelve kinds", () => {
    expect(headings).toHaveLength(12);
    expect(pairs.length).toBeGreaterThanOrEqual(300);
  });
});

describe("a conversation that is longer than what the embedding model reads", () => {
  const ask = (first: string, last: string) =>
    comparableChat(
      {
        model: "a/m",
        messages: [
          { role: "user", content: first },
          { role: "assistant", content: "Yes?" },
          { role: "user", content: last },
        ],
      },
      { target: "a/m", embed: "e/m", mostCharacters: 100 },
    );
  const long = "The lighthouse stood on the cliff. ".repeat(10);

  it("is compared by its last turn, and all before must be equal", () => {
    expect(ask(long, "Delete it.")).toMatchObject({ text: "user: Delete it.", isLastTurn: true });
    expect(ask(long, "Delete it.")?.space).toBe(ask(long, "Remove it.")?.space);
    expect(ask(`${long}!`, "Delete it.")?.space).not.toBe(ask(long, "Delete it.")?.space);
  });

  it("is compared with none where the last turn is too long itself", () => {
    expect(ask("Hi.", long)).toBeUndefined();
  });
});
