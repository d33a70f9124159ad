import { ActionIcon } from '@mantine/core'
import { refundTexts as texts } from '@ovation/contract/texts/refunds'
import { IconReceiptRefund } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { callFunction } from '../../lib/api/functions.ts'
import { formatCents } from '../../lib/format/format.ts'

const ReasonDialog = lazy(() => import('../safety/reason-dialog.tsx'))

const refundable: readonly string[] = ['subscription', 'ppv', 'tip', 'paid_message', 'private_session']

type Props = {
  payment: { id: string; transaction_type: string; status: string; amount: number }
  /** The name of the fan who paid. */
  name: string
  onDone: () => void
}

/** Refunds a payment in full, including the fee, with a reason (D40). Renders nothing for payments that can't be refunded. */
export function Refund({ payment, name, onDone }: Props) {
  const [asking, setAsking] = useState(false)
  const { id, transaction_type: kind, status, amount } = payment
  if (!refundable.includes(kind) || (status !== 'completed' && status !== 'partially_refunded')) return null
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
            onDone={onDone}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
