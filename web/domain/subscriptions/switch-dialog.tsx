import { planTermsTexts } from '@ovation/contract/texts/plan-terms'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useState } from 'react'
import { formatExact } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { formatPeriod } from '../../lib/format/format-period.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { CurrentPlan, Plan } from './plan-queries.ts'
import { termOf } from './plan-terms.ts'
import { type BankQuestion, useManageSubscription } from './use-manage-subscription.ts'

const { switching } = subscriptionTexts

type Props = { current: CurrentPlan; plan: Plan; intervalCount: number; onClose: () => void }

/** Confirms a switch to another plan or term, with the amount and date of the charge (SUB-04, OFFER-01). */
export function SwitchDialog({ current, plan, intervalCount, onClose }: Props) {
  const [bank, setBank] = useState<BankQuestion>()
  const manage = useManageSubscription((question) => (question ? setBank(question) : onClose()))
  if (bank?.expiresAt !== undefined)
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
  const isOtherTerm = current.planId === plan.id
  const price = formatCents(termOf(plan, intervalCount).price_cents)
  return (
    <ConfirmDialog
      title={isOtherTerm ? planTermsTexts.switchTitle(plan.name, intervalCount) : switching.title(plan.name)}
      message={
        isOtherTerm
          ? planTermsTexts.switchMessage(price, intervalCount)
          : switching.message(`${price} / ${formatPeriod(plan.interval, intervalCount)}`)
      }
      confirmLabel={switching.confirm}
      primary
      pending={manage.isPending}
      onConfirm={() =>
        manage.mutate({
          change: 'switch-subscription',
          subscriptionId: current.subscriptionId,
          productId: plan.id,
          ...(intervalCount > 1 && { intervalCount }),
          done: isOtherTerm ? planTermsTexts.switched(plan.name, intervalCount) : switching.done(plan.name),
        })
      }
      onClose={onClose}
    />
  )
}
