import { z } from "zod";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { ToolServerSettings } from "../../../src/engine/ports/tools/tool-settings.ts";
import { type Duration, durationIn } from "../../../src/engine/runtime/duration.ts";
import { describeIssues } from "../../../src/engine/runtime/issues/issues.ts";

const dollars = z.number().nonnegative().max(1_000);
const texts = z.record(z.string().min(1), z.string());

/** How long one call may take. */
const CallTime = z.custom<Duration>((value) => {
  const ms = typeof value === "number" || typeof value === "string" ? durationIn("ms", value) : undefined;
  return ms !== undefined && ms > 0 && ms <= 86_400_000;
}, 'must be milliseconds above 0, a day at most, or text with its unit, like "30s"');

/** Names and values that HTTP can carry. */
const Headers = texts.refine((headers) => {
  try {
    return new globalThis.Headers(headers) !== undefined;
  } catch {
    return false;
  }
}, "must hold names and values of HTTP headers");

/** Headers in which callers send the gateway's own keys, or that HTTP itself uses: a token of another service is in none of them. */
const foreignHeaders =
  /^(?:authorization|proxy-.*|x-api-key|api-key|x-goog-api-key|x-tg-.*|cookie|host|content-.*|accept.*|mcp-.*)$/;

const TokenHeader = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header")
  .transform((name) => name.toLowerCase())
  .refine((name) => !foreignHeaders.test(name), "must be a header of its own: the gateway or HTTP uses this one");

/** The settings of a tool server. */
const ToolServerShape = z
  .strictObject({
    url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
    headers: Headers.optional(),
    oauth: z
      .strictObject({ clientId: z.string().min(1), clientSecret: z.string().min(1), scope: z.string().optional() })
      .optional(),
    userToken: z.strictObject({ header: TokenHeader }).optional(),
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    cwd: z.string().min(1).optional(),
    timeoutMs: CallTime.optional(),
    maxBytes: z.int().min(1_024).max(1_073_741_824).optional(),
    approval: z.enum(["first_use", "pinned"]).optional(),
    price: z.union([dollars, z.record(z.string(), dollars)]).optional(),
  })
  .superRefine(({ url, command, ...rest }, context) => {
    const complain = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if ((url === undefined) === (command === undefined)) complain("url", "is needed, or `command`, and not both");
    const foreign =
      command === undefined ? (["args", "env", "cwd"] as const) : (["headers", "oauth", "userToken"] as const);
    const owner = command === undefined ? "command" : "url";
    const names = Object.keys(rest.headers ?? {}).map((name) => name.toLowerCase());
    if (rest.userToken && (rest.oauth || names.includes("authorization")))
      complain("userToken", "is in place of `oauth` and of the header `authorization`");
    for (const field of foreign) if (rest[field] !== undefined) complain(field, `is for a server with \`${owner}\``);
  });

/** The settings with their defaults. */
export interface CheckedToolServer extends Omit<ToolServerSettings, "timeoutMs"> {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const defaults = { timeoutMs: 60_000, maxBytes: 8_388_608 };

/** Checks the settings of a server; throws `invalid_configuration` with the field's path in `param`. */
export function checkSettings(name: string, settings: ToolServerSettings): CheckedToolServer {
  const checked = ToolServerShape.safeParse(settings);
  if (checked.success) return { ...checked.data, ...withDefaults(checked.data) };
  const { param, message } = describeIssues(checked.error.issues);
  const path = ["mcp.servers", name, ...(param === undefined ? [] : [param])].join(".");
  throw new GatewayError("invalid_configuration", `\`${path}\`: ${message}.`, { param: path });
}

function withDefaults({
  timeoutMs = defaults.timeoutMs,
  maxBytes,
}: Pick<ToolServerSettings, "timeoutMs" | "maxBytes">) {
  return { timeoutMs: durationIn("ms", timeoutMs) ?? defaults.timeoutMs, maxBytes: maxBytes ?? defaults.maxBytes };
}
