import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useState } from 'react'
import { formatExact } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Plan } from './plan-queries.ts'
import { type BankQuestion, useManageSubscription } from './use-manage-subscription.ts'

const { switching } = subscriptionTexts

type Props = { subscriptionId: string; plan: Plan; onClose: () => void }

/** Confirms a switch, with the amount and date of the charge (SUB-04). */
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
        primary
        onConfirm={() => {
          // In a new tab: the bank's page doesn't return here. The plan updates here once confirmed.
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
      primary
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
