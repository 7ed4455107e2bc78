import { ModelListRequest, type ModelListResponse } from "../../api/models.ts";
import { settleCall, settleFailure } from "../accounting/settle.ts";
import { authenticate } from "../call/authenticate.ts";
import { assertOpen, type Call, since } from "../call/call.ts";
import { parserOf } from "../call/parse.ts";
import { providersToAsk } from "./listing-providers.ts";
import { lastOf, mayFollow, pageOf } from "./model-page.ts";
import { askProvider } from "./provider-models.ts";

const parse = parserOf(ModelListRequest);

/**
 * Lists the models of all providers, or of one (inference-resolved.md, section 5): asked at once, merged, sorted by id, paged.
 * Providers that fail are named in `extra_fields.warnings`; an error only when nothing is left and something failed. A page behind the
 * first one is taken from the lists of the last five minutes, and asks only providers whose models may stand on it and were not read.
 */
export async function listModels(call: Call, input: unknown): Promise<ModelListResponse> {
  const { ports } = call;
  try {
    assertOpen(call);
    const identified = authenticate(call, call.options.key);
    if (identified) await identified;
    const request = parse(input);
    const last = request.page_token ? lastOf(request.page_token) : undefined;
    const isNextPage = last !== undefined;
    const providers = providersToAsk(ports, request, call.access).filter(
      ({ name }) => !isNextPage || mayFollow(name, last),
    );
    const listings = await Promise.all(providers.map((provider) => askProvider(call, provider, isNextPage)));
    const models = listings.flatMap((listing) => ("models" in listing ? listing.models : []));
    const failed = listings.flatMap((listing) => ("error" in listing ? [listing] : []));
    const page = pageOf(models, { last, size: request.page_size });
    if (page.data.length === 0 && failed[0]) throw failed[0].error;
    const warnings = failed.map(({ provider, error }) => `The models of ${provider} are missing: ${error.message}`);
    await settleCall(call, { status: 200, reason: "ok", warnings });
    const latency = since(call.startedAt, ports.clock.now());
    const extra = { request_type: "list_models" as const, latency, ...(warnings.length > 0 ? { warnings } : {}) };
    return { object: "list", ...page, extra_fields: extra };
  } catch (thrown) {
    throw await settleFailure(call, thrown);
  }
}
