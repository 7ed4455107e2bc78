import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type HttpRequest, type HttpResponse, readHeader } from "../message.ts";
import { chooseCoding, hasTag } from "./coding.ts";

/** Characters of a body from which it is worth compressing. */
const leastCompressed = 1_024;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** A level that costs about as much as gzip's and gives smaller answers; the highest are for files that are compressed once. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * Returns a whole answer to a GET, compressed as the client accepts it where it is large, and 304 without a body where the client has it:
 * its weak `etag` is a digest of the body. An answer with a tag of its own, the version of a record, keeps that, and is always sent.
 */
export async function sendWhole(response: HttpResponse, { method, headers }: HttpRequest): Promise<HttpResponse> {
  const { status, body } = response;
  if (method !== "GET" || status !== 200 || typeof body !== "string" || body.length < leastCompressed) return response;
  const common: Record<string, string> = { ...response.headers, vary: "accept-encoding" };
  if (common.etag === undefined) {
    common.etag = `W/"${hash("sha256", body, "base64url").slice(0, 22)}"`;
    const { "content-type": _type, ...rest } = common;
    if (hasTag(readHeader(headers, "if-none-match"), common.etag)) return { status: 304, headers: rest, body: "" };
  }
  const coding = chooseCoding(readHeader(headers, "accept-encoding"));
  if (coding === "identity") return { ...response, headers: common };
  const bytes = coding === "br" ? await brotli(body, brotliOptions) : await deflate(body);
  return { ...response, headers: { ...common, "content-encoding": coding }, body: bytes };
}
