import { isGatewayError } from "../../engine/errors.ts";
import { describeFault } from "../../engine/runtime/issues/words.ts";
import { UsageError } from "../terminal/usage-error.ts";

/** The command-line option behind each field of a record. */
const optionNames: readonly (readonly [field: RegExp, option: string])[] = [
  [/^name$/, "<name>"],
  [/^metadata\b/, "--tag"],
  [/\bbudgets\b/, "--budget"],
  [/\brate_limits\b.*\brequest/, "--requests"],
  [/\brate_limits\b/, "--tokens"],
  [/\ballowed_models\b/, "--allow"],
  [/\bblocked_models\b/, "--block"],
  [/\bweight$/, "--provider"],
  [/^provider_configs\b/, "The provider of --allow or --provider"],
  [/^starts_at$/, "--starts"],
  [/^expires_at$/, "--expires"],
  [/^project_id$/, "--project"],
  [/^customer_id$/, "--customer"],
  [/^description$/, "--description"],
  [/^user$/, "--user"],
  [/^timeouts\.first_content$/, "--first-content"],
  [/^timeouts\.connect$/, "--connect"],
  [/^timeouts\.gap$/, "--gap"],
  [/^timeouts\.whole$/, "--whole"],
];

/** The option that sets a field of a record. */
function optionOf(field: string): string | undefined {
  return optionNames.find(([pattern]) => pattern.test(field))?.[1];
}

/** Runs work on records. An invalid field becomes a `UsageError` that names its command-line option. */
export async function namingOptions<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!isGatewayError(thrown) || thrown.code !== "invalid_request" || thrown.param === undefined) throw thrown;
    const option = optionOf(thrown.param);
    if (option === undefined) throw thrown;
    const problem = describeFault(thrown.message.slice(`\`${thrown.param}\`: `.length));
    const message = problem.replace(/`(\w+)`/g, (quoted, field: string) => optionOf(field) ?? quoted);
    const unit = /^timeouts\b/.test(thrown.param) && /\d$/.test(message) ? " ms" : "";
    throw new UsageError(`${option} ${message}${unit}.`, "");
  }
}
