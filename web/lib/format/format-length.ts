/** The length of a recording: `192` → `"3:12"`; from an hour up, `"1:02:05"`. */
export function formatLength(seconds: number): string {
  const total = Math.max(1, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  const twoDigits = (count: number) => String(count).padStart(2, '0')
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`
}
