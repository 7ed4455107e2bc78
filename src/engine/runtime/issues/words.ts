const articles: Readonly<Record<string, string>> = {
  ...{ array: "a list", object: "an object", record: "an object", int: "a whole number", null: "null" },
  ...{ undefined: "left out", never: "left out", nan: "a number" },
};

const signs: Readonly<Record<string, string>> = {
  "<": "less than",
  "<=": "at most",
  ">": "more than",
  ">=": "at least",
};

/** Formats as zod names them in a message, and what a value of each looks like. */
const formats: Readonly<Record<string, string>> = {
  "ISO datetime": "an instant with its offset (RFC 3339), such as 2026-11-27T10:00:00Z",
  "ISO date": "a date, such as 2026-11-27",
  "ISO time": "a time of the day, such as 10:30:00",
  URL: "a URL",
  UUID: "a UUID",
  "email address": "an e-mail address",
  "base64-encoded string": "Base64",
  "IPv4 address": "an IPv4 address",
  "IPv6 address": "an IPv6 address",
  "IPv4 range": "an IPv4 range, such as 10.1.0.0/16",
  "IPv6 range": "an IPv6 range, such as fd00::/8",
};

/** Zod's words of a fault as the rest of a sentence that begins with the field; words of our own stay as they are. */
export function describeFault(message = "is not valid"): string {
  return (
    describeBound(message) ??
    describeChoice(message) ??
    describeType(message) ??
    describeFormat(message) ??
    describeOther(message)
  );
}

/** The name of a type, or of several, as it stands in a sentence. */
export function nameTypes(types: string): string {
  return types
    .split(" or ")
    .map((type) => articles[type] ?? `a ${type}`)
    .join(" or ");
}

function describeBound(message: string): string | undefined {
  const [, sign = "", bound, unit] = /^Too (?:small|big): expected .* ([<>]=?)(\S+)(?: (\S+))?/.exec(message) ?? [];
  if (bound === undefined) return undefined;
  if (unit === undefined) return `must be ${signs[sign]} ${bound}`;
  return sign === ">=" && bound === "1" ? "must not be empty" : `must have ${signs[sign]} ${bound} ${unit}`;
}

function describeChoice(message: string): string | undefined {
  const [, choices] = /^Invalid (?:option: expected one of|discriminator value. Expected) (.+)$/.exec(message) ?? [];
  if (choices === undefined) return undefined;
  const named = choices.split("|").map((choice) => choice.trim().replace(/^["']|["']$/g, ""));
  return named.length === 1 ? `must be ${named[0]}` : `must be one of ${named.join(", ")}`;
}

function describeType(message: string): string | undefined {
  const [, expected = "", received = ""] = /^Invalid input: expected ([a-z ]+), received (\w+)$/.exec(message) ?? [];
  if (expected === "") return /^Invalid input: expected (".+")$/.exec(message)?.[1]?.replace(/^/, "must be ");
  if (received === "undefined") return "is missing";
  const isOfKind = received === "NaN" || (expected === "int" && received === "number");
  return `must be ${nameTypes(expected)}${isOfKind ? "" : `, not ${nameTypes(received)}`}`;
}

function describeFormat(message: string): string | undefined {
  const [, pattern] = /^Invalid string: must match pattern (.+)$/.exec(message) ?? [];
  if (pattern !== undefined) return `must match the pattern ${pattern}`;
  const [, divisor] = /^Invalid number: must be a multiple of (.+)$/.exec(message) ?? [];
  if (divisor !== undefined) return `must be a multiple of ${divisor}`;
  const format = formats[message.replace(/^Invalid /, "")];
  return format && `must be ${format}`;
}

function describeOther(message: string): string {
  if (message === "Invalid key in record") return "has a name that is empty or too long";
  return /^[A-Z]/.test(message) ? `is not right: ${message}` : message;
}
