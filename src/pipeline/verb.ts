import type { RequestType } from "../api/common.ts";
import type { ModelFacts, Provider, ProviderVerb } from "../ports.ts";
import type { Consumable } from "../usage/estimate.ts";
import type { Journey } from "./ask.ts";
import type { Attempt } from "./attempt.ts";
import type { Parser } from "./parse.ts";
import type { Served } from "./target.ts";

/** What every request with a route has. */
export interface Routed {
  readonly model: string;
  readonly fallbacks?: readonly string[] | undefined;
}

/** What differs between the verbs; all else is one pipeline. */
export interface Verb<Request extends Routed, Answer, Result> {
  readonly requestType: RequestType;
  /** The provider's method; a provider without it does not offer the verb. */
  readonly method: ProviderVerb;
  readonly parse: Parser<Request>;
  readonly ask: (provider: Required<Provider>, request: Request, attempt: Attempt) => Promise<Answer>;
  readonly deliver: (journey: Journey, served: Served<Answer>, request: Request) => Promise<Result>;
  /** The most that the request can consume of a model. */
  readonly bound: (request: Request, facts: ModelFacts | undefined) => Consumable;
}
