import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../../adapters/providers/cohere/index.ts";
import * as compatible from "../../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
import { llamaCpp } from "../../../../adapters/providers/llama-cpp/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { systemone } from "../../../../adapters/providers/systemone.ts";
import { vertex } from "../../../../adapters/providers/vertex/index.ts";

const { compatible: rowOf, custom, azure, groq, mistral, voyage, jina, compatibleProviders } = compatible;

/** What a call throws, as JavaScript makes it: without what TypeScript asks for. */
function thrownBy(make: (...given: never[]) => unknown, ...given: unknown[]) {
  try {
    return make(...(given as never[]));
  } catch (thrown) {
    return thrown;
  }
}

describe("a provider that is given no options says in one sentence what it needs", () => {
  it.each(
    Object.entries({ openai, anthropic, gemini, cohere, bedrock, systemone, azure, groq, mistral, voyage, jina }),
  )("%s: `apiKey`", (name, make) => {
    for (const options of [undefined, null, {}]) {
      expect(thrownBy(make, options)).toMatchObject({
        code: "invalid_configuration",
        param: "apiKey",
        message: `\`apiKey\` of ${name} is missing.`,
      });
    }
    expect(thrownBy(make, { apiKey: " " })).toMatchObject({ message: `\`apiKey\` of ${name} is empty.` });
  });

  it.each([
    [vertex, [], "project"],
    [llamaCpp, [], "models"],
    [llamaCpp, [{}], "models"],
    [custom, ["mine"], "baseUrl"],
    [custom, [], "name"],
    [rowOf, ["no-such-vendor"], "row"],
    [rowOf, ["toString", {}], "row"],
  ])("%o with %j: `%s`", (make, given, param) => {
    expect(thrownBy(make, ...given)).toMatchObject({ code: "invalid_configuration", param });
  });

  it("names the rows that there are", () => {
    expect(thrownBy(rowOf, "gorq")).toMatchObject({ message: expect.stringContaining("groq, mistral") });
    expect(Object.keys(compatibleProviders)).toContain("groq");
  });
});
