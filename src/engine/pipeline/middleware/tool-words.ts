import type { ToolCallResponse } from "../../api/mcp/call.ts";
import { GatewayError, isGatewayError } from "../../errors.ts";
import type { ToolProgress } from "../../ports/tools/tool-server.ts";
import type { NoteLoss } from "./chat-texts.ts";
import { type PassText, passJson } from "./texts.ts";

const place = { kind: "other", choice: 0 } as const;

/** Members of blocks that hold media, in base64. */
const mediaMembers = ["data", "blob"] as const;

/** The answer of a tool with all its texts passed: strings, names and numbers. Media that a guard would change are left out. */
export async function passToolAnswer(
  answer: ToolCallResponse,
  pass: PassText,
  lost: NoteLoss,
): Promise<ToolCallResponse> {
  const { content, structuredContent, isError, usage, extra_fields } = answer;
  const passed: ToolCallResponse["content"] = [];
  for (const block of content) {
    const own = await passBlock(block, pass);
    if (own)
      passed.push(own as ToolCallResponse["content"][number]); // the same members
    else lost(blockTypes.has(block.type) ? block.type : "content");
  }
  return {
    content: passed,
    ...(structuredContent === undefined ? {} : { structuredContent: await passValue(structuredContent, pass) }),
    ...(isError === undefined ? {} : { isError }),
    ...(usage === undefined ? {} : { usage }),
    ...(extra_fields === undefined ? {} : { extra_fields }),
  };
}

const blockTypes: ReadonlySet<string> = new Set(["text", "image", "audio", "resource", "resource_link"]);

/** A block with its texts passed; undefined for media that a guard would change, and for a type that the protocol does not have. */
async function passBlock(block: object, pass: PassText): Promise<object | undefined> {
  const { type, resource, ...members } = block as { readonly type?: unknown; readonly resource?: unknown };
  if (typeof type !== "string" || !blockTypes.has(type)) return undefined;
  const own = await passMembers(members, pass);
  if (!own) return undefined;
  if (typeof resource !== "object" || resource === null) return { type, ...own };
  const inner = await passMembers(resource, pass);
  return inner && { type, ...own, resource: inner };
}

async function passMembers(members: object, pass: PassText): Promise<object | undefined> {
  const rest: Record<string, unknown> = { ...members };
  const media: Record<string, string> = {};
  for (const name of mediaMembers) {
    const value = rest[name];
    if (typeof value !== "string") continue;
    if (value !== "" && (await pass(value, place)) !== value) return undefined;
    media[name] = value;
    delete rest[name];
  }
  return { ...(await passValue(rest, pass)), ...media };
}

async function passValue<Value extends object>(value: Value, pass: PassText): Promise<Value> {
  return JSON.parse(await passJson(JSON.stringify(value), pass, place)) as Value; // the same, with other texts
}

/** Reports of progress without what the server says, which no guard has read. */
export function withoutMessages(onProgress: (progress: ToolProgress) => void): (progress: ToolProgress) => void {
  return ({ message: _unread, ...progress }) => onProgress(progress);
}

/** Rejects without the words of the server where it failed: no guard has read them. */
export async function withoutServerWords<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (thrown) {
    if (!isGatewayError(thrown) || !thrown.upstream) throw thrown;
    const { status, code } = thrown.upstream;
    const message = "The tool server answered with an error. Its words were not checked and are left out.";
    throw new GatewayError(thrown.code, message, { upstream: { status, code, message } });
  }
}
