import { Badge, Button, Group } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ProductGate } from '../../domain/plans/plan-gate.tsx'
import { takesChargesQuery } from '../../domain/plans/queries.ts'
import { type Offer, offersKey, offersQuery } from '../../domain/private-sessions/offer-queries.ts'
import classes from '../../domain/private-sessions/sessions.module.css'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { forgetDraft } from '../../lib/forms/draft.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { OfferForm, offerDraftKey } from './offer-form.tsx'

const texts = sessionTexts.offers

/** PRIV-02: the creator's offers. An offer is deactivated, never deleted, because bookings refer to it. */
export default function OffersTab({ creatorId }: { creatorId: string }) {
  const offers = useQuery(offersQuery(creatorId, { active: false }))
  const takesCharges = useQuery(takesChargesQuery(creatorId))
  const [edited, setEdited] = useState<Offer>()
  const close = () => {
    if (edited) forgetDraft(offerDraftKey(edited.id))
    setEdited(undefined)
  }
  const failed = failedOf(offers, takesCharges)
  if (failed.length > 0) return <LoadFailed title={texts.loadFailed} of={failed} />
  if (!offers.data || takesCharges.data === undefined) return <ListSkeleton rows={2} />
  return (
    <div className={classes.sections}>
      {takesCharges.data ? (
        <section className={`surface ${classes.panel}`} aria-labelledby="new-offer">
          <h2 id="new-offer" className={classes.heading}>
            {texts.create}
          </h2>
          <OfferForm key="new" creatorId={creatorId} />
        </section>
      ) : (
        <ProductGate missing="onboardingFirst" text={texts.onboardingFirst} />
      )}
      <section aria-labelledby="offers">
        <h2 id="offers" className={classes.heading}>
          {texts.title}
        </h2>
        {offers.data.length === 0 ? (
          <p className={classes.secondary}>
            {texts.empty.title}. {texts.empty.message}
          </p>
        ) : (
          <ul className={classes.list}>
            {offers.data.map((offer) => (
              <OfferRow key={offer.id} offer={offer} onEdit={() => setEdited(offer)} />
            ))}
          </ul>
        )}
      </section>
      {edited && (
        <Dialog title={texts.edit} onClose={close}>
          <OfferForm creatorId={creatorId} offer={edited} onClose={close} />
        </Dialog>
      )}
    </div>
  )
}

function OfferRow({ offer, onEdit }: { offer: Offer; onEdit: () => void }) {
  const queryClient = useQueryClient()
  const toggle = useMutation({
    mutationFn: async () => {
      await supabase.from('session_offers').update({ is_active: !offer.is_active }).eq('id', offer.id).throwOnError()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.saveFailed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: offersKey(offer.creator_id) }),
  })
  const name = (action: string) => sessionTexts.actions.named(action, offer.title)
  const action = offer.is_active ? texts.deactivate : texts.activate
  return (
    <li {...useKeptFocus<HTMLLIElement>()} className={`surface ${classes.offer}`}>
      <div className={classes.text}>
        <h3 className={classes.bookingTitle}>
          <bdi>{offer.title}</bdi>
        </h3>
        {offer.description && (
          <p className={classes.secondary} dir="auto">
            {offer.description}
          </p>
        )}
        <p className={`${classes.when} facts`}>
          <span>{sessionTexts.minutes(offer.duration_minutes)}</span>
          <span>{formatCents(offer.price_cents)}</span>
        </p>
      </div>
      <Badge
        variant="light"
        color={offer.is_active ? 'teal' : 'gray'}
        className={classes.badge}
        data-state={offer.is_active ? 'accepted' : 'inactive'}
      >
        {offer.is_active ? texts.active : texts.inactive}
      </Badge>
      <Group gap="xs" className={classes.actions}>
        <Button variant="default" onClick={onEdit} aria-label={name(texts.edit)}>
          {texts.edit}
        </Button>
        <Button variant="subtle" onClick={() => toggle.mutate()} loading={toggle.isPending} aria-label={name(action)}>
          {action}
        </Button>
      </Group>
    </li>
  )
}
