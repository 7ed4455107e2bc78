import { useEffect, useRef } from "preact/hooks";
import { text } from "../../i18n/texts.ts";
import { longColor, type ThemeDraft } from "./contrast.ts";

/** What a page looks like in a theme, while it is edited. */
export function ThemePreview({ draft }: { readonly draft: ThemeDraft }) {
  const ref = useRef<HTMLDivElement>(null);
  const { name, colors, logo } = draft;
  useEffect(() => {
    // By the object model: the page's policy refuses style attributes in markup.
    for (const [color, value] of Object.entries(colors)) {
      const long = longColor(value);
      if (long !== undefined && /^[a-z][a-z0-9_-]*$/.test(color))
        ref.current?.style.setProperty(`--theme-${color}`, long);
    }
  }, [colors]);
  return (
    <div ref={ref} class="theme-preview">
      <div class="theme-bar">
        {logo !== undefined && <img src={logo} alt="" height="22" />}
        <strong>{name}</strong>
      </div>
      <div class="theme-page">
        <h3>{text("console.overview")}</h3>
        <p>{text("theme.sample")}</p>
        <div class="row">
          <span class="theme-button">{text("action.save")}</span>
          <span class="theme-link">{text("action.show")}</span>
          <span class="theme-danger">{text("action.delete")}</span>
        </div>
      </div>
    </div>
  );
}
