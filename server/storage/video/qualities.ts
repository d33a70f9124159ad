/** One quality of a video: its shorter side in pixels, and its maximum bits a second. */
export type Quality = { readonly name: string; readonly width: number; readonly height: number; readonly kbps: number }

const qualities = [
  { side: 1080, kbps: 5000 },
  { side: 720, kbps: 2800 },
  { side: 480, kbps: 1400 },
  { side: 240, kbps: 500 },
] as const

const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2))

/** Up to 1080p and never above the video's own size, best first. */
export function qualitiesFor(width: number, height: number): Quality[] {
  const shorter = Math.min(width, height)
  const fitting = qualities.filter(({ side }) => side <= shorter)
  const steps = fitting.length > 0 ? fitting : [{ side: shorter, kbps: 500 }]
  return steps.map(({ side, kbps }) => {
    const scale = side / shorter
    return { name: `${even(side)}p`, width: even(width * scale), height: even(height * scale), kbps }
  })
}
