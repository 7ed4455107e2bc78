import stringWidth from "string-width";
import type { Usage } from "../../engine/api/usage.ts";
import type { GatewayError } from "../../engine/errors.ts";
import { plainLine } from "./plain-text.ts";

/** Rows as lines of aligned columns, indented by two; numbers of columns may differ. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const columns = rows.map((row) => row.map(plainLine));
  const widths: number[] = [];
  for (const row of columns)
    for (const [at, text] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, stringWidth(text));
  const lines = columns.map((row) =>
    row
      .map((text, at) => text + " ".repeat((widths[at] ?? 0) - stringWidth(text)))
      .join("  ")
      .trimEnd(),
  );
  return lines.map((line) => `  ${line}\n`).join("");
}

/** `840 ms`, `2.4 s`. */
export function writeTime(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** `12 tokens in, 34 out`, with the cost where one is known. */
export function writeUsage({ prompt_tokens, completion_tokens, cost, ...rest }: Usage): string {
  const counted = `${prompt_tokens} ${prompt_tokens === 1 ? "token" : "tokens"} in, ${completion_tokens} out`;
  const note = rest.estimated === true ? " (estimated)" : "";
  return `${counted}${note}${cost === undefined ? "" : `, ${writeMoney(cost.total_cost)}`}`;
}

/** `$0`, `$0.00213`: dollars to the nano-dollar, without needless digits. */
export function writeMoney(dollars: number): string {
  return `$${dollars.toFixed(9).replace(/\.?0+$/, "")}`;
}

/** Describes a failed call in one line, with a line for each target if several were tried. */
export function writeFailure({ code, status, message, provider, attempts }: GatewayError): string {
  const about = attempts.length === 1 ? (attempts[0]?.target ?? provider) : undefined;
  const subject = about === undefined ? "" : `${about}: `;
  const story = attempts.map(({ target, status: answered, reason, milliseconds }) => {
    return [target, `${answered} ${reason}`, `after ${writeTime(milliseconds)}`];
  });
  return `${plainLine(`${subject}${message}`)} (${status} ${code})\n${story.length > 1 ? alignColumns(story) : ""}`;
}
