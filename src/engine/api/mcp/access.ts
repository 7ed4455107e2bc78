import { z } from "zod";
import { Budget, RateLimit } from "../limits/limit.ts";

/** Characters that a tool's name may have. */
export const longestToolName = 256;

/** The name of a configured tool server: what stands before `__` in the names of its tools. */
export const ToolServerName = z
  .string()
  .max(32)
  .regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*$/, "must be lower-case letters and digits, with single `-` or `_` between them");

/** A tool's own name at its server, in which `*` stands for any characters: `create_issue`, `read_*`, `*`. */
const ToolPattern = z.string().min(1).max(longestToolName);
const ToolPatterns = z.array(ToolPattern).max(1_000);

const ResourcePatterns = z.array(z.string().min(1).max(2_048)).max(1_000);

const ServerPattern = z.union([z.literal("*"), ToolServerName], {
  error: "must be the name of a tool server, or `*` for all that have no entry of their own",
});

/** The tools of one server; what is not allowed is not allowed. */
const access = {
  /** The name of a configured server, or `*` for every server that has no entry of its own. */
  server: ServerPattern,
  /** `["*"]` allows all of its tools, `[]` none. */
  allowed_tools: ToolPatterns,
  /** Wins over `allowed_tools`. */
  blocked_tools: ToolPatterns.default(() => []),
  /** Resources that may be read, by patterns of the server's own addresses; none without. */
  allowed_resources: ResourcePatterns.optional(),
  /** Prompts that may be read, by patterns of their names; none without. */
  allowed_prompts: ToolPatterns.optional(),
};

/** A tool server that a key may use, and what of it; without an entry there is no access. */
export const McpConfig = z.strictObject({
  ...access,
  /** Budgets of the calls to this server with this key. */
  budgets: z
    .array(Budget)
    .max(20)
    .default(() => []),
  rate_limits: z
    .array(RateLimit)
    .max(20)
    .default(() => []),
  /** Stores arguments and results of the calls in the ledger, after guards have changed them; false by default. */
  log_content: z.boolean().optional(),
});
export type McpConfig = z.infer<typeof McpConfig>;

/** What the keys of a project or a customer may use at most of a tool server. */
const McpCeiling = z.strictObject(access);
export type McpCeiling = z.infer<typeof McpCeiling>;

function uniqueServers<Entry extends z.ZodType<{ readonly server: string }>>(entry: Entry) {
  return z
    .array(entry)
    .max(100)
    .superRefine((entries, context) => {
      const names = entries.map(({ server }) => server);
      const at = names.findIndex((name, position) => names.indexOf(name) !== position);
      if (at >= 0)
        context.addIssue({ code: "custom", path: [at, "server"], message: `\`${names[at]}\` is there twice` });
    });
}

/** The tool servers of a key, one entry for each. */
export const McpConfigs = uniqueServers(McpConfig);

/** The tool servers of a project or a customer, one entry for each. */
export const McpCeilings = uniqueServers(McpCeiling);
