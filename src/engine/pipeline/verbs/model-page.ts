import type { Model, ModelListResponse } from "../../api/models.ts";
import { GatewayError } from "../../errors.ts";

/** One page of a list that is sorted by id. */
export type ModelPage = Pick<ModelListResponse, "data" | "next_page_token">;

/** What a page token says: the last model of the page before. Nothing depends on the other models, so no change of the list makes it stale. */
interface PageToken {
  readonly l: string;
}

/** The models behind `last`, at most `size` of them (0: all); `models` in any order. */
export function pageOf(
  models: readonly Model[],
  { last = "", size = 0 }: { readonly last?: string | undefined; readonly size?: number | undefined },
): ModelPage {
  const left = models.filter(({ id }) => id > last || last === "").sort(byId);
  if (size === 0 || left.length <= size) return { data: left };
  const data = left.slice(0, size);
  const token: PageToken = { l: data.at(-1)?.id ?? last };
  return { data, next_page_token: Buffer.from(JSON.stringify(token)).toString("base64url") };
}

/** The model that a page begins behind; throws `invalid_request` for a text that is no token. */
export function lastOf(pageToken: string): string {
  const last = readToken(pageToken);
  if (last !== undefined) return last;
  throw new GatewayError("invalid_request", "`page_token` is malformed.", { param: "page_token" });
}

/** True where a model of this provider may stand behind `last`. */
export function mayFollow(provider: string, last: string): boolean {
  const prefix = `${provider}/`;
  return prefix > last || last.startsWith(prefix);
}

function byId(one: Model, other: Model): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

function readToken(text: string): string | undefined {
  try {
    const token: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (typeof token !== "object" || token === null || !("l" in token)) return undefined;
    return typeof token.l === "string" && token.l !== "" ? token.l : undefined;
  } catch {
    return undefined; // not JSON
  }
}
