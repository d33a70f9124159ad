import { sessionTexts } from '@ovation/contract/texts/private-sessions'

type Event = { id: string; title: string; starts_at: string; ends_at: string; url: string; writtenAt: Date }

/** An event as an iCalendar file (RFC 5545), with an alarm 15 minutes before. */
export function icsOf({ id, title, starts_at, ends_at, url, writtenAt }: Event): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ovation//Private sessions//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${id}@${new URL(url).hostname}`,
    `DTSTAMP:${stamp(writtenAt)}`,
    `DTSTART:${stamp(new Date(starts_at))}`,
    `DTEND:${stamp(new Date(ends_at))}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(sessionTexts.ics.description(url))}`,
    `LOCATION:${escaped(url)}`,
    `URL:${url}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(sessionTexts.ics.alarm)}`,
    'TRIGGER:-PT15M',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

/** UTC, `20260306T143000Z`. */
const stamp = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, '')

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** A line has at most 75 octets; continuation lines begin with a space. Characters are never split. */
function fold(line: string): string {
  const encoder = new TextEncoder()
  const folded: string[] = []
  let current = ''
  let length = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (length + size > 75) {
      folded.push(current)
      current = ' '
      length = 1
    }
    current += character
    length += size
  }
  return [...folded, current].join('\r\n')
}
