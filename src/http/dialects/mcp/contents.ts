import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { toGatewayError } from "../../../engine/errors.ts";
import type { McpSdk, McpSession } from "./session.ts";

/** Lists and reads the resources and prompts of other servers, as far as the caller's key may. */
export function offerContents(sdk: McpSdk, server: Server, { engine, options }: McpSession): void {
  const reader = { key: options.key, signal: options.signal, toolTokens: options.toolTokens };
  const list = () => engine.mcp.contents(reader);
  // The casts: what is answered is what another server wrote in the shape of the protocol.
  server.setRequestHandler(
    sdk.ListResourcesRequestSchema,
    async () => ({ resources: (await list()).resources }) as never,
  );
  server.setRequestHandler(
    sdk.ListResourceTemplatesRequestSchema,
    async () => ({ resourceTemplates: (await list()).templates }) as never,
  );
  server.setRequestHandler(sdk.ListPromptsRequestSchema, async () => ({ prompts: (await list()).prompts }) as never);
  server.setRequestHandler(
    sdk.ReadResourceRequestSchema,
    async ({ params }) => (await refusing(sdk, () => engine.mcp.readResource(params.uri, reader))) as never,
  );
  server.setRequestHandler(sdk.GetPromptRequestSchema, async ({ params }) => {
    const prompt = { name: params.name, arguments: params.arguments ?? {} };
    return (await refusing(sdk, () => engine.mcp.readPrompt(prompt, reader))) as never;
  });
}

/** What the protocol answers for a resource that is not there. */
const resourceNotFound = -32_002;

/** A failure as an error of the protocol, which has no other place for it here. */
async function refusing<Value>(sdk: McpSdk, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (thrown) {
    const { code, message, param } = toGatewayError(thrown);
    const isUnknown = code === "not_found";
    const number =
      isUnknown && param === "uri"
        ? resourceNotFound
        : isUnknown
          ? sdk.ErrorCode.InvalidParams
          : sdk.ErrorCode.InternalError;
    throw new sdk.McpError(number, message);
  }
}
