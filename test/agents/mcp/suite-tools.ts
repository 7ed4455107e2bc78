import { say, type TestContents, type TestTool } from "../../fixtures/mcp/http-server.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg==";
const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const image = { type: "image" as const, data: pixel, mimeType: "image/png" };
const resource = (uri: string, text: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType: "text/plain", text },
});

/** The tools that the conformance suite calls, by the names that it knows. */
export const suiteTools: Readonly<Record<string, TestTool>> = {
  test_simple_text: () => say("This is a simple text response for testing."),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: sound, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({ content: [resource("test://embedded-resource", "An embedded resource.")] }),
  test_multiple_content_types: () => ({
    content: [{ type: "text", text: "Several:" }, image, resource("test://mixed-content-resource", "{}")],
  }),
  test_error_handling() {
    return { ...say("This tool intentionally returns an error for testing"), isError: true };
  },
  async test_tool_with_progress(_provided, { progress }) {
    for (const done of [0, 50, 100]) await progress(done);
    return say("done");
  },
  json_schema_2020_12_tool: () => say("described"),
};

/** The schema of the last of them. */
export const suiteSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
};

const user = (content: object) => [{ role: "user", content }];

/** The resources and prompts that the suite reads. */
export const suiteContents: TestContents = {
  resources: {
    "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
    "test://static-binary": { mimeType: "image/png", blob: pixel },
  },
  templates: {
    "test://template/{id}/data": (uri) => ({
      mimeType: "application/json",
      text: JSON.stringify({
        id: uri.split("/").at(-2),
        templateTest: true,
        data: `Data for ID: ${uri.split("/").at(-2)}`,
      }),
    }),
  },
  prompts: {
    test_simple_prompt: () => user({ type: "text", text: "This is a simple prompt for testing." }),
    test_prompt_with_arguments: ({ arg1, arg2 }) =>
      user({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
    test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
      ...user({ type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded." } }),
      ...user({ type: "text", text: "Please process the embedded resource above." }),
    ],
    test_prompt_with_image: () => [...user(image), ...user({ type: "text", text: "Please analyze the image above." })],
  },
};
