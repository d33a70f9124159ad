import classes from './waveform.module.css'

/** As many as look like a waveform in the narrowest message. */
const bars = 40

/**
 * The bars of a waveform, in the height of its parent.
 * @param levels from 0 to 1; fewer than there is room for are at the end, as while recording.
 * @param played the part that is colored, from 0 to 1.
 */
export function Waveform({ levels, played }: { levels: number[]; played: number }) {
  const path = levels
    .map((level, index) => {
      const half = Math.max(level * 46, 2)
      return `M${(index + 0.5).toFixed(1)} ${(50 - half).toFixed(1)}V${(50 + half).toFixed(1)}`
    })
    .join('')
  const picture = (className?: string) => (
    <svg
      className={className}
      viewBox={`0 0 ${String(levels.length)} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
  return (
    <span className={classes.waveform} style={{ '--played': String(played) } as React.CSSProperties}>
      {picture()}
      {picture(classes.played)}
    </span>
  )
}

/** The levels of `waveform`, joined to as many bars as there is room for; flat without one. */
export function levelsOf(waveform: string | undefined): number[] {
  const bytes = waveform ? Uint8Array.from(atob(waveform), (char) => char.charCodeAt(0)) : new Uint8Array()
  return joined([...bytes].map((byte) => byte / 255))
}

/** Any number of levels, joined to `bars`: the loudest of each part. */
export function joined(levels: number[]): number[] {
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / bars)
    return Math.max(0, ...levels.slice(from, Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / bars))))
  })
}
