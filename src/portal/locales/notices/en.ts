/** The sentences of notifications in English. `{name}` stands for a parameter, `{kind:name}` for the text `kind.<value of name>`. */
export const noticeTexts = {
  "notice.budget": "{percent} % of the budget of the {kind:kind} `{name}` has been used: {used} of {limit}.",
  "notice.budget_resets":
    "{percent} % of the budget of the {kind:kind} `{name}` has been used: {used} of {limit}. It resets at {resets_at}.",
  "notice.key_limited": "Requests of the key `{name}` are refused: {limited:reason}.",
  "notice.backup_failed": "The backup of {resource_type} {resource_id} failed: {message}",
  "notice.backup_lost": "The backup of {resource_id} is lost: the back end no longer has it.",
  "notice.backup_copy_lost":
    "A copy of the backup of {resource_id} is lost in the zone {zone}: the back end no longer has it.",
  "notice.backup_restored": "The backup of {resource_id} is restored.",
  "notice.restore_failed": "The restore of the backup of {resource_id} failed: {message}",
  "notice.task_done": 'The task "{name}" is done.',
  "notice.task_failed": 'The task "{name}" failed.',
  "notice.task_stopped": 'The task "{name}" was stopped.',
  "notice.token_expiring": "The access token `{name}` (…{last4}) expires at {ends_at}. Create a new one before then.",
  "notice.alert.budget_used": "{percent} % of the budget of the {kind:kind} `{name}` has been used: {used} of {limit}.",
  "notice.alert.balance_low": "The {kind:kind} `{name}` has {left} left of its {limit}.",
  "notice.alert.limit_refused":
    "{count} requests of the key `{name}` were refused in {minutes} minutes: {limited:reason}.",
  "notice.alert.key_expiring": "The virtual key `{name}` (…{last4}) expires at {ends_at}.",
  "notice.alert.token_expiring": "The access token `{name}` (…{last4}) expires at {ends_at}.",
  "notice.alert.error_rate": "{percent} % of {count} requests to `{name}` failed in {minutes} minutes.",
  "notice.alert.circuit_open": "The circuit of `{name}` is open: {count} requests in a row failed.",
  "notice.alert.backup_failed": "The backup of {resource_type} {name} failed: {message}",
  "notice.alert_resolved": "The alert of the rule `{rule}` about `{name}` is resolved.",
  "notice.alert_test": "A test of the alert channel `{name}`.",
  "mail.invite_subject": "Your account at the AI gateway",
  "mail.invite":
    "An account `{username}` was made for you. Set its password by this link, which is good once and until {ends_at}:\n\n{link}",
  "mail.reset_subject": "Set a new password",
  "mail.reset":
    "A new password was asked for your account `{username}`. Set it by this link, which is good once and until {ends_at}:\n\n{link}",
  "kind.key": "key",
  "kind.project": "project",
  "kind.customer": "customer",
  "limited.budget_exceeded": "a budget has too little left",
  "limited.token_limited": "a token window is full",
  "limited.request_limited": "a request window is full",
  "limited.concurrency_limited": "too many calls are under way",
} as const;

/** A language's sentences of notifications: all of them. */
export type NoticeTexts = Readonly<Record<keyof typeof noticeTexts, string>>;
