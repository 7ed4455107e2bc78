import type { StoredAlertChannel } from "../../../operations/records/alerts/alerts.ts";
import { webhookUrlPlace } from "../../call/sealed-places.ts";
import type { Secrets } from "../../call/secrets.ts";

type UrlFields = Pick<StoredAlertChannel, "url" | "sealed_url">;

/**
 * Returns the address of a webhook as readers of the channel see it: `https://hooks.example.com/…`. Receivers such as chat services admit
 * every caller who knows the path, so that it is a credential.
 */
export function showUrl(url: string): string {
  const { origin, pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}` === "/" ? `${origin}/` : `${origin}/…`;
}

/** Returns what is stored of an address: all of it sealed, the origin in clear. */
export function sealUrl(secrets: Secrets, channelId: string, url: string): Required<UrlFields> {
  return { url: showUrl(url), sealed_url: secrets.seal(url, webhookUrlPlace(channelId)) };
}

/** Returns the whole address of a channel; undefined for a mail. Channels of earlier versions hold it in clear. */
export function wholeUrl(secrets: Secrets, { id, url, sealed_url }: StoredAlertChannel): string | undefined {
  return sealed_url === undefined ? url : secrets.open(sealed_url, webhookUrlPlace(id));
}
