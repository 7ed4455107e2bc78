import type { NoticeTexts } from "./en.ts";

/** The sentences of notifications in Spanish. */
export const esNotices: NoticeTexts = {
  "notice.budget": "Se ha usado el {percent} % del presupuesto de `{name}` ({kind:kind}): {used} de {limit}.",
  "notice.budget_resets":
    "Se ha usado el {percent} % del presupuesto de `{name}` ({kind:kind}): {used} de {limit}. Vuelve a empezar el {resets_at}.",
  "notice.key_limited": "Se rechazan las solicitudes de la clave `{name}`: {limited:reason}.",
  "notice.backup_failed": "La copia de seguridad de {resource_type} {resource_id} ha fallado: {message}",
  "notice.backup_lost": "La copia de seguridad de {resource_id} se ha perdido: el sistema ya no la tiene.",
  "notice.backup_copy_lost":
    "Una copia de la copia de seguridad de {resource_id} en la zona {zone} se ha perdido: el sistema ya no la tiene.",
  "notice.backup_restored": "La copia de seguridad de {resource_id} está restaurada.",
  "notice.restore_failed": "La restauración de la copia de seguridad de {resource_id} ha fallado: {message}",
  "notice.task_done": "La tarea «{name}» ha terminado.",
  "notice.task_failed": "La tarea «{name}» ha fallado.",
  "notice.task_stopped": "La tarea «{name}» se ha detenido.",
  "notice.token_expiring": "El token de acceso `{name}` (…{last4}) caduca el {ends_at}. Cree uno nuevo antes.",
  "notice.alert.budget_used":
    "Se ha usado el {percent} % del presupuesto de `{name}` ({kind:kind}): {used} de {limit}.",
  "notice.alert.balance_low": "A `{name}` ({kind:kind}) le quedan {left} de {limit}.",
  "notice.alert.limit_refused":
    "Se rechazaron {count} peticiones de la clave `{name}` en {minutes} minutos: {limited:reason}.",
  "notice.alert.key_expiring": "La clave virtual `{name}` (…{last4}) caduca el {ends_at}.",
  "notice.alert.token_expiring": "El token de acceso `{name}` (…{last4}) caduca el {ends_at}.",
  "notice.alert.error_rate": "El {percent} % de {count} peticiones a `{name}` fallaron en {minutes} minutos.",
  "notice.alert.circuit_open": "El circuito de `{name}` está abierto: fallaron {count} peticiones seguidas.",
  "notice.alert.backup_failed": "La copia de seguridad de {resource_type} {name} falló: {message}",
  "notice.alert_resolved": "La alerta de la regla `{rule}` sobre `{name}` está resuelta.",
  "notice.alert_test": "Una prueba del canal de alertas `{name}`.",
  "mail.invite_subject": "Su cuenta de la pasarela de IA",
  "mail.invite":
    "Se ha creado una cuenta `{username}` para usted. Establezca la contraseña con este enlace, válido una vez y hasta {ends_at}:\n\n{link}",
  "mail.reset_subject": "Establecer una contraseña nueva",
  "mail.reset":
    "Se ha pedido una contraseña nueva para su cuenta `{username}`. Establézcala con este enlace, válido una vez y hasta {ends_at}:\n\n{link}",
  "kind.key": "clave",
  "kind.project": "proyecto",
  "kind.customer": "cliente",
  "limited.budget_exceeded": "un presupuesto ya no alcanza",
  "limited.token_limited": "los tokens de un periodo se han agotado",
  "limited.request_limited": "las solicitudes de un periodo se han agotado",
  "limited.concurrency_limited": "hay demasiadas llamadas en curso",
};
