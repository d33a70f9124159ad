import { Badge, Button, Text } from '@mantine/core'
import { creatorOfferTexts as texts } from '@ovation/contract/texts/creator-offers'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import classes from '../plans/creator-plans.module.css'
import { OfferForm } from './offer-form.tsx'
import own from './offers.module.css'
import { type Offer, offersKey, offersQuery, overBecause } from './queries.ts'

type Props = { creatorId: string; plans: readonly { id: string; name: string; is_active: boolean }[] }

/** A creator's offers, those that are over behind a button, and the form for a new one (OFFER-04). */
export function Offers({ creatorId, plans }: Props) {
  const offers = useQuery(offersQuery(creatorId))
  const [showsEarlier, setShowsEarlier] = useState(false)
  const active = plans.filter(({ is_active }) => is_active)
  const all = offers.data ?? []
  const open = all.filter((offer) => overBecause(offer) === null)
  const earlier = all.filter((offer) => overBecause(offer) !== null)
  const shown = showsEarlier ? [...open, ...earlier] : open
  return (
    <section aria-labelledby="offers">
      <h2 id="offers" className={classes.heading}>
        {texts.title}
      </h2>
      <Text c="dimmed" mb="md">
        {texts.introduction}
      </Text>
      {offers.isPending && <ListSkeleton rows={1} />}
      {offers.isError && <LoadFailed title={texts.loadFailed} of={offers} />}
      {offers.data && open.length === 0 && !showsEarlier && <Text>{texts.none}</Text>}
      {shown.length > 0 && (
        <ul className={classes.list}>
          {shown.map((offer) => (
            <OfferRow key={offer.id} offer={offer} />
          ))}
        </ul>
      )}
      {earlier.length > 0 && !showsEarlier && (
        <Button variant="subtle" color="gray" mt="sm" ml="-xs" px="xs" onClick={() => setShowsEarlier(true)}>
          {texts.earlier(formatCount(earlier.length))}
        </Button>
      )}
      {active.length > 0 && <OfferForm creatorId={creatorId} plans={active} />}
    </section>
  )
}

function OfferRow({ offer }: { offer: Offer }) {
  const { id, percent_off, periods, audience, is_for_all_plans, plans, offers_used, user_limit, ends_at } = offer
  const over = overBecause(offer)
  const queryClient = useQueryClient()
  const [asks, setAsks] = useState(false)
  const end = useMutation({
    mutationFn: async () => {
      await supabase.rpc('end_offer', { offer_id: id }).throwOnError()
      await queryClient.invalidateQueries({ queryKey: offersKey })
    },
    onSuccess: () => {
      setAsks(false)
      toast.success(texts.ended)
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.error),
  })
  const line = texts.line(percent_off, periods)
  const names = plans.map(({ plan }) => plan?.name ?? texts.noPlan).join(', ')
  return (
    <li className={`surface ${classes.row}`} data-inactive={over !== null || undefined}>
      <div className={classes.what}>
        <div className={classes.name}>
          <h3>{line}</h3>
          {over && (
            <Badge variant="light" color="gray">
              {texts.over[over]}
            </Badge>
          )}
        </div>
        <p className={`facts ${own.facts}`}>
          <span>{texts.audiences[audience]}</span>
          <span dir="auto">{is_for_all_plans ? texts.everyPlan : names || texts.noPlan}</span>
          <span>{texts.used(formatCount(offers_used), user_limit === null ? null : formatCount(user_limit))}</span>
          {ends_at !== null && <span>{texts.until(formatDate(ends_at))}</span>}
        </p>
      </div>
      {!over && (
        <Button variant="default" onClick={() => setAsks(true)} aria-label={texts.endNamed(line)}>
          {texts.end}
        </Button>
      )}
      {asks && (
        <ConfirmDialog
          title={texts.endDialog.title}
          message={texts.endDialog.message}
          confirmLabel={texts.endDialog.confirm}
          keepLabel={texts.endDialog.keep}
          onConfirm={() => end.mutate()}
          onClose={() => setAsks(false)}
          pending={end.isPending}
        />
      )}
    </li>
  )
}
