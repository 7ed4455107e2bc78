/** The ways in which a call is written down. */
export type SnippetKind = "curl" | "typescript" | "python";

/** A chat that a program sends: where to, and with what body. The key is named by its environment variable. */
export interface SentChat {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const key = "TOLLGATE_KEY";

/** Returns the program that sends a chat. */
export function snippetOf(kind: SnippetKind, { url, body }: SentChat): string {
  return writers[kind](url, body);
}

const writers: Readonly<Record<SnippetKind, (url: string, body: SentChat["body"]) => string>> = {
  curl: (url, body) =>
    [
      `curl ${quoteShell(url)} \\`,
      `  -H "authorization: Bearer $${key}" \\`,
      `  -H "content-type: application/json" \\`,
      `  -d ${quoteShell(JSON.stringify(body, null, 2))}`,
    ].join("\n"),
  typescript: (url, body) =>
    [
      `const response = await fetch(${JSON.stringify(url)}, {`,
      `  method: "POST",`,
      `  headers: { authorization: \`Bearer \${process.env.${key}}\`, "content-type": "application/json" },`,
      `  body: JSON.stringify(${indent(JSON.stringify(body, null, 2))}),`,
      "});",
      "console.log(await response.json());",
    ].join("\n"),
  python: (url, body) =>
    [
      "import os, requests",
      "",
      "response = requests.post(",
      `    ${JSON.stringify(url)},`,
      `    headers={"authorization": f"Bearer {os.environ['${key}']}"},`,
      `    json=${toPython(body)},`,
      ")",
      "print(response.json())",
    ].join("\n"),
};

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

/** Returns a value as Python writes it. JSON's strings are strings of Python too. */
function toPython(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(toPython).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}: ${toPython(inner)}`).join(", ")}}`;
}
