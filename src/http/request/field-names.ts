import { type GatewayError, withDetails } from "../../engine/errors.ts";

/** What a field of ours is in the caller's dialect, both as dotted paths: `messages.3` → `contents.1`. */
export type Origins = ReadonlyMap<string, string>;

/** The caller's name of a field: its own, or that of the nearest thing around it that has one. */
export function originOf(path: string, origins: Origins): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const origin = origins.get(path.slice(0, end));
    if (origin !== undefined) return origin;
  }
  return path;
}

/** A text of ours with the fields in it (between backticks) named as the caller named them. */
export function inCallerFields(text: string, origins: Origins): string {
  if (origins.size === 0) return text;
  return text.replace(/`([\w.[\]]+)`/g, (_field, path: string) => `\`${originOf(path, origins)}\``);
}

/** An error of ours that names the caller's own fields; what a provider said of its fields stays as it is. */
export function nameFields(error: GatewayError, origins: Origins | undefined): GatewayError {
  const { param, upstream } = error;
  if (origins === undefined || upstream !== undefined) return error;
  const renamed = withDetails(error, param === undefined ? {} : { param: originOf(param, origins) });
  renamed.message = inCallerFields(error.message, origins);
  return renamed;
}
