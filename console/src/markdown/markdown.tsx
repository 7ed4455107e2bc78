import { text as textOf } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { copyText } from "../parts/copy.tsx";
import { type Block, parseBlocks } from "./blocks.ts";
import { type Inline, parseInline } from "./inline.ts";

/** Markdown as elements: no markup of a text ever becomes markup of the page, and links have allowed protocols only. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div class="markdown">
      {parseBlocks(text).map((block, position) => (
        <BlockView key={position} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "rule":
      return <hr />;
    case "code":
      return <CodeBlock text={block.text} />;
    case "heading":
      return (
        <p class="markdown-heading" data-level={block.level}>
          <Line text={block.line} />
        </p>
      );
    case "list": {
      const items = block.items.map((item, position) => (
        <li key={position}>
          <Line text={item} />
        </li>
      ));
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    default: {
      const lines = block.lines.map((line, position) => (
        <span key={position}>
          {position > 0 && <br />}
          <Line text={line} />
        </span>
      ));
      return block.kind === "quote" ? <blockquote>{lines}</blockquote> : <p>{lines}</p>;
    }
  }
}

function CodeBlock({ text }: { readonly text: string }) {
  return (
    <div class="markdown-code">
      <pre class="json" tabIndex={0}>
        {text}
      </pre>
      <Button isSmall tone="quiet" icon="copy" label={textOf("action.copy")} onPress={() => void copyText(text)} />
    </div>
  );
}

function Line({ text }: { readonly text: string }) {
  return <Parts parts={parseInline(text)} />;
}

function Parts({ parts }: { readonly parts: readonly Inline[] }) {
  return (
    <>
      {parts.map((part, position) => (
        <Part key={position} part={part} />
      ))}
    </>
  );
}

function Part({ part }: { readonly part: Inline }) {
  if ("text" in part) return part.kind === "code" ? <code>{part.text}</code> : <span>{part.text}</span>;
  const inner = <Parts parts={part.parts} />;
  if ("href" in part)
    return (
      <a href={part.href} target="_blank" rel="noopener noreferrer nofollow">
        {inner}
      </a>
    );
  return part.kind === "strong" ? <strong>{inner}</strong> : <em>{inner}</em>;
}
