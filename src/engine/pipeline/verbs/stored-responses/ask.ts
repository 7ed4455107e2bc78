import { type AnswerIds, withAnswerIds, withItemIds } from "../../../dialects/openai/stored-ids.ts";
import { GatewayError, toGatewayError } from "../../../errors.ts";
import { decideTarget } from "../../../policy/decide.ts";
import { toRefusalError } from "../../../policy/refusal.ts";
import type { Call } from "../../call/call.ts";
import { asFreeCall } from "../../call/free-call.ts";
import type { OwnedIds } from "../../call/owned-ids.ts";
import type { Ports } from "../../runtime/ports.ts";
import { notFound, ownedIdsOf } from "../../stored-ids/call-ids.ts";
import { askVendor, missing } from "./ask-vendor.ts";
import type { StoredAnswer, StoredQuestion } from "./stored-responses.ts";

const nothingStored = "No provider of this gateway stores responses: keep what you need of the answer.";

/** Asks for a stored response: a key for its own, the trusted caller for any. */
export function askStoredResponse(ports: Ports, question: StoredQuestion): Promise<StoredAnswer> {
  return asFreeCall(ports, { input: {}, options: question.options ?? {} }, async (call) => {
    if (placesOf(ports).length === 0) throw new GatewayError("unsupported_operation", nothingStored);
    const owned = await ownedIdsOf(call);
    return owned ? askOwned(call, question, owned) : askAnywhere(call, question);
  });
}

/** Asks the vendor that holds the response, for its owner. */
async function askOwned(call: Call, question: StoredQuestion, owned: OwnedIds): Promise<StoredAnswer> {
  const held = owned.open(question.id);
  if (!held?.id.startsWith("resp_")) throw missing(question);
  const refused = call.access && decideTarget(call.access, held);
  if (refused?.kind === "refusal") throw toRefusalError(refused);
  const { query = {} } = question;
  const { after: id } = query;
  const after = id === undefined ? undefined : owned.open(id)?.id;
  if (id !== undefined && after === undefined) throw notFound({ what: "Item", id, param: "after" });
  const body = await askVendor(call, held, { ...question, query: { ...query, after } });
  const replace = (vendors: string) => (vendors === held.id ? question.id : owned.seal(vendors, held));
  return withOwnIds(body, { replace, isStored: true });
}

/** The answer with the owner's ids: a response, a list of items, or the id of what was removed. */
function withOwnIds(body: StoredAnswer, ids: AnswerIds): StoredAnswer {
  const { data } = body;
  if (!Array.isArray(data)) return withAnswerIds(body, ids);
  const ends = ["first_id", "last_id"].flatMap((field) => {
    const end = body[field];
    return typeof end === "string" ? [[field, ids.replace(end)]] : [];
  });
  return { ...body, data: data.map((item) => withItemIds(item, ids)), ...Object.fromEntries(ends) };
}

/** Asks each vendor that may hold the response, with each of its credentials, until one knows it. */
async function askAnywhere(call: Call, question: StoredQuestion): Promise<StoredAnswer> {
  let failure: GatewayError | undefined;
  for (const { provider, credential } of placesOf(call.ports)) {
    try {
      return await askVendor(call, { provider, credential, model: "", id: question.id }, question);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      failure ??= error.code === "not_found" ? undefined : error;
    }
  }
  throw failure ?? missing(question);
}

/** The vendors that hold responses, with each of their credentials. */
function placesOf({ providers }: Ports): { readonly provider: string; readonly credential: string | undefined }[] {
  return [...providers].flatMap(([provider, { storedResponse, credentials }]) => {
    if (!storedResponse) return [];
    return (credentials ?? [undefined]).map((credential) => ({ provider, credential: credential?.id }));
  });
}
