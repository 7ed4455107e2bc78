import type { NoticeTexts } from "./en.ts";

/** The sentences of notifications in Italian. */
export const itNotices: NoticeTexts = {
  "notice.budget": "È stato usato il {percent} % del budget di `{name}` ({kind:kind}): {used} di {limit}.",
  "notice.budget_resets":
    "È stato usato il {percent} % del budget di `{name}` ({kind:kind}): {used} di {limit}. Riparte da zero alle {resets_at}.",
  "notice.key_limited": "Le richieste della chiave `{name}` sono rifiutate: {limited:reason}.",
  "notice.backup_failed": "Il backup di {resource_type} {resource_id} non è riuscito: {message}",
  "notice.backup_lost": "Il backup di {resource_id} è perso: il sistema non lo ha più.",
  "notice.backup_copy_lost":
    "Una copia del backup di {resource_id} nella zona {zone} è persa: il sistema non l’ha più.",
  "notice.backup_restored": "Il backup di {resource_id} è stato ripristinato.",
  "notice.restore_failed": "Il ripristino del backup di {resource_id} non è riuscito: {message}",
  "notice.task_done": "L'attività «{name}» è terminata.",
  "notice.task_failed": "L'attività «{name}» non è riuscita.",
  "notice.task_stopped": "L'attività «{name}» è stata interrotta.",
  "notice.token_expiring":
    "Il token di accesso `{name}` (…{last4}) scade alle {ends_at}. Creane uno nuovo prima di allora.",
  "notice.alert.budget_used": "È stato usato il {percent} % del budget di `{name}` ({kind:kind}): {used} di {limit}.",
  "notice.alert.balance_low": "A `{name}` ({kind:kind}) restano {left} di {limit}.",
  "notice.alert.limit_refused":
    "{count} richieste della chiave `{name}` sono state rifiutate in {minutes} minuti: {limited:reason}.",
  "notice.alert.key_expiring": "La chiave virtuale `{name}` (…{last4}) scade il {ends_at}.",
  "notice.alert.token_expiring": "Il token di accesso `{name}` (…{last4}) scade il {ends_at}.",
  "notice.alert.error_rate": "Il {percent} % di {count} richieste a `{name}` è fallito in {minutes} minuti.",
  "notice.alert.circuit_open": "Il circuito di `{name}` è aperto: {count} richieste di seguito sono fallite.",
  "notice.alert.backup_failed": "Il backup di {resource_type} {name} è fallito: {message}",
  "notice.alert_resolved": "L’avviso della regola `{rule}` su `{name}` è risolto.",
  "notice.alert_test": "Una prova del canale di avvisi `{name}`.",
  "mail.invite_subject": "Il suo account del gateway IA",
  "mail.invite":
    "È stato creato un account `{username}` per lei. Imposti la password con questo link, valido una volta e fino al {ends_at}:\n\n{link}",
  "mail.reset_subject": "Impostare una nuova password",
  "mail.reset":
    "È stata chiesta una nuova password per il suo account `{username}`. La imposti con questo link, valido una volta e fino al {ends_at}:\n\n{link}",
  "kind.key": "chiave",
  "kind.project": "progetto",
  "kind.customer": "cliente",
  "limited.budget_exceeded": "un budget non basta più",
  "limited.token_limited": "i token di un periodo sono esauriti",
  "limited.request_limited": "le richieste di un periodo sono esaurite",
  "limited.concurrency_limited": "sono in corso troppe chiamate",
};
