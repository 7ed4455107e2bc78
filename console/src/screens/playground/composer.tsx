import { useState } from "preact/hooks";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { toast } from "../../parts/toast.tsx";
import type { ChatTurn } from "./settings.ts";

interface ComposerProps {
  readonly isBlocked: boolean;
  readonly onSend: (content: ChatTurn["content"]) => void;
  readonly onStop: () => void;
}

/** An image is part of the request: larger ones are refused here. */
const largestImage = 4_000_000;

/** What is said next: a text, and an image next to it. Ctrl-Enter sends it. */
export function Composer({ isBlocked, onSend, onStop }: ComposerProps) {
  const [typed, setTyped] = useState("");
  const [image, setImage] = useState<{ name: string; url: string }>();
  const send = () => {
    if (typed.trim() === "" || isBlocked) return;
    onSend(
      image
        ? [
            { type: "text", text: typed },
            { type: "image_url", image_url: { url: image.url } },
          ]
        : typed,
    );
    setTyped("");
    setImage(undefined);
  };
  const attach = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > largestImage) toast(text("playground.too_large"));
    else setImage({ name: file.name, url: await toDataUrl(file) });
  };
  return (
    <form
      class="card composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <TextField label={text("playground.message")} lines={3} value={typed} onInput={setTyped} />
      <div class="row">
        <label class="button button-small">
          {image?.name ?? text("playground.image")}
          <input
            class="visually-hidden"
            type="file"
            accept="image/*"
            onChange={(event) => void attach(event.currentTarget.files?.[0])}
          />
        </label>
        <span class="row-end row">
          <Button icon="stop" onPress={onStop}>
            {text("playground.stop_all")}
          </Button>
          <Button
            tone="primary"
            icon="play"
            isSubmit
            blockedBy={typed.trim() === "" ? text("problem.required") : isBlocked ? text("problem.json") : undefined}
          >
            {text("playground.send")}
          </Button>
        </span>
      </div>
    </form>
  );
}

function toDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
