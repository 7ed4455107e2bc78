/** What a screen is shown with: the parts of the path behind its own. */
export interface ScreenProps {
  readonly rest: readonly string[];
}
