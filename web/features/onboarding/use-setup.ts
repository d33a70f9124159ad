import type { PayoutCountry } from '@ovation/contract/countries'
import { onboardingTexts as texts } from '@ovation/contract/texts/onboarding'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { paymentStatusQuery } from '../../domain/payouts/payment-status-query.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { callFunction, FunctionFailure } from '../../lib/api/functions.ts'
import { toast } from '../../ui/toast.ts'
import { openPendingTab } from './open-pending-tab.ts'

export type SetupFailure = { title?: string; message: string; instructions?: string; learnMore?: string }

/** The running step, or `opened` once another tab has Stripe's page. */
export type Doing = 'create' | 'connect' | 'redirect' | 'opened' | null

/** Creates a Stripe account, connects an existing one, or continues onboarding. One at a time. */
export function useSetup() {
  const queryClient = useQueryClient()
  const [doing, setDoing] = useState<Doing>(null)
  const [failure, setFailure] = useState<SetupFailure>()
  /** The onboarding URL if the browser blocked the tab. */
  const [blockedUrl, setBlockedUrl] = useState<string>()
  const check = () => queryClient.invalidateQueries({ queryKey: paymentStatusQuery().queryKey })

  const begin = (next: Doing) => {
    setFailure(undefined)
    setBlockedUrl(undefined)
    setDoing(next)
  }
  const fail = (error: unknown, toFailure: (message: string) => SetupFailure) => {
    setDoing(null)
    setFailure(advised(error) ?? toFailure(errorMessageOf(error)))
  }

  const createAccount = async (country: PayoutCountry) => {
    begin('create')
    try {
      const response = await callFunction<{ already_exists?: boolean; message?: string }>('create-stripe-account', {
        country,
      })
      // For example in another tab (ONB-17).
      if (response.already_exists && response.message) toast.info(response.message)
      await check()
      setDoing(null)
    } catch (error) {
      fail(error, (message) => ({ title: texts.connectAccountFailed, message }))
    }
  }

  const connectExisting = async () => {
    begin('connect')
    try {
      const { url } = await callFunction<{ url?: string }>('create-stripe-connect-url', {
        origin: window.location.origin,
      })
      if (!url) throw new Error(texts.noUrl)
      window.location.assign(url)
    } catch (error) {
      fail(error, (message) => ({ message: texts.startConnectFailed(message) }))
    }
  }

  const startOnboarding = async () => {
    begin('redirect')
    // Before any await: browsers only open tabs during the click (ONB-07).
    const tab = openPendingTab(texts.redirecting)
    try {
      const response = await callFunction<{ onboarding_url?: string; url?: string }>('create-onboarding-link', {
        origin: window.location.origin,
      })
      const url = response.onboarding_url ?? response.url
      if (!url) throw new Error(texts.noUrl)
      if (tab.go(url)) return setDoing('opened')
      setDoing(null)
      setBlockedUrl(url)
    } catch (error) {
      tab.close()
      fail(error, (message) => ({ title: texts.startFailed, message }))
      void check()
    }
  }

  return { doing, failure, blockedUrl, setFailure, createAccount, connectExisting, startOnboarding }
}

/** Some errors come with instructions (ONB-18). */
function advised(error: unknown): SetupFailure | undefined {
  if (!(error instanceof FunctionFailure) || !error.refusal.instructions) return undefined
  const { instructions, learn_more_url: learnMore } = error.refusal
  return { message: error.message, instructions, learnMore }
}
