/** Files that are on their way: order, pause, repair (POST-17, POST-24..POST-40). */
export const uploadTexts = {
  paste: 'You can also paste an image.',
  pause: (name: string) => `Pause ${name}`,
  resume: (name: string) => `Resume ${name}`,
  retry: (name: string) => `Retry ${name}`,
  paused: 'Paused',
  move: (name: string, position: number, total: number) => `Move ${name}, ${position} of ${total}`,
  moveHint: 'Drag to reorder, or use the arrow keys.',
  /** Where there is no mouse, there are mostly no keys either. */
  moveHintTouch: 'Drag to reorder.',
  moved: (name: string, position: number, total: number) => `${name} is now ${position} of ${total}`,
} as const
