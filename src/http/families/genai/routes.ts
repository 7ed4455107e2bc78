import type { Route } from "../../../operations/define.ts";

/** Where the operations of Google's Gemini API are. */
export const routes = {
  genai_generate: "POST /genai/v1beta/models/{+model}:generateContent",
  genai_stream: "POST /genai/v1beta/models/{+model}:streamGenerateContent",
  genai_count_tokens: "POST /genai/v1beta/models/{+model}:countTokens",
  genai_embed: "POST /genai/v1beta/models/{+model}:embedContent",
  genai_batch_embed: "POST /genai/v1beta/models/{+model}:batchEmbedContents",
  genai_models: "GET /genai/v1beta/models",
  genai_model: "GET /genai/v1beta/models/{+model}",
} as const satisfies Record<string, Route>;

/** Each operation twice: the vendor's newest clients ask for its stable version. */
export function withStable<Row>(
  newest: Readonly<Record<string, Row>>,
  atVersion1: (row: Row) => Row = (row) => row,
): Record<string, Row> {
  const stable = Object.entries(newest).map(([name, row]) => [`${name}_v1`, atVersion1(row)]);
  return { ...newest, ...Object.fromEntries(stable) };
}

/** A path, or a route, of the vendor's newest version under its stable one. */
export function toVersion1<Path extends string>(path: Path): Path {
  return path.replace("/v1beta/", "/v1/") as Path; // the seam: a path stays one
}
