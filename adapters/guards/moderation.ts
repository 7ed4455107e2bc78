import { GatewayError } from "../../src/engine/errors.ts";
import type { Middleware, MiddlewareContext } from "../../src/engine/ports/middleware/middleware.ts";
import type { Transport } from "../../src/engine/ports/transport.ts";
import { answerTexts, requestTexts } from "../shared/guards/texts.ts";
import { httpClient } from "../shared/http/client.ts";
import { type Checks, callable, checkedOptions, flag, object, text } from "../shared/options.ts";

/** The options of the guard. */
export interface ModerationOptions {
  /** As errors and events name it; `moderation` unless rest. */
  readonly name?: string | undefined;
  /** The key of the endpoint; none is sent unless rest. */
  readonly apiKey?: string | undefined;
  /** Where `/moderations` is; OpenAI's API unless rest. Mistral's has the same form. */
  readonly baseUrl?: string | undefined;
  /** `omni-moderation-latest` unless rest. */
  readonly model?: string | undefined;
  /** The categories that refuse; all unless rest. */
  readonly categories?: readonly string[] | undefined;
  /** The score from which on a category refuses; the endpoint's own verdict unless rest. */
  readonly threshold?: number | undefined;
  /** Whether requests are read; true unless rest. */
  readonly requests?: boolean | undefined;
  /** Whether answers are read; true unless rest. */
  readonly answers?: boolean | undefined;
  readonly transport?: Transport | undefined;
  readonly fetch?: typeof fetch | undefined;
}

const checks: Checks<ModerationOptions> = {
  name: text,
  apiKey: text,
  baseUrl: text,
  model: text,
  categories: [
    (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
    "a list of categories",
  ],
  threshold: [(value) => typeof value === "number" && value > 0 && value <= 1, "a number above 0 and at most 1"],
  requests: flag,
  answers: flag,
  transport: object,
  fetch: callable,
};

/** One text's result at an endpoint of OpenAI's form. */
interface ModerationResult {
  readonly flagged?: unknown;
  readonly categories?: Readonly<Record<string, unknown>>;
  readonly category_scores?: Readonly<Record<string, unknown>>;
}

/** Texts of one request to the endpoint, and characters of one content; a longer one is refused. */
const mostTexts = 32;
const mostCharacters = 1_000_000;
const timeouts = { connect: 10_000, firstContent: 30_000, firstContentMax: 30_000, gap: 10_000, whole: 30_000 };

/** Asks a vendor's moderation endpoint about requests and answers, which are held back whole for it. Throws `invalid_configuration`. */
export function moderation(options: ModerationOptions = {}): Middleware {
  const {
    name = "moderation",
    model = "omni-moderation-latest",
    ...rest
  } = checkedOptions(options, checks, {
    of: "moderation",
  });
  const { apiKey, baseUrl = "https://api.openai.com/v1", requests = true, answers = true, transport, fetch } = rest;
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const client = httpClient({ provider: name, baseUrl, headers, transport, fetch });
  const check = async (texts: readonly string[], context: MiddlewareContext): Promise<undefined> => {
    const spoken = texts.filter((one) => one.trim() !== "");
    if (spoken.reduce((sum, one) => sum + one.length, 0) > mostCharacters)
      context.block("too_long", "The content is too long to be moderated.");
    for (let at = 0; at < spoken.length; at += mostTexts) {
      const input = spoken.slice(at, at + mostTexts);
      const { signal } = context;
      const body = await client.post(
        "/moderations",
        { model, input },
        { signal, timeouts, raw: undefined, startedAt: 0 },
      );
      for (const result of resultsOf(body, input.length)) judgeResult(result, rest, context);
    }
    return undefined;
  };
  return {
    name,
    ...(requests && { request: (request, context) => check(requestTexts(context.verb, request), context) }),
    ...(answers && { answer: (answer, context) => check(answerTexts(answer), context) }),
  };
}

/** One result for each text: an endpoint that leaves some out has not checked them. */
function resultsOf(body: unknown, count: number): readonly ModerationResult[] {
  const { results } = (body ?? {}) as { readonly results?: unknown };
  if (Array.isArray(results) && results.length === count) return results;
  throw new GatewayError("upstream_invalid_response", "The moderation endpoint gave no result for each text.");
}

function judgeResult(
  { flagged, categories = {}, category_scores: scores = {} }: ModerationResult,
  { categories: wanted, threshold }: Pick<ModerationOptions, "categories" | "threshold">,
  context: MiddlewareContext,
): void {
  const names = wanted ?? [...new Set([...Object.keys(categories), ...Object.keys(scores)])];
  const hit = names.find((one) =>
    threshold === undefined ? categories[one] === true : Number(scores[one]) >= threshold,
  );
  const isFlagged = hit !== undefined || (wanted === undefined && threshold === undefined && flagged === true);
  if (hit !== undefined) context.note({ category: hit, score: Number(scores[hit] ?? 1) });
  if (isFlagged) context.block(hit ?? "flagged", "The content was refused by moderation.");
}
