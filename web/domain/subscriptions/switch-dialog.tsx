import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useState } from 'react'
import { formatCents, formatExact } from '../../lib/format/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Plan } from './queries.ts'
import { type BankQuestion, useManageSubscription } from './use-manage-subscription.ts'

const { switching } = subscriptionTexts

type Props = { subscriptionId: string; plan: Plan; onClose: () => void }

/** Asks before money moves, and says how much and when (SUB-04). */
export function SwitchDialog({ subscriptionId, plan, onClose }: Props) {
  const [bank, setBank] = useState<BankQuestion>()
  const manage = useManageSubscription((question) => (question ? setBank(question) : onClose()))
  if (bank)
    return (
      <ConfirmDialog
        title={switching.bank.title}
        message={switching.bank.message(plan.name, formatExact(bank.expiresAt))}
        confirmLabel={switching.bank.confirm}
        keepLabel={switching.bank.later}
        onConfirm={() => {
          // Beside this page: the bank's leads nowhere, and the plan changes here as soon as it is confirmed.
          window.open(bank.url, '_blank', 'noopener')
          onClose()
        }}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      title={switching.title(plan.name)}
      message={switching.message(`${formatCents(plan.price_cents)} / ${plan.interval}`)}
      confirmLabel={switching.confirm}
      pending={manage.isPending}
      onConfirm={() =>
        manage.mutate({
          change: 'switch-subscription',
          subscriptionId,
          productId: plan.id,
          done: switching.done(plan.name),
        })
      }
      onClose={onClose}
    />
  )
}
