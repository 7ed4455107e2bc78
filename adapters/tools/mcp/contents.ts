import type { PromptRequest, ServerContents } from "../../../src/engine/ports/tools/tool-server.ts";
import { type McpQuestion, readPages } from "./question.ts";

/** Resources, templates and prompts that are read of one server, each. */
const mostContents = 2_000;

/** What a server offers to be read; what it does not offer is empty. */
export async function readContents({ sdk, client, timeout }: McpQuestion): Promise<ServerContents> {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  const options = { timeout };
  return {
    resources: resources
      ? await readPages(mostContents, async (params) => {
          const answer = await client.request(
            { method: "resources/list", params },
            sdk.ListResourcesResultSchema,
            options,
          );
          return { items: answer.resources as ServerContents["resources"], next: answer.nextCursor };
        })
      : [],
    templates: resources
      ? await readPages(mostContents, async (params) => {
          const method = "resources/templates/list" as const;
          const answer = await client.request({ method, params }, sdk.ListResourceTemplatesResultSchema, options);
          return { items: answer.resourceTemplates as ServerContents["templates"], next: answer.nextCursor };
        })
      : [],
    prompts: prompts
      ? await readPages(mostContents, async (params) => {
          const answer = await client.request({ method: "prompts/list", params }, sdk.ListPromptsResultSchema, options);
          return { items: answer.prompts as ServerContents["prompts"], next: answer.nextCursor };
        })
      : [],
  };
}

/** Reads a resource. */
export async function readResource({ sdk, client, timeout }: McpQuestion, uri: string, signal: AbortSignal) {
  const options = { timeout, signal };
  return client.request({ method: "resources/read", params: { uri } }, sdk.ReadResourceResultSchema, options);
}

/** Reads a prompt with its arguments. */
export async function readPrompt(
  { sdk, client, timeout }: McpQuestion,
  { name, arguments: provided }: PromptRequest,
  signal: AbortSignal,
) {
  const params = { name, arguments: { ...provided } };
  return client.request({ method: "prompts/get", params }, sdk.GetPromptResultSchema, { timeout, signal });
}
