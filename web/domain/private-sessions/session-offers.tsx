import { Anchor, Button, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { type Offer, offersQuery } from './offer-queries.ts'
import classes from './sessions.module.css'

// Waits for a click.
const TimePicker = lazy(() => import('./time-picker.tsx'))

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
        {texts.rule}
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
      {open && (
        <Suspense fallback={<ListSkeleton rows={1} />}>
          <TimePicker offer={offer} />
        </Suspense>
      )}
    </article>
  )
}
