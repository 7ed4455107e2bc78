import { type Model, ModelListRequest, type ModelListResponse } from "../api/models.ts";
import { GatewayError, toGatewayError } from "../errors.ts";
import type { Access } from "../policy/access.ts";
import { entryFor } from "../policy/access.ts";
import { decideTarget } from "../policy/decide.ts";
import type { Provider } from "../ports.ts";
import { chooseCredentials } from "../route/credential.ts";
import { identify } from "./access.ts";
import { endAttempt, tryOnce } from "./attempt.ts";
import { assertOpen, type Call, openCall, type Question } from "./call.ts";
import { describeFacts } from "./facts.ts";
import { parserOf } from "./parse.ts";
import type { Ports } from "./ports.ts";
import { settleCall, settleFailure } from "./settle.ts";

const parse = parserOf(ModelListRequest);

/** What one provider said: its models, or why there are none. */
type Listing = { readonly models: readonly Model[] } | { readonly provider: string; readonly error: GatewayError };

/**
 * Lists the models of all providers, or of one (inference-resolved.md, section 5): asked at once, merged, sorted by id, paged.
 * Providers that fail are named in `extra_fields.warnings`; an error only when nothing is left and something failed.
 */
export async function listModels(ports: Ports, question: Question): Promise<ModelListResponse> {
  const call = openCall(ports, "list_models", question);
  try {
    assertOpen(call);
    const identified = identify(call, question.options.key);
    if (identified) await identified;
    const request = parse(question.input);
    const asked = providersToAsk(ports, request, call.access);
    const listings = await Promise.all(asked.map((provider) => askProvider(call, provider)));
    const models = listings.flatMap((listing) => ("models" in listing ? listing.models : []));
    const failed = listings.flatMap((listing) => ("error" in listing ? [listing] : []));
    if (models.length === 0 && failed[0]) throw failed[0].error;
    const page = pageOf(models.sort(byId), request);
    const warnings = failed.map(({ provider, error }) => `The models of ${provider} are missing: ${error.message}`);
    await settleCall(call, { status: 200, reason: "ok", warnings });
    const latency = ports.clock.now() - call.startedAt;
    const extra = { request_type: "list_models" as const, latency, ...(warnings.length > 0 ? { warnings } : {}) };
    return { object: "list", ...page, extra_fields: extra };
  } catch (thrown) {
    throw await settleFailure(call, thrown);
  }
}

/** A virtual key limits which providers are asked; an explicit one that it forbids is refused. */
function providersToAsk(
  { providers }: Ports,
  { provider: asked }: ModelListRequest,
  access: Access | undefined,
): Provider[] {
  if (asked === undefined || asked === "") {
    return [...providers.values()].filter(({ name, listModels }) => listModels && (!access || entryFor(access, name)));
  }
  const provider = providers.get(asked);
  if (!provider) {
    const message = `No provider \`${asked}\` is configured; there are: ${[...providers.keys()].join(", ")}.`;
    throw new GatewayError("provider_not_found", message, { param: "provider" });
  }
  if (access && !entryFor(access, asked)) {
    const message = `The virtual key does not allow the provider \`${asked}\`.`;
    throw new GatewayError("provider_blocked", message, { param: "provider" });
  }
  if (!provider.listModels) {
    throw new GatewayError("unsupported_operation", `The provider \`${asked}\` does not list its models.`);
  }
  return [provider];
}

async function askProvider(call: Call, provider: Provider): Promise<Listing> {
  const { name } = provider;
  try {
    const target = { provider: name, model: "", name };
    const approach = { target, tries: 1, credential: credentialFor(call, provider), deployment: "" };
    const { attempt, answer } = await tryOnce(call, approach, (asked, attempt) =>
      (asked as Required<Provider>).listModels(attempt),
    );
    endAttempt(call, attempt);
    return {
      models: answer.filter(({ id }) => isShown(call, name, id)).map((model) => describeModel(call, name, model)),
    };
  } catch (thrown) {
    return { provider: name, error: toGatewayError(thrown) };
  }
}

function credentialFor({ ports, options, access }: Call, { name, credentials = [] }: Provider): string | undefined {
  const allows = access && entryFor(access, name)?.allowsCredential;
  const allowed = credentials.filter(({ id }) => !allows || allows(id)).map(({ id, weight }) => ({ id, weight }));
  const { random, clock } = ports;
  const question = { model: "", draw: random(), now: clock.now(), session: options.session };
  return chooseCredentials(allowed, question)[0]?.credential.id;
}

function isShown({ access }: Call, provider: string, model: string): boolean {
  return !access || decideTarget(access, { provider, model }).kind === "grant";
}

/** The model as the gateway lists it: its full name, and what the catalogue knows where the provider's own list is silent. */
function describeModel({ ports, startedAt }: Call, provider: string, model: Model): Model {
  const facts = ports.books.prices.find(provider, model.id, startedAt);
  return { ...(facts ? describeFacts(facts) : {}), ...model, id: `${provider}/${model.id}` };
}

function byId(a: Model, b: Model): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Where a page begins, and the model before it: a list that changed meanwhile is noticed. */
interface PageToken {
  readonly o: number;
  readonly l: string;
}

function pageOf(
  models: readonly Model[],
  { page_size, page_token }: ModelListRequest,
): Pick<ModelListResponse, "data" | "next_page_token"> {
  const start = page_token ? startOf(models, page_token) : 0;
  const end = page_size ? start + page_size : models.length;
  const data = models.slice(start, end);
  const last = data.at(-1);
  if (!last || end >= models.length) return { data };
  const token: PageToken = { o: end, l: last.id };
  return { data, next_page_token: Buffer.from(JSON.stringify(token)).toString("base64url") };
}

function startOf(models: readonly Model[], pageToken: string): number {
  const token = readToken(pageToken);
  const isCurrent = token !== undefined && models[token.o - 1]?.id === token.l;
  if (isCurrent) return token.o;
  const reason = token ? "is stale: the list has changed; begin again without it" : "is malformed";
  throw new GatewayError("invalid_request", `\`page_token\` ${reason}.`, { param: "page_token" });
}

function readToken(text: string): PageToken | undefined {
  try {
    const token: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (typeof token !== "object" || token === null || !("o" in token) || !("l" in token)) return undefined;
    const { o, l } = token;
    return Number.isSafeInteger(o) && typeof l === "string" ? { o: o as number, l } : undefined;
  } catch {
    return undefined; // not JSON: the caller hears that the token is malformed
  }
}
