const colors: Record<string, string> = {
  active: 'teal',
  trial: 'teal',
  gift: 'teal',
  past_due: 'yellow',
  paused: 'yellow',
  pausing: 'yellow',
  onPause: 'yellow',
  confirm: 'yellow',
}

/** The color of a subscription's badge; gray for one that is ending or has ended. The theme has the matching text color. */
export const stateColor = (state: string): string => colors[state] ?? 'gray'
