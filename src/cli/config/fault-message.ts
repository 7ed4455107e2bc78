const articles: Readonly<Record<string, string>> = { array: "a list", object: "an object", int: "a whole number" };

const signs: Readonly<Record<string, string>> = {
  "<": "less than",
  "<=": "at most",
  ">": "more than",
  ">=": "at least",
};

/** Zod's words of a fault as the rest of a sentence that begins with the field; words of our own stay as they are. */
export function describeFault(message = "is not valid"): string {
  return describeBound(message) ?? describeChoice(message) ?? describeType(message) ?? describeOther(message);
}

function describeBound(message: string): string | undefined {
  const [, sign = "", bound, unit] = /^Too (?:small|big): expected .* ([<>]=?)(\S+)(?: (\S+))?/.exec(message) ?? [];
  if (bound === undefined) return undefined;
  if (unit === undefined) return `must be ${signs[sign]} ${bound}`;
  return sign === ">=" && bound === "1" ? "must not be empty" : `must have ${signs[sign]} ${bound} ${unit}`;
}

function describeChoice(message: string): string | undefined {
  const [, choices] = /^Invalid option: expected one of (.+)$/.exec(message) ?? [];
  return (
    choices &&
    `must be one of ${choices
      .split("|")
      .map((choice) => choice.replace(/^"|"$/g, ""))
      .join(", ")}`
  );
}

function describeType(message: string): string | undefined {
  const [, expected = "", received = ""] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
  if (expected === "") return undefined;
  if (received === "undefined") return "is missing";
  const name = (type: string) => articles[type] ?? `a ${type}`;
  if (expected === "int" && received === "number") return `must be ${name(expected)}`;
  return `must be ${name(expected)}, not ${received === "null" ? "null" : name(received)}`;
}

function describeOther(message: string): string {
  if (message === "Invalid key in record") return "has a name that is empty or too long";
  return /^[A-Z]/.test(message) ? `is not right: ${message}` : message;
}
