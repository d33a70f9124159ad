// Not by `Intl`, although exactly like it in English: the first formatter of a page takes a phone a tenth of a second.

const months = 'January February March April May June July August September October November December'.split(' ')

/** Date and time in full, for a title on hover and for screen readers. */
export function formatExact(iso: string): string {
  const date = new Date(iso)
  const hours = date.getHours()
  // Non-breaking.
  const time = `${hours % 12 || 12}:${`${date.getMinutes()}`.padStart(2, '0')}\u00a0${hours < 12 ? 'AM' : 'PM'}`
  return `${months[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()} at ${time}`
}

/** `"Mar 4, 2023"` */
export function formatDate(iso: string): string {
  const date = new Date(iso)
  return `${formatDay(date)}, ${date.getFullYear()}`
}

/** `"Mar 4"` */
export const formatDay = (date: Date): string => `${months[date.getMonth()]?.slice(0, 3)} ${date.getDate()}`
