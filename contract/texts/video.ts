/** The video player (LOOP-12). */
export const videoTexts = {
  play: (video: string) => `Play: ${video}`,
} as const
