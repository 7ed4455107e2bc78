import { isRecord } from "../../../shared/http/fault.ts";

/**
 * The query of the next page, if there is one. Only the query of the link is used: its host is the service's own idea of itself,
 * which behind a proxy is an address that nobody reaches, and a token is sent nowhere but to the catalogue's addresses.
 */
export function nextQuery(
  page: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, string>> | undefined {
  const own = page[`${key}_links`] ?? page[`${key.replace(/s$/, "")}_links`]; // Cinder: `volume_type_links` of `volume_types`
  const address = linkOf(own) ?? linkOf(page.links) ?? page.next;
  if (typeof address !== "string") return undefined;
  const question = address.indexOf("?");
  return question === -1 ? undefined : Object.fromEntries(new URLSearchParams(address.slice(question + 1)));
}

/** Nova, Cinder, Neutron, Octavia: a list of `{ rel, href }`. Keystone, Designate: `{ next }`. Glance: `next` beside the entries. */
function linkOf(links: unknown): unknown {
  if (isRecord(links)) return links.next ?? undefined;
  if (!Array.isArray(links)) return undefined;
  return links.filter(isRecord).find(({ rel }) => rel === "next")?.href;
}
