import { Button } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { longDay } from '../../lib/format/calendar-days.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { localDate, ownZone } from '../../lib/format/local-time.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { MonthCalendar } from '../../ui/month-calendar.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { useCheckout } from '../payments/use-checkout.ts'
import { sessionTimesQuery, timesKey } from './availability-queries.ts'
import type { Offer } from './offer-queries.ts'
import classes from './sessions.module.css'
import { startsByDay, zoneWithOffset } from './times.ts'

const texts = sessionTexts.book

/** LOOP-25: a fan chooses a day, then a time, in their own time zone. A click on a time goes to payment (PRIV-03). */
export default function TimePicker({ offer }: { offer: Offer }) {
  const queryClient = useQueryClient()
  const times = useQuery(sessionTimesQuery(offer.id))
  const [chosen, setChosen] = useState<string>()
  const refresh = () => void queryClient.invalidateQueries({ queryKey: timesKey })
  const checkout = useCheckout<{ kind: 'session'; targetId: string; startsAt: string }>(
    'create-payment-checkout',
    texts.error,
    { onPaid: refresh },
  )
  const keptFocus = useKeptFocus()
  const { error } = checkout
  // The time may have been taken: show the remaining ones.
  useEffect(() => {
    if (error) void queryClient.invalidateQueries({ queryKey: timesKey })
  }, [error, queryClient])
  if (times.isPending) return <ListSkeleton rows={1} />
  if (times.isError) return <LoadFailed order={3} title={texts.timesFailed} of={times} />
  const days = startsByDay(times.data.starts)
  const first = days.keys().next().value
  const last = [...days.keys()].at(-1)
  if (!first || !last) return <p className={`${classes.secondary} ${classes.times}`}>{texts.noTimes}</p>
  const day = chosen && days.has(chosen) ? chosen : first
  const price = formatCents(offer.price_cents)
  const { zone } = times.data
  // For both zones, because the clocks of either may change before the chosen day.
  const at = new Date(days.get(day)?.[0]?.starts_at ?? Date.now())
  return (
    <div {...keptFocus} className={classes.times}>
      <div className={classes.picker}>
        <MonthCalendar
          label={texts.days}
          min={localDate(new Date())}
          max={last}
          selected={day}
          onSelect={setChosen}
          lookOf={(date) => {
            const count = days.get(date)?.length ?? 0
            return { open: count > 0, note: count > 0 ? texts.count(count) : undefined }
          }}
        />
        <section className={classes.dayTimes} aria-label={longDay(day)}>
          <h4 className={classes.date} aria-live="polite">
            {longDay(day)}
          </h4>
          <div className={classes.choices}>
            {days.get(day)?.map(({ starts_at, label }) => (
              <Button
                key={starts_at}
                variant="default"
                aria-label={texts.slot(label, price)}
                onClick={() => checkout.start({ kind: 'session', targetId: offer.id, startsAt: starts_at })}
                loading={checkout.pending?.startsAt === starts_at}
                disabled={checkout.pending !== undefined}
              >
                {label}
              </Button>
            ))}
          </div>
          <p className={classes.zone}>
            {texts.ownZone(zoneWithOffset(ownZone(), at))}
            {zone && zone !== ownZone() && ` ${texts.creatorZone(zoneWithOffset(zone, at))}`}
          </p>
        </section>
      </div>
    </div>
  )
}
