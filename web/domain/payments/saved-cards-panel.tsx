import { Badge, Button, Group, Title } from '@mantine/core'
import { billingTexts as texts } from '@ovation/contract/texts/billing'
import { payingTexts } from '@ovation/contract/texts/paying'
import { IconCreditCard } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { callFunction } from '../../lib/api/functions.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { announce, toast } from '../../ui/toast.ts'
import { type SavedCard, savedCardsKey, savedCardsQuery } from './saved-cards.ts'
import classes from './saved-cards-panel.module.css'
import { StripePageButton } from './stripe-page-button.tsx'

/** The viewer's saved cards, with buttons to add one and to open the provider's billing page (D40). */
export function SavedCardsPanel() {
  // After saving a card: the server reads that checkout session first.
  const sessionId = useSearchParams()[0].get('card')
  const cards = useQuery(savedCardsQuery(sessionId))
  return (
    <section aria-labelledby="billing">
      <Title order={2} id="billing" className={classes.heading}>
        {texts.title}
      </Title>
      <p className={classes.hint}>{texts.hint}</p>
      {cards.isPending && <ListSkeleton rows={1} />}
      {cards.isError && <LoadFailed title={texts.failed} of={cards} />}
      {cards.data?.length === 0 && <p className={classes.none}>{texts.none}</p>}
      {cards.data && cards.data.length > 0 && (
        <ul className={classes.list}>
          {cards.data.map((card) => (
            <CardRow key={card.id} card={card} />
          ))}
        </ul>
      )}
      <Group mt="md">
        <StripePageButton to="save-card" label={texts.add} />
        <StripePageButton to="create-portal-session" label={texts.portal} />
      </Group>
    </section>
  )
}

function CardRow({ card }: { card: SavedCard }) {
  const queryClient = useQueryClient()
  const name = payingTexts.card.named(card.brand, card.last4)
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => callFunction('remove-saved-card', { cardId: card.id }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: savedCardsKey })
      announce(texts.removed)
    },
    onError: (error) => toast.error(error.message, texts.error),
    onSettled: () => setAsking(false),
  })
  return (
    <li className={`surface ${classes.row}`}>
      <IconCreditCard size={24} stroke={1.6} aria-hidden="true" />
      <div className={classes.text}>
        <div className={classes.name}>
          {name}
          {card.isDefault && (
            <Badge variant="light" color="gray">
              {texts.first}
            </Badge>
          )}
        </div>
        <p className={classes.detail}>{texts.expires(card.expMonth, card.expYear)}</p>
      </div>
      <Button variant="default" onClick={() => setAsking(true)} aria-label={texts.removeNamed(name)}>
        {texts.remove}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.removeDialog.title(name)}
          message={texts.removeDialog.message}
          confirmLabel={texts.removeDialog.confirm}
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
