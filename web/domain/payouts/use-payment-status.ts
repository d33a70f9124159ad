import { onboardingTexts as texts } from '@ovation/contract/texts/onboarding'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { toast } from '../../ui/toast.ts'
import { paymentStatusQuery } from './payment-status-query.ts'

/** Creators often finish in another tab and return to this one (ONB-08). */
const afterFocusMs = 1_000

/** The status, and two ways to refresh it (D33). */
export function usePaymentStatus() {
  const status = useQuery(paymentStatusQuery())
  const { refetch, data } = status

  /** In the background: errors are only logged (ONB-19). */
  const refreshQuietly = useCallback(async () => {
    const { data: fresh, error } = await refetch()
    if (error) console.error(error)
    return fresh
  }, [refetch])

  /** On request: errors are shown (ONB-15). */
  const refresh = async () => {
    const { error } = await refetch()
    if (error) toast.error(texts.checkFailed(errorMessageOf(error)))
  }

  const unfinished = data?.has_stripe_account === true && !data.onboarding_completed
  useEffect(() => {
    if (!unfinished) return
    let timer: ReturnType<typeof setTimeout>
    const check = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void refreshQuietly(), afterFocusMs)
    }
    window.addEventListener('focus', check)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', check)
    }
  }, [unfinished, refreshQuietly])

  return { status, refresh, refreshQuietly }
}
