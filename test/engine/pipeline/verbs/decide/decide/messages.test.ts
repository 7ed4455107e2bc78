import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../../../../src/engine/api/chat.ts";
import type { Provider } from "../../../../../../src/engine/ports/provider.ts";
import { near } from "../../../../support/case.ts";
import { ask, listing, refusing } from "../../../../support/deciding.ts";
import { byToken } from "../../../../support/judges.ts";
import { engineOver } from "../../../../support/support.ts";

describe("the messages of a question", () => {
  it("are a system message and one of the user, whatever the conversation was", async () => {
    const asked: ChatRequest[] = [];
    const { engine } = engineOver([byToken("a", () => 0.5, asked)]);
    const input = [
      { role: "user" as const, content: "Hi." },
      { role: "user" as const, content: [{ type: "input_json" as const, data: { order: 4411 } }] },
      { role: "assistant" as const, content: [{ type: "output_text" as const, text: "Hello." }] },
      { type: "function_call" as const, call_id: "c", name: "find", arguments: "{}" },
      { type: "function_call_output" as const, call_id: "c", output: "42" },
    ];
    await engine.decide({ model: "a/m", input, questions: [{ type: "predicate" }] });
    expect(asked[0]?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(asked[0]?.messages[1]?.content).toMatch(
      /Hi\.[\s\S]*\{"order":4411\}[\s\S]*Hello\.[\s\S]*find[\s\S]*42[\s\S]*Question/,
    );
  });

  it.each([
    "System role not supported",
    "Conversation roles must alternate user/assistant/user/assistant/...",
    "Developer instruction is not enabled for models/gemma-3-4b-it",
  ])("are one of the user alone where the template refuses the system's: %s", async (message) => {
    const asked: ChatRequest[] = [];
    const provider = refusing(
      byToken("a", () => 0.5, asked),
      ({ messages }) => (messages[0]?.role === "system" ? message : undefined),
    );
    expect((await ask(provider)).q).toMatchObject({ method: "tokens" });
    expect(asked[0]?.messages.map(({ role }) => role)).toEqual(["user"]);
    expect(asked[0]?.messages[0]?.content).toContain("You answer one question");
  });

  it("have the state in front, the same for all questions, and the first one goes alone where it is long", async () => {
    const asked: ChatRequest[] = [];
    let underWay = 0;
    const together: number[] = [];
    const { chat } = byToken("a", () => 0.5, asked) as Required<Provider>;
    const slow: Required<Provider>["chat"] = async (each, call) => {
      together.push(++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return chat(each, call);
    };
    const { engine } = engineOver([{ name: "a", chat: slow }]);
    const questions = Object.fromEntries(["q", "r", "s"].map((name) => [name, { kind: "noul" as const }]));
    await engine.decide({ model: "a/m", state: "x".repeat(5_000), questions });
    expect(together).toEqual([1, 1, 2]);
    const fronts = asked.map(({ messages }) => String(messages[1]?.content).split("Question")[0]);
    expect(new Set(fronts).size).toBe(1);
  });

  it("show the examples with their right answers before the state", async () => {
    const asked: ChatRequest[] = [];
    const examples = [{ state: "Send it back!", answers: { q: true } }];
    await ask(
      byToken("a", () => 0.5, asked),
      { examples },
    );
    expect(asked[0]?.messages[1]?.content).toMatch(/<example>\nSend it back!\nRight answers:\nq: yes\n<\/example>/);
  });

  it("name the options by their own words where that is asked for", async () => {
    const asked: ChatRequest[] = [];
    const { q } = await ask(
      listing(
        [
          ["Yes", 0.6],
          [" no", 0.2],
          ["n", 0.1],
        ],
        asked,
      ),
      { labels: "words" },
    ); // prettier-ignore
    expect(asked[0]?.messages[1]?.content).toContain("- yes\n- no\n");
    expect(q).toMatchObject({ value: near(2 / 3), mass: near(0.9) });
  });
});

it("a picture goes to the model with the detail that the caller asked for", async () => {
  const asked: ChatRequest[] = [];
  const { engine } = engineOver([byToken("a", () => 0.5, asked)]);
  const picture = { type: "input_image" as const, image_url: "data:image/png;base64,AAAA", detail: "low" as const };
  await engine.decide({
    model: "a/m",
    input: [{ role: "user", content: [picture] }],
    questions: [{ type: "predicate" }],
  });
  expect(asked[0]?.messages.at(-1)?.content).toContainEqual({
    type: "image_url",
    image_url: { url: picture.image_url, detail: "low" },
  });
});
