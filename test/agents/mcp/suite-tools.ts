import { say, type TestTool } from "../../fixtures/mcp/http-server.ts";

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
