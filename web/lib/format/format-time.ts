const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** A time of day in the viewer's time zone: `"4:05 PM"`. */
export const formatTime = (iso: string): string => time.format(new Date(iso))
