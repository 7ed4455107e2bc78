import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface PageProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly crumb?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: its title, what it is for, and what can be done on it. */
export function Page({ title, about, crumb, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · tollgate`;
  }, [title]);
  return (
    <div class="page">
      <div class="page-head">
        <div class="page-title">
          {crumb && <div class="crumb">{crumb}</div>}
          <h1>{title}</h1>
          {about && <p>{about}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Without padding, for tables. */
  readonly isFlush?: boolean;
}

/** A part of a screen with a heading of its own. */
export function Card({ title, actions, children, isFlush = false }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      {(title || actions) && (
        <div class="card-head">
          {title && <h2>{title}</h2>}
          {actions}
        </div>
      )}
      {isFlush ? children : <div class="card-body">{children}</div>}
    </section>
  );
}

/** A row of tabs; the chosen one is in the address. */
export function Tabs(props: {
  readonly tabs: readonly (readonly [id: string, name: string])[];
  readonly active: string;
  readonly onChange: (id: string) => void;
}) {
  const { tabs, active, onChange } = props;
  const move = (step: number) => {
    const at = tabs.findIndex(([id]) => id === active);
    const [next] = tabs[(at + step + tabs.length) % tabs.length] ?? [];
    if (next !== undefined) onChange(next);
  };
  return (
    <div
      class="tabs"
      role="tablist"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "ArrowRight") move(1);
        if (event.key === "ArrowLeft") move(-1);
      }}
    >
      {tabs.map(([id, name]) => (
        <button
          key={id}
          type="button"
          role="tab"
          class="tab"
          aria-selected={id === active}
          tabIndex={id === active ? 0 : -1}
          onClick={() => onChange(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
