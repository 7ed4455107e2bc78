import { isGatewayError } from "../../errors.ts";
import { UsageError } from "../command.ts";
import { describeFault } from "../config/words.ts";

/** Fields of records, and what of the command line they are made from. */
const givers: readonly (readonly [field: RegExp, giver: string])[] = [
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

/** What of the command line gave a field of a record. */
function giverOf(field: string): string | undefined {
  return givers.find(([pattern]) => pattern.test(field))?.[1];
}

/** Does what the command line asks of records; what they do not take is told by the option that gave it. */
export async function namingOptions<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!isGatewayError(thrown) || thrown.code !== "invalid_request" || thrown.param === undefined) throw thrown;
    const giver = giverOf(thrown.param);
    if (giver === undefined) throw thrown;
    const problem = describeFault(thrown.message.slice(`\`${thrown.param}\`: `.length));
    const told = problem.replace(/`(\w+)`/g, (quoted, field: string) => giverOf(field) ?? quoted);
    const unit = /^timeouts\b/.test(thrown.param) && /\d$/.test(told) ? " ms" : "";
    throw new UsageError(`${giver} ${told}${unit}.`, "");
  }
}
