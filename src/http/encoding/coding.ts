/** How a body is encoded; `identity` is not at all. */
export type Coding = "br" | "gzip" | "identity";

/** Reads the weights of what a header of the `accept` family names (RFC 9110, 12.4.2): 1 unless given, 0 for what is refused. */
export function readWeights(accepted: string): ReadonlyMap<string, number> {
  return new Map(
    accepted.split(",").map((part) => {
      const [name = "", ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
}

/** Returns the smallest coding that `accept-encoding` allows (RFC 9110, 12.5.3): one with weight 0 is refused. */
export function chooseCoding(accepted = ""): Coding {
  const weights = readWeights(accepted);
  const takes = (coding: string) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : "identity";
}

/** True where `if-none-match` names the tag, or is `*`; tags are compared weakly (RFC 9110, 13.1.2). */
export function hasTag(header: string | undefined, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  return header?.split(",").some((tag) => tag.trim() === "*" || bare(tag) === bare(etag)) ?? false;
}
