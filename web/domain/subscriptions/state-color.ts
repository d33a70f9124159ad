const colors: Record<string, string> = {
  active: 'teal',
  trial: 'teal',
  past_due: 'yellow',
  paused: 'yellow',
  confirm: 'yellow',
}

/** The colour of a badge that says how a subscription stands; what ends, or has ended, is grey. The theme has the ink that goes with it. */
export const stateColor = (state: string): string => colors[state] ?? 'gray'
