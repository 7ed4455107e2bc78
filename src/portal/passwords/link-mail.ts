import { isGatewayError } from "../../engine/errors.ts";
import type { MailSender } from "../../engine/ports/messages/senders.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { PasswordLink } from "../../operations/portal/tenancy/users.ts";
import type { StoredPasswordLink } from "../../operations/records/passwords.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalCall } from "../call/call.ts";
import { languageOf, textsAt } from "../i18n/reader.ts";
import { renderText } from "../locales/render.ts";
import { toScope } from "../tenancy/tenant-scope.ts";

/** What links are mailed with. */
interface LinkMailDeps {
  readonly records: Records;
  readonly mails?: MailSender | undefined;
  readonly publicUrl?: string | undefined;
}

/** A link that was made, and whom it is for. */
interface MadeLink {
  readonly user: StoredUser;
  readonly kind: StoredPasswordLink["kind"];
  readonly link: string;
  readonly secret: string;
  readonly ends_at: string;
}

/**
 * Mails a link to its user where that can be done, in the user's language. The link is good also where the mail could not be sent: the
 * caller is warned and gives it to the user in another way.
 */
export async function mailLink(
  { mails, publicUrl, records }: LinkMailDeps,
  { user, kind, link, secret, ends_at }: MadeLink,
  call: PortalCall,
): Promise<PasswordLink> {
  const made = { link, secret, ends_at };
  const { email, id, username } = user;
  if (!mails || publicUrl === undefined || email === undefined) return { ...made, mailed: false };
  const scope = toScope({ ...user, user_id: null });
  const lang = await languageOf(records, { caller: { user: { id, username }, scope } });
  const texts = await textsAt(records, lang, scope);
  const write = (key: string) =>
    renderText(texts.get(key) ?? key, { username, link: `${publicUrl}${link}`, ends_at }, texts);
  try {
    await mails.send({ to: [email], subject: write(`mail.${kind}_subject`), text: `${write(`mail.${kind}`)}\n` });
    return { ...made, mailed: true };
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    call.warn?.([`The link was made and could not be mailed: ${thrown.message}`]);
    return { ...made, mailed: false };
  }
}
