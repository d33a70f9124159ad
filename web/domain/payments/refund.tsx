import { Button } from '@mantine/core'
import { refundTexts as texts } from '@ovation/contract/texts/refunds'
import { lazy, Suspense, useState } from 'react'
import { callFunction } from '../../lib/api/functions.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import classes from './refund.module.css'

const ReasonDialog = lazy(() => import('../../ui/reason-dialog.tsx'))

type Props = {
  payment: {
    id: string
    transaction_type: string
    status: string
    amount: number
    /** What the fan loses: ends, covered, or none. Undefined where the list doesn't say. */
    refund_effect?: string | null
    is_repeated?: boolean
  }
  /** The name of the fan who paid. */
  name: string
  /** What was paid for and when, so that the dialog shows which payment it is about. */
  about?: string
  /** Reads the list again, which then shows the refund. */
  onDone: () => void
}

/** What the refund means for the fan. */
function messageFor({ transaction_type: kind, refund_effect, is_repeated }: Props['payment']): string {
  const effects = texts.effects[kind as keyof typeof texts.effects]
  const effect = effects[(refund_effect ?? 'unknown') as keyof typeof effects]
  const instead = is_repeated && refund_effect === 'ends' ? [texts.otherInstead] : []
  return [texts.amount, effect, ...instead, texts.final].join(' ')
}

/** Refunds a payment in full, including the fee, with a reason (D40). Renders nothing for payments that can't be refunded. */
export function Refund({ payment, name, about, onDone }: Props) {
  const [asking, setAsking] = useState(false)
  const { id, transaction_type: kind, status, amount } = payment
  if (!(kind in texts.effects) || (status !== 'completed' && status !== 'partially_refunded')) return null
  return (
    <>
      <Button
        size="sm"
        px="0.5rem"
        variant="subtle"
        color="gray"
        aria-label={texts.named(formatCents(amount), name)}
        onClick={() => setAsking(true)}
      >
        {texts.open}
      </Button>
      {asking && (
        <Suspense>
          <ReasonDialog
            subject={id}
            title={texts.title(formatCents(amount), name)}
            message={
              <>
                {about && (
                  <span className={classes.about} dir="auto">
                    {about}
                  </span>
                )}
                {messageFor(payment)}
              </>
            }
            field={{ label: texts.reason, hint: texts.reasonHint, missing: texts.reasonMissing }}
            confirm={texts.confirm}
            done={texts.done}
            shows
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
