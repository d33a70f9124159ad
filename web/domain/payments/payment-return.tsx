import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import { notPaidParameter } from '@ovation/contract/routes'
import { commonTexts } from '@ovation/contract/texts/common'
import { payingTexts } from '@ovation/contract/texts/paying'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { toast } from '../../ui/toast.ts'
import { paidWords, refreshPaid } from './paid.ts'
import { useVerification } from './use-verification.ts'

/** The answer of `verify-payment`. */
type Payment = {
  status: 'paid' | 'open' | 'expired' | 'none'
  kind: 'ppv' | 'tip' | 'message' | 'session' | null
  amountCents: number | null
  /** Whether what was paid for is open to the caller now. */
  hasAccess: boolean
}

/** What was paid for, by the part of the address that names the payment. */
const kindOf = { purchase: 'ppv', tip: 'tip', unlock: 'message', booking: 'session' } as const
type ReturnParameter = keyof typeof kindOf
const parameters = Object.keys(kindOf) as ReturnParameter[]

/** Back from the checkout: what became of the payment, above the screen it was made from (POST-45, PROF-21). */
export default function PaymentReturn() {
  const [address] = useSearchParams()
  const parameter = parameters.find((name) => address.get(name))
  if (!parameter) return <NotPaid />
  return <Outcome parameter={parameter} sessionId={address.get(parameter) ?? ''} />
}

/** Left by its way back: nobody has to wonder whether they have paid. */
function NotPaid() {
  const tidyAddress = useTidyAddress(notPaidParameter)
  useEffect(() => {
    toast.info(payingTexts.notCompleted)
    tidyAddress()
  }, [tidyAddress])
  return null
}

/** @param parameter is removed from the URL once the result shows. */
function Outcome({ parameter, sessionId }: { parameter: ReturnParameter; sessionId: string }) {
  const queryClient = useQueryClient()
  const tidyAddress = useTidyAddress(parameter)
  const { data, error, isChecking, retry } = useVerification<Payment>({
    name: 'verify-payment',
    body: { sessionId },
    isAwaited: ({ status, hasAccess }) => status === 'open' && !hasAccess,
  })
  const paid = data?.status === 'paid' || data?.hasAccess === true
  const told = paid || data?.status === 'expired' || data?.status === 'none'

  useEffect(() => {
    if (!data || !told) return
    if (!paid) toast.info(payingTexts.notCompleted)
    else toast.success(paidWords(kindOf[parameter], data.amountCents ?? 0))
    if (paid) refreshPaid(queryClient)
    tidyAddress()
  }, [data, told, paid, parameter, queryClient, tidyAddress])

  if (told) return null
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
        {/* Beside the buttons where there is room: a flex item's own width would send them below any longer sentence. */}
        <Text size="sm" flex="1 1 16rem">
          {error?.message ?? payingTexts.unconfirmed}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {/* Nobody has to ask for ever: what was paid is not lost by it, and a payment that does not exist never comes. */}
          <Button variant="default" onClick={tidyAddress}>
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
function useTidyAddress(parameter: string): () => void {
  const [, setParameters] = useSearchParams()
  return useCallback(
    () =>
      setParameters(
        (current) => {
          current.delete(parameter)
          return current
        },
        { replace: true, preventScrollReset: true },
      ),
    [parameter, setParameters],
  )
}
