import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { formatCents } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Plan } from './queries.ts'
import { useManageSubscription } from './use-manage-subscription.ts'

const { switching } = subscriptionTexts

type Props = { subscriptionId: string; plan: Plan; onClose: () => void }

/** Asks before money moves, and says how much and when (SUB-04). */
export function SwitchDialog({ subscriptionId, plan, onClose }: Props) {
  const manage = useManageSubscription(onClose)
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
