import type { NoticeTexts } from "./en.ts";

/** The sentences of notifications in German. */
export const deNotices: NoticeTexts = {
  "notice.budget": "{percent} % des Budgets von `{name}` ({kind:kind}) sind verbraucht: {used} von {limit}.",
  "notice.budget_resets":
    "{percent} % des Budgets von `{name}` ({kind:kind}) sind verbraucht: {used} von {limit}. Es beginnt neu um {resets_at}.",
  "notice.key_limited": "Anfragen des Schlüssels `{name}` werden abgelehnt: {limited:reason}.",
  "notice.backup_failed": "Die Sicherung von {resource_type} {resource_id} ist fehlgeschlagen: {message}",
  "notice.backup_lost": "Die Sicherung von {resource_id} ist verloren: Das Backend hat sie nicht mehr.",
  "notice.backup_copy_lost":
    "Eine Kopie der Sicherung von {resource_id} in der Zone {zone} ist verloren: Das Backend hat sie nicht mehr.",
  "notice.backup_restored": "Die Sicherung von {resource_id} ist wiederhergestellt.",
  "notice.restore_failed": "Die Wiederherstellung der Sicherung von {resource_id} ist fehlgeschlagen: {message}",
  "notice.task_done": "Die Aufgabe „{name}“ ist erledigt.",
  "notice.task_failed": "Die Aufgabe „{name}“ ist fehlgeschlagen.",
  "notice.task_stopped": "Die Aufgabe „{name}“ wurde angehalten.",
  "notice.token_expiring":
    "Das Zugriffstoken `{name}` (…{last4}) läuft um {ends_at} ab. Erstellen Sie vorher ein neues.",
  "notice.alert.budget_used": "{percent} % des Budgets von `{name}` ({kind:kind}) sind verbraucht: {used} von {limit}.",
  "notice.alert.balance_low": "Von `{name}` ({kind:kind}) sind noch {left} von {limit} übrig.",
  "notice.alert.limit_refused":
    "{count} Anfragen des Schlüssels `{name}` wurden in {minutes} Minuten abgelehnt: {limited:reason}.",
  "notice.alert.key_expiring": "Der virtuelle Schlüssel `{name}` (…{last4}) läuft um {ends_at} ab.",
  "notice.alert.token_expiring": "Das Zugriffstoken `{name}` (…{last4}) läuft um {ends_at} ab.",
  "notice.alert.error_rate": "{percent} % von {count} Anfragen an `{name}` sind in {minutes} Minuten fehlgeschlagen.",
  "notice.alert.circuit_open":
    "Die Sicherung von `{name}` ist offen: {count} Anfragen nacheinander sind fehlgeschlagen.",
  "notice.alert.backup_failed": "Die Sicherung von {resource_type} {name} ist fehlgeschlagen: {message}",
  "notice.alert_resolved": "Der Alarm der Regel `{rule}` zu `{name}` ist behoben.",
  "notice.alert_test": "Ein Test des Alarmkanals `{name}`.",
  "mail.invite_subject": "Ihr Konto am KI-Gateway",
  "mail.invite":
    "Für Sie wurde das Konto `{username}` angelegt. Setzen Sie das Passwort über diesen Link, der einmal und bis {ends_at} gilt:\n\n{link}",
  "mail.reset_subject": "Neues Passwort setzen",
  "mail.reset":
    "Für Ihr Konto `{username}` wurde ein neues Passwort angefordert. Setzen Sie es über diesen Link, der einmal und bis {ends_at} gilt:\n\n{link}",
  "kind.key": "Schlüssel",
  "kind.project": "Projekt",
  "kind.customer": "Kunde",
  "limited.budget_exceeded": "ein Budget reicht nicht mehr",
  "limited.token_limited": "die Token eines Zeitraums sind verbraucht",
  "limited.request_limited": "die Anfragen eines Zeitraums sind verbraucht",
  "limited.concurrency_limited": "es laufen zu viele Aufrufe",
};
