/** Takes secrets out of a text; gives the text itself back where it holds none. */
export type Redact = (text: string) => string;

/** What stands in place of a secret. */
const mark = "[redacted]";

/**
 * Makes a function that hides secrets in whatever a text is: as they are, in JSON (also inside a JSON text that is itself a string, and
 * with `\u00xx` for any character), percent-encoded, and in base64 or base64url, where also as a part of what was encoded. One pass over
 * the text, whatever it holds; a text with `\u00` gets a second one.
 */
export function createRedactor(secrets: Iterable<string>): Redact {
  const forms = new Set([...secrets].filter((secret) => secret !== "").flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapePattern).join("|"), "g");
  return (text) => {
    const clean = text.replace(pattern, mark);
    if (!clean.includes("\\u00")) return clean;
    const plain = withoutEscapes(clean);
    const cleaned = plain.replace(pattern, mark);
    return cleaned === plain ? clean : cleaned;
  };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** All that a secret may look like. */
function formsOf(secret: string): string[] {
  const written = [secret, ...percentForms(secret), ...base64Forms(secret)];
  return written.flatMap((form) => {
    if (form === "") return [];
    const json = jsonOf(form);
    return [form, json, jsonOf(json), json.replaceAll("/", "\\/")];
  });
}

function jsonOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As a part of a URL, a whole URL and a form write it, with capital and small hexadecimal digits. */
function percentForms(secret: string): string[] {
  if (!secret.isWellFormed()) return [];
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const encoded = [encodeURIComponent(secret), encodeURI(secret), form];
  return encoded.flatMap((text) => [text, text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())]);
}

/**
 * The characters of base64 that are the secret's alone, at each of the three places where it may begin in what was encoded. Those at
 * its edges also hold bits of its neighbours; they are left out, and tell two bits to six.
 */
function base64Forms(secret: string): string[] {
  if (secret.length < 6) return []; // too few characters to tell from others
  const bytes = [Buffer.from(secret, "utf8"), Buffer.from(secret, "latin1")];
  const standard = bytes.flatMap((each) =>
    [0, 1, 2].map((before) => {
      const all = Buffer.concat([Buffer.alloc(before), each]).toString("base64");
      return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + each.length) * 8) / 6));
    }),
  );
  return standard.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(text)]);
}

/** JSON in which no printable character needs to be escaped is written without `\u00xx`; what must be escaped keeps the short form. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(?:u00([2-9a-f][0-9a-f])|.)/gi, (written: string, code: string | undefined) => {
    if (code === undefined) return written === "\\/" ? "/" : written;
    return jsonOf(String.fromCharCode(Number.parseInt(code, 16)));
  });
}
