import { ActionIcon } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { IconReceiptRefund } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callFunction } from '../../lib/api/functions.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format.ts'
import { dashboardKey, type Payment } from './queries.ts'

const ReasonDialog = lazy(() => import('../../domain/safety/reason-dialog.tsx'))

const texts = dashboardTexts.earnings.refund
const refundable: readonly string[] = ['subscription', 'ppv', 'tip', 'paid_message', 'private_session']

/** Refunds a payment in full, including the fee, with a reason (D40). Renders nothing for payments that can't be refunded. */
export function Refund({ payment, profileId }: { payment: Payment; profileId: string }) {
  const [asking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const { id, transaction_type: kind, status, amount, from } = payment
  if (!refundable.includes(kind) || (status !== 'completed' && status !== 'partially_refunded')) return null
  const name = from ? nameOf(from) : dashboardTexts.earnings.formerMember
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.named(formatCents(amount), name)}
        title={texts.open}
        onClick={() => setAsking(true)}
      >
        <IconReceiptRefund size={18} stroke={1.6} />
      </ActionIcon>
      {asking && (
        <Suspense>
          <ReasonDialog
            subject={id}
            title={texts.title(formatCents(amount), name)}
            message={texts.message}
            field={{ label: texts.reason, hint: texts.reasonHint, missing: texts.reasonMissing }}
            confirm={texts.confirm}
            done={texts.done}
            failed={texts.failed}
            run={(reason) => callFunction('refund-payment', { transactionId: id, reason })}
            onDone={() => void queryClient.invalidateQueries({ queryKey: dashboardKey(profileId) })}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
