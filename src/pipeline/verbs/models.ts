import { type Model, ModelListRequest, type ModelListResponse } from "../../api/models.ts";
import { GatewayError } from "../../errors.ts";
import type { KeyPermissions } from "../../policy/access.ts";
import { entryFor } from "../../policy/access.ts";
import type { Provider } from "../../ports/provider.ts";
import { settleCall, settleFailure } from "../accounting/settle.ts";
import { authenticate } from "../call/authenticate.ts";
import { assertOpen, type CallInput, openCall, since } from "../call/call.ts";
import { parserOf } from "../call/parse.ts";
import type { Ports } from "../runtime/ports.ts";
import { askProvider } from "./provider-models.ts";

const parse = parserOf(ModelListRequest);

/**
 * Lists the models of all providers, or of one (inference-resolved.md, section 5): asked at once, merged, sorted by id, paged.
 * Providers that fail are named in `extra_fields.warnings`; an error only when nothing is left and something failed.
 */
export async function listModels(ports: Ports, question: CallInput): Promise<ModelListResponse> {
  const call = openCall(ports, "list_models", question);
  try {
    assertOpen(call);
    const identified = authenticate(call, question.options.key);
    if (identified) await identified;
    const request = parse(question.input);
    const providers = providersToAsk(ports, request, call.access);
    const listings = await Promise.all(providers.map((provider) => askProvider(call, provider)));
    const models = listings.flatMap((listing) => ("models" in listing ? listing.models : []));
    const failed = listings.flatMap((listing) => ("error" in listing ? [listing] : []));
    if (models.length === 0 && failed[0]) throw failed[0].error;
    const page = pageOf(models.sort(byId), request);
    const warnings = failed.map(({ provider, error }) => `The models of ${provider} are missing: ${error.message}`);
    await settleCall(call, { status: 200, reason: "ok", warnings });
    const latency = since(call.startedAt, ports.clock.now());
    const extra = { request_type: "list_models" as const, latency, ...(warnings.length > 0 ? { warnings } : {}) };
    return { object: "list", ...page, extra_fields: extra };
  } catch (thrown) {
    throw await settleFailure(call, thrown);
  }
}

/** A virtual key limits which providers are asked; naming one that it forbids is refused. */
function providersToAsk(
  { providers }: Ports,
  { provider: requested }: ModelListRequest,
  access: KeyPermissions | undefined,
): Provider[] {
  if (requested === undefined || requested === "") {
    return [...providers.values()].filter(({ name, listModels }) => listModels && (!access || entryFor(access, name)));
  }
  const provider = providers.get(requested);
  if (!provider) {
    const message = `No provider \`${requested}\` is configured; there are: ${[...providers.keys()].join(", ")}.`;
    throw new GatewayError("provider_not_found", message, { param: "provider" });
  }
  if (access && !entryFor(access, requested)) {
    const message = `The virtual key does not allow the provider \`${requested}\`.`;
    throw new GatewayError("provider_blocked", message, { param: "provider" });
  }
  if (!provider.listModels) {
    throw new GatewayError("unsupported_operation", `The provider \`${requested}\` does not list its models.`);
  }
  return [provider];
}

function byId(a: Model, b: Model): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Where a page begins, and the model before it: a list that changed meanwhile is detected. */
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
    return undefined; // not JSON: the caller gets the error of a malformed token
  }
}
