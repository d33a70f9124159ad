import { Alert, Button, Group, Loader } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { payingTexts } from '@ovation/contract/texts/paying'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { formatCents } from '../../lib/format.ts'
import { toast } from '../../ui/toast.ts'
import { paymentQuery } from './verification.ts'

/** The part of the address that names the payment, by what was paid for. */
export type ReturnParameter = 'purchase' | 'tip' | 'unlock' | 'booking'

type Props = {
  /** It goes once the payment is told. */
  parameter: ReturnParameter
  sessionId: string
}

/** What a payment is followed by, wherever it was made. */
export function paidWords(parameter: ReturnParameter, amountCents: number): string {
  if (parameter === 'tip') return payingTexts.tipped(formatCents(amountCents))
  return { purchase: payingTexts.opened, unlock: payingTexts.unlocked, booking: payingTexts.booked }[parameter]
}

/** What was locked is open now: whatever shows posts, messages or bookings asks again. */
export function refreshPaid(queryClient: QueryClient): void {
  for (const queryKey of [['posts'], ['media-links'], ['messages'], ['conversations'], ['bookings']])
    void queryClient.invalidateQueries({ queryKey })
}

/** Back from the checkout: what became of the payment, above the screen it was made from (POST-45, PROF-21). */
export default function PaymentReturn({ parameter, sessionId }: Props) {
  const queryClient = useQueryClient()
  const [, setParameters] = useSearchParams()
  const payment = useQuery(paymentQuery(sessionId))
  const { data } = payment
  const paid = data?.status === 'paid' || data?.hasAccess === true
  const told = paid || data?.status === 'expired' || data?.status === 'none'

  useEffect(() => {
    if (!data || !told) return
    if (!paid) toast.info(payingTexts.notCompleted)
    else toast.success(paidWords(parameter, data.amountCents ?? 0))
    if (paid) refreshPaid(queryClient)
    setParameters(
      (current) => {
        current.delete(parameter)
        return current
      },
      { replace: true, preventScrollReset: true },
    )
  }, [data, told, paid, parameter, queryClient, setParameters])

  if (told) return null
  if (payment.isPending || payment.isFetching)
    return (
      <Alert color="gray" mb="md" role="status">
        <Group gap="sm">
          <Loader size="xs" />
          {payingTexts.checking}
        </Group>
      </Alert>
    )
  return (
    <Alert color="crimson" mb="md" role="alert">
      <Group justify="space-between">
        {payment.error?.message ?? payingTexts.unconfirmed}
        <Button variant="default" onClick={() => void payment.refetch()}>
          {commonTexts.retry}
        </Button>
      </Group>
    </Alert>
  )
}
