import type { RoutePattern } from "../../../operations/define.ts";
import type { RequestHandler } from "../../context.ts";
import type { VendorDialect } from "../shared/dialect.ts";
import { refuse } from "./errors.ts";

/** Method and path of each operation of Google's Gemini API. */
export const routes = {
  genai_generate: "POST /genai/v1beta/models/{+model}:generateContent",
  genai_stream: "POST /genai/v1beta/models/{+model}:streamGenerateContent",
  genai_count_tokens: "POST /genai/v1beta/models/{+model}:countTokens",
  genai_embed: "POST /genai/v1beta/models/{+model}:embedContent",
  genai_batch_embed: "POST /genai/v1beta/models/{+model}:batchEmbedContents",
  // The AI SDK writes no `models/` before a name that has a slash.
  genai_generate_named: "POST /genai/v1beta/{+model}:generateContent",
  genai_stream_named: "POST /genai/v1beta/{+model}:streamGenerateContent",
  genai_embed_named: "POST /genai/v1beta/{+model}:embedContent",
  genai_batch_embed_named: "POST /genai/v1beta/{+model}:batchEmbedContents",
  genai_models: "GET /genai/v1beta/models",
  genai_model: "GET /genai/v1beta/models/{+model}",
} as const satisfies Record<string, RoutePattern>;

/** Each operation twice, under `name` and `name_v1`: the vendor's newest clients call its stable version. */
export function withStable<Row>(
  newest: Readonly<Record<string, Row>>,
  atVersion1: (row: Row) => Row = (row) => row,
): Record<string, Row> {
  const stable = Object.entries(newest).map(([name, row]) => [`${name}_v1`, atVersion1(row)]);
  return { ...newest, ...Object.fromEntries(stable) };
}

/** A path, or a route, of the vendor's beta version in its stable one. */
export function toVersion1<Path extends string>(path: Path): Path {
  return path.replace("/v1beta/", "/v1/") as Path; // the version in a path does not change its type
}

/** Google's Gemini API, in both of its versions. */
export const genai: VendorDialect = {
  prefix: "/genai/",
  vendor: "gemini",
  routes: withStable(routes, toVersion1),
  load: async () => ({ handlers: withStable(await loadHandlers()) }),
  refuse,
};

async function loadHandlers(): Promise<Record<keyof typeof routes, RequestHandler>> {
  return (await import("./handlers.ts")).handlers;
}
