import type { NoticeTexts } from "./en.ts";

/** The sentences of notifications in French. */
export const frNotices: NoticeTexts = {
  "notice.budget": "{percent} % du budget de `{name}` ({kind:kind}) sont consommés : {used} sur {limit}.",
  "notice.budget_resets":
    "{percent} % du budget de `{name}` ({kind:kind}) sont consommés : {used} sur {limit}. Il repart à zéro le {resets_at}.",
  "notice.key_limited": "Les requêtes de la clé `{name}` sont refusées : {limited:reason}.",
  "notice.backup_failed": "La sauvegarde de {resource_type} {resource_id} a échoué : {message}",
  "notice.backup_lost": "La sauvegarde de {resource_id} est perdue : le système ne l’a plus.",
  "notice.backup_copy_lost":
    "Une copie de la sauvegarde de {resource_id} dans la zone {zone} est perdue : le système ne l’a plus.",
  "notice.backup_restored": "La sauvegarde de {resource_id} est restaurée.",
  "notice.restore_failed": "La restauration de la sauvegarde de {resource_id} a échoué : {message}",
  "notice.task_done": "La tâche « {name} » est terminée.",
  "notice.task_failed": "La tâche « {name} » a échoué.",
  "notice.task_stopped": "La tâche « {name} » a été arrêtée.",
  "notice.token_expiring":
    "Le jeton d'accès `{name}` (…{last4}) expire le {ends_at}. Créez-en un nouveau avant cette date.",
  "notice.alert.budget_used": "{percent} % du budget de `{name}` ({kind:kind}) sont utilisés : {used} sur {limit}.",
  "notice.alert.balance_low": "Il reste {left} sur {limit} à `{name}` ({kind:kind}).",
  "notice.alert.limit_refused":
    "{count} requêtes de la clé `{name}` ont été refusées en {minutes} minutes : {limited:reason}.",
  "notice.alert.key_expiring": "La clé virtuelle `{name}` (…{last4}) expire le {ends_at}.",
  "notice.alert.token_expiring": "Le jeton d’accès `{name}` (…{last4}) expire le {ends_at}.",
  "notice.alert.error_rate": "{percent} % de {count} requêtes vers `{name}` ont échoué en {minutes} minutes.",
  "notice.alert.circuit_open": "Le disjoncteur de `{name}` est ouvert : {count} requêtes de suite ont échoué.",
  "notice.alert.backup_failed": "La sauvegarde de {resource_type} {name} a échoué : {message}",
  "notice.alert_resolved": "L’alerte de la règle `{rule}` sur `{name}` est résolue.",
  "notice.alert_test": "Un test du canal d’alerte `{name}`.",
  "mail.invite_subject": "Votre compte de la passerelle IA",
  "mail.invite":
    "Un compte `{username}` a été créé pour vous. Définissez son mot de passe par ce lien, valable une fois et jusqu’au {ends_at} :\n\n{link}",
  "mail.reset_subject": "Définir un nouveau mot de passe",
  "mail.reset":
    "Un nouveau mot de passe a été demandé pour votre compte `{username}`. Définissez-le par ce lien, valable une fois et jusqu’au {ends_at} :\n\n{link}",
  "kind.key": "clé",
  "kind.project": "projet",
  "kind.customer": "client",
  "limited.budget_exceeded": "un budget n'est plus suffisant",
  "limited.token_limited": "les jetons d'une période sont épuisés",
  "limited.request_limited": "les requêtes d'une période sont épuisées",
  "limited.concurrency_limited": "trop d'appels sont en cours",
};
