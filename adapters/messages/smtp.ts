import type { Transporter } from "nodemailer";
import { GatewayError } from "../../src/engine/errors.ts";
import type { MailSender } from "../../src/engine/ports/messages/senders.ts";
import type { Duration } from "../../src/engine/runtime/duration.ts";
import { type Checks, checkedOptions, duration, msOf, text } from "../shared/options.ts";

export type { Mail, MailSender } from "../../src/engine/ports/messages/senders.ts";

/** The options of mails. */
export interface SmtpOptions {
  /**
   * The server: `smtps://user:password@mail.example.com` for TLS from the beginning, `smtp://…:587` for STARTTLS, which a server that
   * offers it is asked for. With a user name, `smtp://` requires TLS, except on this machine.
   */
  readonly url: string;
  /** The sender: `gateway@example.com`, or `Gateway <gateway@example.com>`. */
  readonly from: string;
  /** How long may pass, in milliseconds or as text, for connecting, for the greeting and for each answer of the server. `"10s"` unless given. */
  readonly timeoutMs?: Duration | undefined;
}

const checks: Checks<SmtpOptions> = {
  url: [isServer, "an address that begins with `smtp://` or `smtps://`"],
  from: text,
  timeoutMs: duration,
};

/** Sends mails over SMTP: `createPortal({ mails: smtp({ url, from }) })`. The client is loaded with the first mail. Throws `invalid_configuration`. */
export function smtp(options: SmtpOptions): MailSender {
  const { url, from, timeoutMs } = checkedOptions(options, checks, { of: "smtp", needs: ["url", "from"] });
  let opened: Promise<Transporter> | undefined;
  return {
    async send({ to, subject, text: body }) {
      opened ??= open(url, msOf(timeoutMs, 10_000));
      const transporter = await opened;
      try {
        const { rejected = [] } = await transporter.sendMail({
          from,
          to: [...to],
          subject,
          text: body,
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        if (rejected.length > 0) throw refused();
      } catch (thrown) {
        throw toGatewayError(thrown);
      }
    },
    async close() {
      if (opened) (await opened).close();
    },
  };
}

async function open(url: string, timeoutMs: number): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === "smtps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLocal = host === "localhost" || host === "::1" || host.startsWith("127.");
  const auth =
    username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
  return createTransport({
    ...{ host, secure: isSecure, port: port === "" ? (isSecure ? 465 : 587) : Number(port) },
    ...{ ...auth, requireTLS: !isSecure && username !== "" && !isLocal },
    ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs, dnsTimeout: timeoutMs },
    ...{ pool: true, maxConnections: 2, maxMessages: 100 },
  });
}

function isServer(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (protocol === "smtp:" || protocol === "smtps:") && hostname !== "";
}

/** Says nothing of the addresses and the password: what the server answers may hold them. */
function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (code === "ETIMEDOUT") return new GatewayError("upstream_timeout", "The mail server did not answer in time.");
  if (code === "EAUTH")
    return new GatewayError("upstream_error", "The mail server refused the user name or the password.");
  if (code === "EENVELOPE" || code === "EMESSAGE") return refused();
  return new GatewayError("upstream_unreachable", "The mail server could not be reached.");
}

function refused(): GatewayError {
  return new GatewayError("upstream_error", "The mail server refused the sender, a recipient or the message.");
}
