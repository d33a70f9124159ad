import { onboardingTexts as texts } from '@ovation/contract/texts/onboarding'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type PaymentStatus, setupStateOf } from '../../domain/payouts/payment-status-query.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { callFunction } from '../../lib/api/functions.ts'
import { toast } from '../../ui/toast.ts'
import { readReturn, withoutReturn } from './return-from-stripe.ts'
import type { SetupFailure } from './use-setup.ts'

/** Stripe needs a moment to report what was just entered (ONB-09). */
const afterReturnMs = 2_000

type Use = {
  refreshQuietly: () => Promise<PaymentStatus | undefined>
  onFailure: (failure: SetupFailure) => void
}

/** Handles Stripe's URL parameters once and removes them, so that a reload doesn't repeat it (ONB-04, ONB-05, ONB-09). */
export function useStripeReturn({ refreshQuietly, onFailure }: Use): { progress: string | null } {
  const [parameters, setParameters] = useSearchParams()
  const [returned] = useState(() => readReturn(parameters))
  const [progress, setProgress] = useState<string | null>(() => progressOf[returned.kind])
  const exchanged = useRef(false)

  const clear = useEffectEvent(() => setParameters(withoutReturn, { replace: true }))
  const finish = useEffectEvent(async () => {
    const status = await refreshQuietly()
    setProgress(null)
    if (status && setupStateOf(status) === 'ready') toast.success(texts.connected)
  })
  const exchange = useEffectEvent(async (code: string, state: string) => {
    // The code is single-use, and effects may run twice.
    if (exchanged.current) return
    exchanged.current = true
    try {
      await callFunction('handle-stripe-connect-callback', { code, state })
      toast.success(texts.connected)
    } catch (error) {
      onFailure({ title: texts.connectAccountFailed, message: errorMessageOf(error) })
    }
    await refreshQuietly()
    setProgress(null)
  })
  const showDeclined = useEffectEvent((reason: string | null) =>
    onFailure({ title: texts.connectFailed, message: reason ?? texts.connectDeclined }),
  )

  useEffect(() => {
    if (returned.kind === 'none') return
    clear()
    if (returned.kind === 'connect') void exchange(returned.code, returned.state)
    else if (returned.kind === 'declined') showDeclined(returned.reason)
    else {
      const timer = setTimeout(() => void finish(), afterReturnMs)
      return () => clearTimeout(timer)
    }
  }, [returned])

  return { progress }
}

const progressOf = { none: null, declined: null, onboarding: texts.checkingStatus, connect: texts.connecting }
