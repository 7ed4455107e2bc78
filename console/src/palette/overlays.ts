// What is loaded with the first key that asks for it.
export { Palette } from "./palette.tsx";
export { ShortcutSheet } from "./sheet.tsx";
