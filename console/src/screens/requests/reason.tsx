import { hrefOf } from "../../app/router.ts";
import { hasText, text, textOf } from "../../i18n/texts.ts";
import { Icon } from "../../parts/icon.tsx";
import { LimitChain } from "../limits/limit-chain.tsx";
import type { RequestDetail } from "./detail.ts";

/** Reasons that a limit gave: the chain of limits shows which one has nothing left. */
const limiting = new Set(["budget_exceeded", "token_limited", "request_limited", "concurrency_limited"]);

/** What an error code means, in the caller's language; the code itself where it is unknown. */
export function reasonInWords(code: string): string {
  return hasText(`error.${code}`) ? textOf(`error.${code}`) : code;
}

/** Why a request failed, and what can be looked at next. Nothing for one that was answered. */
export function WhyRefused({ request }: { readonly request: RequestDetail }) {
  const { status, reason, key } = request;
  if (status < 400) return null;
  return (
    <section class="card why" aria-label={text("requests.why")}>
      <div class="alert alert-warn">
        <Icon name="alert" />
        <div class="alert-body">
          <strong>{text("requests.why")}</strong>
          <div>
            {reasonInWords(reason)} <code>{reason}</code>
          </div>
        </div>
        <a href={hrefOf("ai/requests", { reason, from: "-7d" })}>{text("requests.same_reason")}</a>
      </div>
      {limiting.has(reason) && key && (
        <div class="card-body stack">
          <h3>{text("limits.chain")}</h3>
          <LimitChain of={{ key_id: key.id }} />
        </div>
      )}
    </section>
  );
}
