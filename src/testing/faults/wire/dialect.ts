import { anthropicDialect } from "./anthropic.ts";
import { openaiDialect } from "./openai.ts";
import type { DialectName, WireDialect } from "./wire.ts";

/** The vendors' interfaces that the fault server speaks. */
const dialects: Readonly<Record<DialectName, WireDialect>> = {
  openai: openaiDialect,
  anthropic: anthropicDialect,
};

/** The dialect that a path belongs to, wherever a base URL puts it; `undefined` for any other path. */
export function dialectOf(path: string): WireDialect | undefined {
  return Object.values(dialects).find((dialect) => path.endsWith(dialect.path));
}
