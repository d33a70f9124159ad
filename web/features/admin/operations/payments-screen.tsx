import { Badge } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { IconArrowRight, IconReceipt } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { Refund } from '../../../domain/payments/refund.tsx'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { formatExact } from '../../../lib/format/format-date.ts'
import { formatCents } from '../../../lib/format/format-number.ts'
import { useTypedText } from '../../../lib/forms/use-typed-text.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { AdminList } from '../admin-list.tsx'
import adminClasses from '../admin-screen.module.css'
import { SecondFactorGate } from '../second-factor-gate.tsx'
import { AdminPage } from './admin-page.tsx'
import classes from './lines.module.css'
import { foundPaymentsKey, foundPaymentsQuery, type ListedPayment } from './payment-queries.ts'
import { aboutPayment, formatMoment } from './payment-words.ts'
import { UserName } from './user-name.tsx'

const texts = operationsTexts.payments
const typingPauseMs = 300

/** Payments found by the name of the fan or creator, and refunded from the same line (LOOP-24, D40). */
export function PaymentsScreen() {
  return (
    <SecondFactorGate>
      <Payments />
    </SecondFactorGate>
  )
}

function Payments() {
  const [parameters, setParameters] = useSearchParams()
  // The URL keeps the search, so that Back returns to it from a profile.
  const search = parameters.get('q') ?? ''
  const field = useTypedText(search)
  const query = useInfiniteQuery(foundPaymentsQuery(search))
  const typed = field.text.trim()
  const [settled, , debounced] = useDebouncedValue(typed, typingPauseMs)
  // Not when the URL changes, which the text then follows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only after typing
  useEffect(() => {
    if (settled === typed && settled !== search)
      setParameters(settled ? { q: settled } : {}, { replace: true, preventScrollReset: true })
  }, [settled])

  return (
    <AdminPage title={texts.title}>
      <SearchField
        label={texts.search}
        className={adminClasses.search}
        value={field.text}
        onChange={(event) => field.type(event.currentTarget.value)}
        onBlur={() => {
          field.rest()
          // At once: later, it would replace the navigation that a click on a link starts.
          debounced.flush()
        }}
      />
      <AdminList
        query={query}
        rows={query.data?.pages.flat()}
        label={texts.list}
        empty={search ? texts.noneFound(search) : texts.none}
        icon={IconReceipt}
        failure={{ title: texts.loadFailed, message: errorMessageOf(query.error) }}
      >
        {(payment) => <PaymentLine key={payment.id} payment={payment} />}
      </AdminList>
    </AdminPage>
  )
}

function PaymentLine({ payment }: { payment: ListedPayment }) {
  const queryClient = useQueryClient()
  const { id, transaction_type: kind, status, amount, refunded_amount, created_at, reason } = payment
  const { refund_effect, is_repeated } = payment
  const payer = payment.payer_name || payment.payer_username || ''
  const about = aboutPayment(payment)
  const moment = formatMoment(created_at)
  return (
    <li className={`surface ${classes.line}`}>
      <div className={classes.head}>
        <h2 className={classes.title}>
          <UserName username={payment.payer_username} name={payment.payer_name} />
        </h2>
        <IconArrowRight size={16} stroke={1.6} role="img" aria-label={texts.to} />
        <UserName username={payment.creator_username} name={payment.creator_name} />
        <span className={classes.about} title={reason ?? undefined} dir="auto">
          {about}
          {reason && ` · ${reason}`}
        </span>
        <div className={classes.end}>
          {is_repeated && (
            <Badge
              variant="light"
              color="yellow"
              className={adminClasses.badge ?? ''}
              data-status="pending"
              title={texts.repeatedHint}
            >
              {texts.repeated}
            </Badge>
          )}
          {status !== 'completed' && (
            <Badge
              variant="default"
              title={refunded_amount > 0 ? texts.refundedPart(formatCents(refunded_amount)) : undefined}
            >
              {texts.states[status] ?? status}
            </Badge>
          )}
          <time dateTime={created_at} title={formatExact(created_at)}>
            {moment}
          </time>
          <span className={classes.amount}>{formatCents(amount)}</span>
          <div className={classes.action}>
            <Refund
              payment={{
                id,
                transaction_type: kind,
                status,
                amount: amount - refunded_amount,
                refund_effect,
                is_repeated,
              }}
              name={payer}
              about={`${about} · ${texts.paid(moment)}`}
              onDone={() => void queryClient.invalidateQueries({ queryKey: foundPaymentsKey })}
            />
          </div>
        </div>
      </div>
    </li>
  )
}
