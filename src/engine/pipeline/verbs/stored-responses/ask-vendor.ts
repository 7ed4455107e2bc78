import { isRecord } from "../../../dialects/wire-values.ts";
import { GatewayError, toGatewayError } from "../../../errors.ts";
import { openTargetRun } from "../../attempts/target-run.ts";
import { askOnce } from "../../attempts/try-once.ts";
import type { Call } from "../../call/call.ts";
import { responseName } from "../../runtime/held/awaited-responses.ts";
import type { HeldId } from "../../runtime/held/id-seal.ts";
import { notFound } from "../../stored-ids/call-ids.ts";
import type { StoredAnswer, StoredQuestion } from "./stored-responses.ts";

/** Actions whose answer is the response. */
const showing: ReadonlySet<unknown> = new Set(["retrieve", "cancel"]);

/** Asks the vendor that holds a response, with the credential that reaches it. Throws `not_found` where the vendor does not know it. */
export async function askVendor(call: Call, held: HeldId, question: StoredQuestion): Promise<StoredAnswer> {
  const { provider, credential, model, id } = held;
  if (!call.ports.providers.get(provider)?.storedResponse) throw missing(question);
  // A name of its own: a model that answers must not be blocked because a stored response cannot be read.
  const run = openTargetRun(call, { provider, model, name: `${provider}/${model}:stored_response` });
  if (run.credentials && !run.credentials.some((one) => one.id === credential)) throw noCredential(question, provider);
  run.tryNumber++;
  run.credential = credential;
  const request = { action: question.action, id, query: queryOf(question) };
  try {
    const { answer } = await askOnce(run, (asked, attempt) =>
      (asked as Required<typeof asked>).storedResponse(request, attempt),
    );
    const body = isRecord(answer) ? answer : {};
    if (showing.has(question.action)) await call.ports.awaited.get(responseName(provider, id))?.observe(body);
    return body;
  } catch (thrown) {
    const error = toGatewayError(thrown);
    throw error.upstream?.status === 404 ? missing(question) : error;
  }
}

/** The answer for a response that the caller does not own, or that is not there. */
export function missing({ id }: Pick<StoredQuestion, "id">): GatewayError {
  return notFound({ what: "Response", id });
}

function noCredential({ id }: StoredQuestion, provider: string): GatewayError {
  const message = `'${id}' is held under a credential of \`${provider}\` that is not there, or not for this key.`;
  return new GatewayError("no_eligible_keys", message);
}

function queryOf({ query = {} }: StoredQuestion): string {
  const { include = [], after, limit, order } = query;
  const fields = Object.entries({ after, limit, order }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  const names = include.map((name): [string, string] => ["include[]", name]);
  return new URLSearchParams([...names, ...fields]).toString();
}
