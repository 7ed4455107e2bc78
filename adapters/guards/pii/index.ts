import type { Middleware, MiddlewareContext } from "../../../src/engine/ports/middleware/middleware.ts";
import { mapRequest } from "../../shared/guards/texts.ts";
import { type Checks, checkedOptions, oneOf, text } from "../../shared/options.ts";
import { detect, type PiiFinding, type PiiKind, piiKinds } from "./detect.ts";

export type { PiiKind } from "./detect.ts";

/** The options of the guard. */
export interface PiiOptions {
  /** As errors and events name it; `pii` unless given. */
  readonly name?: string | undefined;
  /** What is looked for; all unless given. */
  readonly kinds?: readonly PiiKind[] | undefined;
  /** What becomes of it in requests: `redact` (unless given) sends placeholders such as `[EMAIL_1]`, `block` refuses, `leave` sends it. */
  readonly requests?: "redact" | "block" | "leave" | undefined;
  /** What becomes of what an answer holds that the request did not; placeholders of the request are put back in any case. */
  readonly answers?: "redact" | "block" | "leave" | undefined;
}

const action = oneOf("redact", "block", "leave");
const checks: Checks<PiiOptions> = {
  name: text,
  kinds: [
    (value) => Array.isArray(value) && value.every((kind) => piiKinds.includes(kind)),
    `a list of ${piiKinds.join(", ")}`,
  ],
  requests: action,
  answers: action,
};

/** The placeholders of one request. */
interface Placeholders {
  readonly byValue: Map<string, string>;
  readonly byName: Map<string, string>;
  readonly counts: Map<PiiKind, number>;
}

/**
 * Keeps e-mail addresses, card and account numbers (with their check digits), phone numbers and IP addresses from models: they become
 * placeholders in the request, which are put back in the answer. Throws `invalid_configuration`.
 */
export function pii(options: PiiOptions = {}): Middleware {
  const {
    name = "pii",
    kinds = piiKinds,
    requests = "redact",
    answers = "redact",
  } = checkedOptions(options, checks, {
    of: "pii",
  });
  const redact = (original: string, context: MiddlewareContext, isBlocking: boolean): string => {
    const found = detect(original, kinds);
    const [first] = found;
    if (first && isBlocking) context.block("pii", `The content holds personal data (${first.kind}).`);
    return replace(original, found, (kind, value) => placeholderFor(placeholdersOf(context), kind, value));
  };
  return {
    name,
    request(request, context) {
      if (requests === "leave") return undefined;
      const redacted = mapRequest(context.verb, request, (one) => redact(one, context, requests === "block"));
      context.note({ found: placeholdersOf(context).byValue.size });
      return redacted === request ? undefined : redacted;
    },
    stream: {
      hold: "sentence",
      text(original, context) {
        const safe = answers === "leave" ? original : redactAnswer(original, context, { kinds, answers });
        return restore(safe, placeholdersOf(context));
      },
    },
  };
}

/** What is found in an answer was not in the request: its placeholder stands for nothing. */
function redactAnswer(
  original: string,
  context: MiddlewareContext,
  { kinds, answers }: Required<Pick<PiiOptions, "kinds" | "answers">> & { readonly kinds: readonly PiiKind[] },
): string {
  const found = detect(original, kinds);
  const [first] = found;
  if (first && answers === "block") context.block("pii", `The answer holds personal data (${first.kind}).`);
  return replace(original, found, (kind) => `[${kind.toUpperCase()}]`);
}

function replace(text: string, found: readonly PiiFinding[], name: (kind: PiiKind, value: string) => string): string {
  let end = 0;
  const parts: string[] = [];
  for (const finding of found) {
    parts.push(text.slice(end, finding.start), name(finding.kind, text.slice(finding.start, finding.end)));
    end = finding.end;
  }
  return parts.join("") + text.slice(end);
}

function placeholdersOf({ state }: MiddlewareContext): Placeholders {
  state.placeholders ??= { byValue: new Map(), byName: new Map(), counts: new Map() } satisfies Placeholders;
  return state.placeholders as Placeholders; // made above
}

/** One value has one placeholder in all of a request, so that the model sees what is the same. */
function placeholderFor({ byValue, byName, counts }: Placeholders, kind: PiiKind, value: string): string {
  const known = byValue.get(value);
  if (known !== undefined) return known;
  const count = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, count);
  const name = `[${kind.toUpperCase()}_${count}]`;
  byValue.set(value, name);
  byName.set(name, value);
  return name;
}

function restore(text: string, { byName }: Placeholders): string {
  if (byName.size === 0) return text;
  return text.replaceAll(/\[(?:EMAIL|IBAN|CARD|PHONE|IP)_\d{1,9}\]/g, (name) => byName.get(name) ?? name);
}
