/** The fewest characters of a secret that is looked for: shorter ones would blank out ordinary words. */
const fewest = 8;

/** Values that people write where a server asks for a key and takes any. They are no secrets, and models speak of some. */
const placeholders: ReadonlySet<string> = new Set(
  "lm-studio not-needed no-key no-key-required sk-no-key-required placeholder anything".split(" "),
);

/** Whether a value can be looked for: long enough, no placeholder, and not one character over and over. */
export function isSearchable(value: string): boolean {
  return value.length >= fewest && !placeholders.has(value) && new Set(value).size > 2;
}

/** Headers whose values are the vendor's protocol or are shown to everybody. */
const publicHeaders: ReadonlySet<string> = new Set(
  "accept accept-language anthropic-beta anthropic-version content-type http-referer openai-beta origin referer user-agent x-title".split(
    " ",
  ),
);

const credentialName = /auth|cookie|cred|key|pass|pwd|secret|session|sig|token/;

/** Values of a base URL's query that say which interface is meant, such as Azure's `api-version=2024-10-21`. */
const publicParameters: ReadonlySet<string> = new Set(["api-version", "version", "alt"]);

/**
 * The secrets of a configuration: the values of all headers, without the scheme of an authorization; the user and the password in the
 * value of Basic; the values of the address's query. A single word of letters, e.g. `x-environment: production`, is a secret only under
 * a name that says so: else answers that speak of production would be blanked.
 */
export function secretsOf(headers: Readonly<Record<string, string>>, url?: URL): readonly string[] {
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) => {
    return publicHeaders.has(name.toLowerCase()) ? [] : ofValue(name.toLowerCase(), value);
  });
  const ofQuery = [...(url?.searchParams ?? [])].flatMap(([name, value]) => {
    return publicParameters.has(name.toLowerCase()) ? [] : ofValue(name.toLowerCase(), value);
  });
  const ofUser = url === undefined ? [] : [url.username, url.password].map(decoded);
  return [...new Set([...ofHeaders, ...ofQuery, ...ofUser])].filter(isSearchable);
}

function ofValue(name: string, value: string): readonly string[] {
  const [, scheme = "", credential = value] = /^(Bearer|Basic|Key|Token|ApiKey)\s+(.*)$/is.exec(value.trim()) ?? [];
  if (/^\p{L}+$/u.test(credential) && scheme === "" && !credentialName.test(name)) return [];
  return scheme.toLowerCase() === "basic" ? [credential, ...ofBasic(credential)] : [credential.trim()];
}

/** The password of `user:password`, and the two together. */
function ofBasic(credential: string): readonly string[] {
  const pair = Buffer.from(credential, "base64").toString("utf8");
  return [pair, pair.slice(pair.indexOf(":") + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
