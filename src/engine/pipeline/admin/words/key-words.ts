import { GatewayError } from "../../../errors.ts";

/** The command line's words for a key, which `keys.create` takes in place of the records' own fields. */
export interface KeyWords {
  /** Models to allow: `"openai/gpt-5"`, `"openai/*"` or `"*"`. In place of `provider_configs`. */
  readonly allow?: readonly string[] | undefined;
  /** US dollars per window, e.g. `"10/1M"`, or several. In place of `budgets`. Windows: 1m, 1h, 1d, 1w, 1M, 1Q, 1Y, never. */
  readonly budget?: string | readonly string[] | undefined;
  /** Requests per window, e.g. `"60/1m"`. In place of `rate_limits`. */
  readonly requests?: string | readonly string[] | undefined;
  /** Tokens per window, e.g. `"100000/1h"`. In place of `rate_limits`. */
  readonly tokens?: string | readonly string[] | undefined;
  /** Reserves the highest possible cost of each call, so that no budget is exceeded. False unless set. */
  readonly hard?: boolean | undefined;
}

/** A draft in the words of the command line, in those of records. Throws `invalid_request` with the word at fault in `param`. */
export function inRecordFields(draft: KeyWords & Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { allow, budget, requests, tokens, hard, ...fields } = draft;
  const isRated = requests !== undefined || tokens !== undefined;
  if (allow !== undefined) refuseBoth(fields, "allow", "provider_configs");
  if (budget !== undefined) refuseBoth(fields, "budget", "budgets");
  if (isRated) refuseBoth(fields, requests === undefined ? "tokens" : "requests", "rate_limits");
  if (hard !== undefined && typeof hard !== "boolean") throw refuse("hard", "must be true or false");
  if (hard !== undefined && budget === undefined) throw refuse("hard", "applies to `budget`, which is absent");
  const enforcement = hard ? "hard" : "soft";
  const rates = [
    ...readWindows("requests", requests).map(({ amount, window }) => ({
      request_max_limit: amount,
      request_reset_duration: window,
    })),
    ...readWindows("tokens", tokens).map(({ amount, window }) => ({
      token_max_limit: amount,
      token_reset_duration: window,
    })),
  ];
  return {
    ...fields,
    ...(allow === undefined ? {} : { provider_configs: readAllowed(allow) }),
    ...(budget === undefined ? {} : { budgets: readWindows("budget", budget).map(toBudget(enforcement)) }),
    ...(isRated ? { rate_limits: rates } : {}),
  };
}

const toBudget =
  (enforcement: string) =>
  ({ amount, window }: WindowAmount) => ({ max_limit: amount, reset_duration: window, enforcement });

function readAllowed(allow: unknown): { provider: string; allowed_models: string[] }[] {
  if (!Array.isArray(allow)) throw refuse("allow", 'must be a list of models, such as `["openai/*"]`');
  const entries = new Map<string, string[]>();
  for (const [at, pattern] of allow.entries()) {
    if (typeof pattern !== "string" || !/^[^/]+(\/.+)?$/.test(pattern))
      throw refuse(`allow.${at}`, "must be a model or a pattern, such as `openai/gpt-5`, `openai/*` or `*`");
    const slash = pattern.indexOf("/");
    const provider = slash < 0 ? "*" : pattern.slice(0, slash);
    const model = /^[^/]+\/\*$/.test(pattern) ? "*" : pattern;
    entries.set(provider, [...(entries.get(provider) ?? []), model]);
  }
  return [...entries].map(([provider, allowed_models]) => ({ provider, allowed_models }));
}

interface WindowAmount {
  readonly amount: number;
  readonly window: string;
}

function readWindows(word: string, limits: unknown): WindowAmount[] {
  if (limits === undefined) return [];
  return (Array.isArray(limits) ? limits : [limits]).map((limit: unknown) => {
    const [, amount, unit] = /^\$?(\d{1,15}(?:\.\d{1,9})?)\/(?:1?([mhdwMQY])|never)$/.exec(`${limit}`) ?? [];
    const sample = word === "budget" ? "10/1M" : "60/1m";
    if (amount === undefined) throw refuse(word, `must be an amount per window, such as \`"${sample}"\``);
    if (word !== "budget" && amount.includes(".")) throw refuse(word, "must be a whole number per window");
    return { amount: Number(amount), window: unit === undefined ? "never" : `1${unit}` };
  });
}

function refuseBoth(fields: object, word: string, field: string): void {
  if (field in fields) throw refuse(word, `says the same as \`${field}\`: leave one of them out`);
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
