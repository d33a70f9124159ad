/** Files being uploaded: order, pause, retry (POST-17, POST-24..POST-40). */
export const uploadTexts = {
  paste: 'You can also paste an image.',
  pause: (name: string) => `Pause ${name}`,
  resume: (name: string) => `Resume ${name}`,
  retry: (name: string) => `Retry ${name}`,
  paused: 'Paused',
  move: (name: string, position: number, total: number) => `Move ${name}, ${position} of ${total}`,
  moveHint: 'Drag to reorder, or use the arrow keys.',
  /** For touch screens, which usually have no keyboard. */
  moveHintTouch: 'Drag to reorder.',
  moved: (name: string, position: number, total: number) => `${name} is now ${position} of ${total}`,
} as const
