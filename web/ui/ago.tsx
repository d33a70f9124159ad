import { useIsFromServer } from '../lib/browser/use-is-from-server.ts'
import { formatAgo, formatAgoInWords } from '../lib/format/format-ago.ts'
import { formatExact } from '../lib/format/format-date.ts'
import classes from './marks.module.css'

/** A relative time; the exact time shows on hover (POST-01). @param inSentence after other words: "5m ago", "on Mar 4". */
export function Ago({ at, inSentence = false }: { at: string; inSentence?: boolean }) {
  const isFromServer = useIsFromServer()
  return (
    // The server has another time zone: its date stays until the browser draws its own.
    <time
      key={`${isFromServer}`}
      className={classes.time}
      dateTime={at}
      title={formatExact(at)}
      suppressHydrationWarning
    >
      {inSentence ? formatAgoInWords(at) : formatAgo(at)}
    </time>
  )
}
