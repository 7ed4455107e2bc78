/** One HTTP POST to an address that a user of the portal has chosen. */
export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends webhooks. Addresses come from tenants: an implementation calls only those that its operator allows, checks each address that a
 * name resolves to, follows no redirect and bounds time and size of the answer.
 */
export interface WebhookSender {
  /** Throws `invalid_request` with `param: "url"` for an address that may never be called, without resolving names. */
  check(url: string): void;
  /**
   * Returns the status of the answer. Throws `invalid_request` for an address that may not be called, `upstream_unreachable` or
   * `upstream_timeout`.
   */
  post(post: WebhookPost): Promise<{ readonly status: number }>;
}

/** One mail as plain text. */
export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Sends mails. */
export interface MailSender {
  /** Resolves once the server has accepted the mail for all recipients. Throws `upstream_unreachable`, `upstream_timeout` or `upstream_error`. */
  send(mail: Mail): Promise<void>;
  /** Closes idle connections. */
  close(): Promise<void>;
}
