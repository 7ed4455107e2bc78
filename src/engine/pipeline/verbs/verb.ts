import type { RequestType } from "../../api/common.ts";
import type { Consumable } from "../../metering/usage-bound.ts";
import type { ModelFacts } from "../../ports/prices.ts";
import type { Provider, ProviderVerb } from "../../ports/provider.ts";
import type { Attempt } from "../attempts/attempt.ts";
import type { Candidates } from "../attempts/candidates.ts";
import type { AskCandidates, DiscardAnswer } from "../attempts/hedge.ts";
import type { Served } from "../attempts/target.ts";
import type { Call } from "../call/call.ts";
import type { Parser } from "../call/parse.ts";
import type { RoutedCall } from "../call/routed-call.ts";
import type { Route } from "../routing/route.ts";

/** The fields of every request with a route. */
export interface Routed {
  readonly model: string;
  readonly fallbacks?: readonly string[] | undefined;
}

/** What differs between the verbs; all else is one pipeline. */
export interface Verb<Request extends Routed, Answer, Result> {
  readonly requestType: RequestType;
  /** The provider's method, whose routes are planned; a provider without it does not offer the verb. Or the verb's own way to a route. */
  readonly route: ProviderVerb | ((call: Call, request: Request) => Promise<Route>);
  readonly parse: Parser<Request>;
  /** The documented fields; others go on to the provider, with a warning. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly ask: (provider: Required<Provider>, request: Request, attempt: Attempt) => Promise<Answer>;
  readonly deliver: (candidates: Candidates, served: Served<Answer>, request: Request) => Promise<Result>;
  /** Asks and delivers in the verb's own way; `undefined` where the candidates are asked in order. */
  readonly serve?: (routed: RoutedCall<Request>, askCandidates: AskCandidates<Answer>) => Promise<Result> | undefined;
  /** Ends an answer that no caller gets, since another target answered first, and bills it. */
  readonly discard: DiscardAnswer<Answer>;
  /** The most that the request can consume of a model. */
  readonly bound: (request: Request, facts: ModelFacts | undefined) => Consumable;
}
