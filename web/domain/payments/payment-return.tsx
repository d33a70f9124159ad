import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import { notPaidParameter } from '@ovation/contract/paths'
import { commonTexts } from '@ovation/contract/texts/common'
import { payingTexts } from '@ovation/contract/texts/paying'
import { refundedTexts } from '@ovation/contract/texts/refunded'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { toast } from '../../ui/toast.ts'
import { justBought, paidMessage, refreshPaid } from './paid-message.ts'
import { RefundNote } from './refund-note.tsx'
import type { ReturnedPayment } from './refund-words.ts'
import { useVerification } from './use-verification.ts'

/** The response of `verify-payment`. */
type Payment = {
  status: 'paid' | 'refunded' | 'open' | 'expired' | 'none'
  kind: 'ppv' | 'tip' | 'message' | 'session' | 'gift' | 'product' | null
  amountCents: number | null
  /** Whether the caller can now access the purchased content. */
  hasAccess: boolean
  refund: ReturnedPayment | null
}

/** The kind of payment for each URL parameter. */
const kindOf = {
  purchase: 'ppv',
  tip: 'tip',
  unlock: 'message',
  booking: 'session',
  gift: 'gift',
  bought: 'product',
} as const
type ReturnParameter = keyof typeof kindOf
const parameters = Object.keys(kindOf) as ReturnParameter[]

/** After the checkout: the result of the payment, above the screen where it started (POST-45, PROF-21). */
export default function PaymentReturn() {
  const [address] = useSearchParams()
  const parameter = parameters.find((name) => address.get(name))
  if (!parameter) return <NotPaid />
  return <Outcome parameter={parameter} sessionId={address.get(parameter) ?? ''} />
}

/** The viewer canceled the checkout: says that nothing was charged. */
function NotPaid() {
  const removeParameter = useRemoveParameter(notPaidParameter)
  useEffect(() => {
    toast.info(payingTexts.notCompleted)
    removeParameter()
  }, [removeParameter])
  return null
}

/** @param parameter is removed from the URL once the result shows. */
function Outcome({ parameter, sessionId }: { parameter: ReturnParameter; sessionId: string }) {
  const queryClient = useQueryClient()
  const removeParameter = useRemoveParameter(parameter)
  const { data, error, isChecking, retry } = useVerification<Payment>({
    name: 'verify-payment',
    body: { sessionId },
    isAwaited: ({ status, hasAccess }) => status === 'open' && !hasAccess,
  })
  const paid = data?.hasAccess === true
  const settled = paid || data?.status === 'expired' || data?.status === 'none'

  useEffect(() => {
    if (!data || !settled) return
    if (!paid) toast.info(payingTexts.notCompleted)
    // The post's screen shows the result itself.
    else if (parameter !== 'purchase') toast.joy(paidMessage(kindOf[parameter], data.amountCents ?? 0))
    if (paid) refreshPaid(queryClient)
    removeParameter(paid && parameter === 'purchase' ? justBought : undefined)
  }, [data, settled, paid, parameter, queryClient, removeParameter])

  if (settled) return null
  // Not toasts: both stay true, and are worth more than a glance.
  if (data?.refund)
    return <RefundNote refund={data.refund} kind={kindOf[parameter]} onClose={() => removeParameter()} />
  if (isChecking)
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
      <Group justify="flex-end" gap="sm">
        {/* Beside the buttons if there is room: with its own width, any longer sentence would push them below. */}
        <Text size="sm" flex="1 1 16rem">
          {error?.message ?? (data?.status === 'paid' ? refundedTexts.noLongerThere : payingTexts.unconfirmed)}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {/* Lets the viewer stop waiting: a payment isn't lost by it, and one that doesn't exist never arrives. */}
          <Button variant="default" onClick={() => removeParameter()}>
            {commonTexts.close}
          </Button>
          <Button variant="default" onClick={retry}>
            {commonTexts.retry}
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}

/** Removes a parameter from the URL once its message shows, so that a reload or a shared link doesn't show it again. */
function useRemoveParameter(parameter: string): (state?: string) => void {
  const [, setParameters] = useSearchParams()
  return useCallback(
    (state) =>
      setParameters(
        (current) => {
          current.delete(parameter)
          return current
        },
        { replace: true, preventScrollReset: true, state },
      ),
    [parameter, setParameters],
  )
}
