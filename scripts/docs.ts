// Writes the pages of docs/ that are made from the code: node scripts/docs.ts
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errorTable } from "../src/errors.ts";

/** The pages made from the code: path below the root → text. A test holds the files to them. */
export const pages: Record<string, () => string> = {
  "docs/errors.md": describeErrors,
};

function describeErrors(): string {
  const conduct = {
    same: "the same target again, then the next",
    next: "the next target",
    never: "nobody: the caller must act",
  } as const;
  const rows = Object.entries(errorTable).map(
    ([code, { status, retry, meaning }]) => `| \`${code}\` | ${status} | ${meaning} | ${conduct[retry]} |`,
  );
  return `# Errors

Every failure, by function or by HTTP, before and inside a stream, is one of these. The \`type\` of the error body and the
\`code\` of a \`GatewayError\` are the first column. \`upstream_error\` carries the provider's own status, and its type, code,
param and message verbatim; which of its statuses are retried is said in \`src/route/verdict.ts\`.

| Code | Status | Meaning | Who is asked next |
|---|---|---|---|
${rows.join("\n")}

This page is made by \`node scripts/docs.ts\` from \`src/errors.ts\`.
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  for (const [path, text] of Object.entries(pages)) {
    writeFileSync(root + path, text());
    console.log(`wrote ${path}`);
  }
}
