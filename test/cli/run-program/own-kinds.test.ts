import { describe, expect, it } from "vitest";
import { failure, readText } from "../support/config-folder.ts";

describe("decision models and models in this process", () => {
  it("are declared like the other providers", async () => {
    const text = `discover: false
providers:
  decider: { kind: systemone, apiKey: key-of-the-file-wxyz, baseUrl: "https://decide.test/v1", form: list }
  llama-cpp: { models: { tiny: /models/tiny.gguf, large: { path: /models/large.gguf, sequences: 2 } }, threads: 4 }
`;
    const { sources } = await readText(text, "a.yaml");
    expect(sources.map(({ name }) => name)).toEqual(["decider", "llama-cpp", "local"]);
  });

  it.each([
    ["providers: { decider: { kind: systemone, apiKey: k } }", /providers\.decider\.baseUrl/],
    ["providers: { llama-cpp: {} }", /providers\.llama-cpp\.models/],
    ["providers: { llama-cpp: { models: { tiny: { sequences: 2 } } } }", /providers\.llama-cpp\.models\.tiny/],
  ])("say what is missing: %s", async (text, words) => {
    expect((await failure(readText(text, "a.yaml"))).message).toMatch(words);
  });
});
