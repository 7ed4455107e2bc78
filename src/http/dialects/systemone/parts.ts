import { Buffer } from "node:buffer";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import { GatewayError } from "../../../engine/errors.ts";
import type { ReadParts } from "../../request/body.ts";
import { unreadable } from "../../request/body-errors.ts";
import { type BodyPart, readMultipart } from "../../request/multipart.ts";

/** A request in parts: `request` is its JSON, and each asset with a `part` is the picture in the part of that name. */
export const readRequestParts: ReadParts = (bytes, mediaType, parse) => {
  const parts = readMultipart(bytes, mediaType);
  const part = parts.get("request");
  if (!part) throw unreadable("has no part `request`");
  const request = parse(part.bytes);
  return isRecord(request) && isRecord(request.assets)
    ? { ...request, assets: withPictures(request.assets, parts) }
    : request;
};

function withPictures(assets: Readonly<Record<string, unknown>>, parts: ReadonlyMap<string, BodyPart>): object {
  const read = Object.entries(assets).map(([name, asset]) => {
    if (!isRecord(asset) || typeof asset.part !== "string") return [name, asset];
    const { part: reference, ...rest } = asset;
    const part = parts.get(reference);
    const param = `assets.${name}.part`;
    if (!part) throw new GatewayError("invalid_request", `\`${param}\`: there is no part of that name.`, { param });
    const format = rest.format ?? formatOf(part);
    return [name, { ...rest, format, data_base64: Buffer.from(part.bytes).toString("base64") }];
  });
  return Object.fromEntries(read);
}

/** The format of a picture: as its part says, else by its first bytes. */
function formatOf({ mediaType, bytes }: BodyPart): string {
  const [, stated] = /^image\/([a-z0-9.+-]+)/i.exec(mediaType) ?? [];
  if (stated !== undefined) return stated.toLowerCase();
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "jpeg";
  return bytes[0] === 0x52 && bytes[1] === 0x49 ? "webp" : "png";
}
