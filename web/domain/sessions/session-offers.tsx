import { Anchor, Button, NativeSelect, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { sessionTexts } from '@ovation/contract/texts/sessions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { useCheckout } from '../payments/use-checkout.ts'
import { freeSlotsQuery, type Offer, offersQuery, slotsKey } from './queries.ts'
import classes from './sessions.module.css'
import { byDay, dayOf, ownZone, timeOf } from './times.ts'

const texts = sessionTexts.book

/** On the profile, below the plans: the sessions that can be booked (PRIV-03). Renders nothing if there are none. */
export default function SessionOffers({ creatorId, own }: { creatorId: string; own: boolean }) {
  const viewer = useViewer()
  // Only for users: the database doesn't show offers to visitors.
  const offers = useQuery({ ...offersQuery(creatorId, { active: true }), enabled: Boolean(viewer) })
  if (!viewer || !offers.data?.length) return null
  return (
    <section id="sessions" className={classes.offered} aria-labelledby="sessions-title">
      <h2 id="sessions-title" className={classes.heading}>
        {texts.title}
      </h2>
      <Text c="dimmed" mb="md">
        {texts.rule} {sessionTexts.zone(ownZone())}
      </Text>
      <div className={classes.cards}>
        {offers.data.map((offer) => (
          <OfferCard key={offer.id} offer={offer} own={own} />
        ))}
      </div>
      <Anchor component={Link} to={paths.privateSessions} size="sm" mt="md" display="inline-block">
        {texts.manage}
      </Anchor>
    </section>
  )
}

function OfferCard({ offer, own }: { offer: Offer; own: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <article {...useKeptFocus<HTMLElement>()} className={`surface ${classes.offer}`} aria-label={offer.title}>
      <div className={classes.text}>
        <h3 className={classes.bookingTitle}>{offer.title}</h3>
        {offer.description && <p className={classes.secondary}>{offer.description}</p>}
        <p className={`${classes.when} facts`}>
          <span>{sessionTexts.minutes(offer.duration_minutes)}</span>
          <span>{formatCents(offer.price_cents)}</span>
        </p>
      </div>
      {!own && !open && (
        <Button
          variant="default"
          onClick={() => setOpen(true)}
          aria-label={sessionTexts.actions.named(texts.choose, offer.title)}
        >
          {texts.choose}
        </Button>
      )}
      {open && <FreeTimes offer={offer} />}
    </article>
  )
}

function FreeTimes({ offer }: { offer: Offer }) {
  const queryClient = useQueryClient()
  const slots = useQuery(freeSlotsQuery(offer.id))
  const [chosen, setChosen] = useState<string>()
  const checkout = useCheckout<{ kind: 'session'; targetId: string }>('create-payment-checkout', texts.error, {
    onPaid: () => void queryClient.invalidateQueries({ queryKey: slotsKey }),
  })
  const keptFocus = useKeptFocus()
  const { error } = checkout
  // The slot may have been taken: show the remaining ones.
  useEffect(() => {
    if (error) void queryClient.invalidateQueries({ queryKey: slotsKey })
  }, [error, queryClient])
  if (slots.isPending) return <ListSkeleton rows={1} />
  if (slots.isError) return <LoadFailed order={3} title={texts.slotsFailed} of={slots} />
  const days = byDay(slots.data)
  const day = days.find(({ date }) => date === chosen) ?? days[0]
  if (!day) return <p className={`${classes.secondary} ${classes.times}`}>{texts.noSlots}</p>
  const price = formatCents(offer.price_cents)
  return (
    <div {...keptFocus} className={classes.times}>
      <NativeSelect
        label={texts.day}
        maw="20rem"
        value={day.date}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={days.map(({ date, rows }) => ({ value: date, label: dayOf(rows[0]?.starts_at ?? date) }))}
      />
      <div className={classes.choices}>
        {day.rows.map((slot) => (
          <Button
            key={slot.id}
            variant="default"
            aria-label={texts.slot(timeOf(slot.starts_at), price)}
            onClick={() => checkout.start({ kind: 'session', targetId: slot.id })}
            loading={checkout.pending?.targetId === slot.id}
            disabled={checkout.pending !== undefined}
          >
            {timeOf(slot.starts_at)}
          </Button>
        ))}
      </div>
    </div>
  )
}
