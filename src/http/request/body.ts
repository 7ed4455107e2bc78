import type { Clock } from "../../engine/ports/clock.ts";
import { type HttpRequest, readHeader } from "../message.ts";
import { createBodyBuffers, type OpenBuffer } from "./body-buffers.ts";
import { refuseMedia, tooSlow, unreadable } from "./body-errors.ts";
import { type BodyBounds, type SettledBounds, settleBounds } from "./bounds.ts";
import { type InspectBody, parseBody } from "./json-body.ts";
import { unpack } from "./unpack.ts";

/** How the bodies of a listener are taken in. */
export interface BodySettings {
  readonly bounds: SettledBounds;
  readonly openBuffer: OpenBuffer;
  readonly clock: Clock;
}

/** How a listener of these options reads bodies. Throws `invalid_configuration` for a bound that is none. */
export function openReading(
  bodyLimit: number | undefined,
  bodyBounds: BodyBounds | undefined,
  clock: Clock,
): BodySettings {
  const bounds = settleBounds(bodyLimit, bodyBounds);
  return { bounds, openBuffer: createBodyBuffers(bounds), clock };
}

/** Whose body is read, and what is looked at in it. */
export interface BodyOwner {
  readonly key?: string | undefined;
  readonly inspect?: InspectBody | undefined;
  /** Reads a body of parts in place of one of JSON; such bodies are refused without it. */
  readonly readParts?: ReadParts | undefined;
}

/** The value of a body of `multipart/form-data`; `parse` reads the bytes of one of its parts as JSON, by the bounds. */
export type ReadParts = (bytes: Uint8Array, mediaType: string, parse: (json: Uint8Array) => unknown) => unknown;

/**
 * Reads the body as JSON. Throws `unsupported_media_type`, `request_too_large`, `request_timeout`, `overloaded` or `invalid_request`, as
 * the bounds say; an object that has a field twice is `invalid_request`, unless an earlier middleware has parsed the body.
 *
 * A body without `content-type` is refused as well: clients of JSON APIs send one, and a web page may send a typeless body to
 * another origin without a preflight, which would let any page spend on a gateway that listens on localhost without a key.
 */
export async function readJson(request: HttpRequest, reading: BodySettings, owner: BodyOwner = {}): Promise<unknown> {
  const mediaType = readHeader(request.headers, "content-type");
  if (mediaType !== undefined && !isAccepted(mediaType, owner)) throw refuseMedia(`\`content-type: ${mediaType}\``);
  return readWhole(request, reading, owner);
}

/** Reads a body that may be absent as JSON; `undefined` without one. Throws as {@link readJson} does. */
export async function readOptionalJson(
  request: HttpRequest,
  reading: BodySettings,
  owner: BodyOwner = {},
): Promise<unknown> {
  const { headers } = request;
  const length = readHeader(headers, "content-length");
  const isAbsent = (length === undefined || length === "0") && headers["transfer-encoding"] === undefined;
  return isAbsent ? readWhole(request, reading, { ...owner, isOptional: true }) : readJson(request, reading, owner);
}

async function readWhole(
  request: HttpRequest,
  reading: BodySettings,
  { isOptional, ...owner }: BodyOwner & { readonly isOptional?: boolean },
): Promise<unknown> {
  const { bounds, clock } = reading;
  const { inspect, readParts } = owner;
  const buffer = reading.openBuffer(owner.key);
  try {
    const body = await request.read({
      limit: bounds.bodyLimit,
      resize: buffer.resize,
      onLate: (fail) =>
        bounds.arrivalMs === 0 ? undefined : clock.after(bounds.arrivalMs, () => fail(tooSlow(bounds))),
    });
    if (body.kind === "parsed") {
      inspect?.(body.value, {});
      return body.value;
    }
    if (body.bytes.length === 0) {
      if (isOptional) return undefined;
      throw unreadable("is empty");
    }
    const mediaType = readHeader(request.headers, "content-type");
    if (mediaType === undefined) throw refuseMedia("A body without `content-type`");
    if (!isAccepted(mediaType, owner)) throw refuseMedia(`\`content-type: ${mediaType}\``);
    const bytes =
      body.encoding === undefined ? body.bytes : await unpack(body.bytes, body.encoding, { bounds, buffer });
    const parse = (json: Uint8Array) => parseBody(json, bounds, inspect);
    return readParts && isMultipart(mediaType) ? readParts(bytes, mediaType, parse) : parse(bytes);
  } finally {
    buffer.release();
  }
}

function isAccepted(mediaType: string, { readParts }: BodyOwner): boolean {
  return isJson(mediaType) || (readParts !== undefined && isMultipart(mediaType));
}

function isMultipart(mediaType: string): boolean {
  return /^multipart\/form-data\s*;/i.test(mediaType);
}

/** `application/json` or `application/<anything>+json`, in any case, with any parameters. */
function isJson(mediaType: string): boolean {
  return mediaType === "application/json" || /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i.test(mediaType);
}
