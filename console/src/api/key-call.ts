import { ApiError, readError } from "./errors.ts";
import { apiRoot } from "./request.ts";

/** An answer of the inference API, and the request that it belongs to. */
export interface KeyAnswer {
  readonly value: unknown;
  readonly eventId: string | undefined;
}

/** A call of the inference API with a virtual key. The session takes no part in it: what the key may do is what is done. */
export async function callWithKey(path: string, key: string, body: object): Promise<KeyAnswer> {
  const response = await fetch(new URL(path, apiRoot()), {
    method: "POST",
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    credentials: "omit",
    cache: "no-store",
  }).catch(() => {
    throw new ApiError(0, {});
  });
  if (!response.ok) throw await readError(response);
  return { value: await response.json(), eventId: response.headers.get("x-tg-event-id") ?? undefined };
}
